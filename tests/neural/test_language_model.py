"""A language model's words for blanks: the words of a plain loop that reads everything again for each token."""

from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch
from tiny_encoders import make_language_model
from transformers import AutoModelForCausalLM, AutoTokenizer

from unname.neural.language_model import LanguageModel

CORPUS = ["the old smith of york went home", "a mill stood by the river", "known of the person"]
TEXTS = [
    ["the text : the old", " of ", "home a   ", "\n", "person", "by", " - "],
    ["the text : smith", "went", "\n", "."],
    ["known", "a", "the", "of", "mill", "home", "stood", "york"],
]


def made(folder: Path, seed: int) -> tuple[LanguageModel, Path]:
    path = Path(make_language_model(folder / str(seed), CORPUS, seed=seed))
    return LanguageModel(path), path


def slowly(path: Path, stretches: list[str]) -> list[list[str]]:
    """The words of each blank, without a cache and without a mask: tokens are tried from the likeliest down."""
    model, tokenizer = AutoModelForCausalLM.from_pretrained(path).eval(), AutoTokenizer.from_pretrained(path)
    read, found = list[int](), list[list[str]]()
    for before, after in pairwise(tokenizer(one, add_special_tokens=False)["input_ids"] for one in stretches):
        read, words = read + before, list[str]()
        while len(words) < 4:
            with torch.no_grad():
                likeliest = model(torch.tensor([read])).logits[0, -1].argsort(descending=True).tolist()
            names = tokenizer.convert_ids_to_tokens(likeliest)
            token, name = next(
                pair for pair in zip(likeliest, names, strict=True) if words or (pair[1].isalpha() and pair[1] != "<s>")
            )
            if words and (not name.isalpha() or after[:1] == [token]):
                break
            read, words = [*read, token], [*words, name]
        found.append(words)
    return found


def test_a_blank_gets_the_words_of_a_loop_that_reads_everything_again(tmp_path: Path) -> None:
    lengths, cut = set(), False
    for seed in range(6):
        model, path = made(tmp_path, seed)
        for text in TEXTS:
            wanted = slowly(path, text)
            found = model.fillings(text, 99)
            assert found == [" ".join(words) for words in wanted]
            assert found == model.fillings(text, 99), "the same text, the same words"
            lengths |= set(map(len, wanted))
            cut |= slowly(path, [text[0], "-"]) != wanted[:1]
    assert lengths == {1, 2, 3, 4} and cut, "the texts try every length, and words that the next stretch ends"


def test_no_special_token_is_written_even_if_it_looks_like_a_word(tmp_path: Path) -> None:
    for seed in range(6):
        model, path = made(tmp_path, seed)
        word = model.fillings(TEXTS[0], 99)[0].split()[0]
        tokenizer = AutoTokenizer.from_pretrained(path)
        tokenizer.add_special_tokens({"eos_token": word})
        tokenizer.save_pretrained(path)
        found = LanguageModel(path).fillings(TEXTS[0], 99)
        assert all(found) and word not in " ".join(found).split()


def test_only_words_are_written_whatever_the_model_likes_best(tmp_path: Path) -> None:
    _, path = made(tmp_path, 0)
    tokenizer, plain = AutoTokenizer.from_pretrained(path), AutoModelForCausalLM.from_pretrained(path)
    marks = tokenizer.convert_tokens_to_ids(["[UNK]", "<s>", ".", ":", "-", "█", "\n"])
    with torch.no_grad():
        plain.lm_head.weight[marks] *= 50  # tokens that the model now likes either most or least
    plain.save_pretrained(path)
    for text in TEXTS:
        found = LanguageModel(path).fillings(text, 99)
        assert all(words.replace(" ", "").isalpha() for words in found)
    assert any(" " not in words for words in found), "a mark ends a blank"


def test_blanks_beyond_what_the_model_reads_stay_empty(tmp_path: Path) -> None:
    model, _ = made(tmp_path, 0)
    whole = model.fillings(TEXTS[2], 99)
    assert all(whole)
    for most in range(1, 40):
        some = model.fillings(TEXTS[2], most)
        filled = sum(map(bool, some))
        assert some == whole[:filled] + [""] * (len(whole) - filled)
        # one token for each stretch before a blank, and those written before it
        assert all((1 + at + sum(len(w.split()) for w in whole[:at]) <= most) == bool(some[at]) for at in range(7))
    assert model.fillings(["old " * 9, "mill"], 8) == [""], "a blank behind a long stretch"
    assert model.fillings(["the whole text"], 8) == []
