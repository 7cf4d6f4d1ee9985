"""Sharing as vectors: train a representer, represent texts, pool the examples of several houses, tag text."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import replace as changed
from pathlib import Path

import numpy as np

from unname.errors import InputError, ModelError, SettingsError, StateError, UnsafeReleaseError
from unname.inputs.annotated import read_annotated
from unname.log import Progress, silent
from unname.neural.trainer_state import number
from unname.sharing.card import Card, Scene, askable_words, decoding_attacks, pair_attack, read_card
from unname.sharing.decoders import TOO_LITTLE
from unname.sharing.examples import examples_of, most_nats, teach
from unname.sharing.measured import Measured, measured
from unname.sharing.pairs import distinct, numbered
from unname.sharing.representer import PrivateRepresenter
from unname.sharing.shared import SharedExamples, pooled, read_shared, require_label_names
from unname.sharing.tagger import Origin, Represented, is_recipient
from unname.sharing.training import Attacking, attacked, train_representation
from unname.storage.documents import Columns
from unname.storage.files import MODEL, SHARED_EXAMPLES, require_absent, require_apart, write_atomically
from unname.storage.modelfolder import faults_of, parse_json, read_bytes
from unname.taggers.models import load_tagger
from unname.taggers.reading import bio_labels
from unname.taggers.tokens import tokens
from unname.types import Document
from unname.verbs.share.options import Pooling, RepresenterTraining, Representing
from unname.verbs.share.pseudonymise import public_space

SEED = "seed.json"
# Of the public documents, those that say when to stop, and those that attackers are asked about.
_TENTHS = 10
_HELD_OUT = 0.1
# The paper's 100 neighbours are of some 400,000 words.
_WORDS_OF_A_NEIGHBOUR = 4000
# Pairs that the adversary is asked about of each sentence: near chance it is draws that decide how often it is right.
_PAIRS_OF_A_SENTENCE = 8
_TELL_LESS = "Who trained the representer can make one that tells less"


def train_representer_files(
    public: Path, out: Path, how: RepresenterTraining, *, columns: Columns | None = None, replace: bool = False,
    progress: Progress = silent,
) -> Card:  # fmt: skip
    """`unname share train-representer`: learn a representation from public texts, attack it, and write it if it holds.

    UnsafeReleaseError where an attack passes its limit: nothing is written then.
    """
    given = (public, how.word_vectors, how.vectors_from, how.checkpoint)
    require_apart(out, inputs=[path for path in given if path is not None])
    require_absent(out, replace=replace, kind=MODEL)
    documents = read_annotated(public, columns, labels=how.labels, split=how.split)
    labels = bio_labels(documents)
    require_label_names(labels)
    taught, stopping, asked = divided(documents, how.seed)
    progress("word vectors", 1)
    space = public_space(how, [*taught, *stopping], columns)
    mine = numbered(taught, space, labels)
    # As they would be shared.
    held, others = (distinct(numbered(some, space, labels)) for some in (stopping, asked))
    counts = min(len(held), len(others)), askable_words(others, space.words)[0]
    if min(counts) < how.limits.cases:
        raise UnsafeReleaseError(f"{TOO_LITTLE}: each tenth needs {how.limits.cases} sentences, and as many known words of "
                                 f"identifiers, and has {counts[0]}, and {counts[1]}; nothing was written")  # fmt: skip
    near = how.neighbours or neighbours_of(len(space.words), how.limits.neighbours)
    # Who knows the public texts and the options must not be able to train the same representer again.
    settings = changed(how.settings, seed=_secret_seed(how.checkpoint), neighbours=near)
    trained = train_representation(mine, held, space, labels, settings, checkpoint=how.checkpoint, progress=progress)
    representer = PrivateRepresenter(space.words, trained.representer, labels, settings, secrets.token_bytes(32))
    advance = progress("attack: pairs", 1)
    tries = [
        attacked(
            trained, mine, held, others, Attacking(how.attack_epochs, fresh, patient=True, times=_PAIRS_OF_A_SENTENCE)
        )
        for fresh in (True, False)
    ]
    advance(1)
    rest, coverage = decoding_attacks(Scene(representer, mine, held, others, seed=how.seed), progress=progress)
    limits = changed(how.limits, epochs=how.attack_epochs)
    nats = most_nats(trained.representer, others)
    card = Card(
        (pair_attack(tries), *rest),
        limits,
        coverage,
        settings.neighbours,
        len(tries[0].curve),
        nats,
        representer.weights,
    )
    if beyond := card.beyond():
        raise UnsafeRepresenterError(card, beyond, "Vectors tell less with a larger --bottleneck, and more public text "
                                                   "leaves less to chance")  # fmt: skip
    changed(representer, card=read_card(card.as_dict()).as_dict()).save(out, replace=replace)
    return card


def neighbours_of(words: int, least: int) -> int:
    """N for a vocabulary of so many words: as many of them as in the paper, and no fewer than `least`."""
    return max(least, words // _WORDS_OF_A_NEIGHBOUR)


def _secret_seed(checkpoint: Path | None) -> int:
    """A seed that nobody knows; that of the checkpoint where one goes on."""
    if checkpoint is None:
        return secrets.randbits(62)
    path = checkpoint / SEED
    if path.exists():
        try:
            seed = parse_json(read_bytes(path, 1 << 10)).get("seed")
        except ModelError:
            seed = None
        if type(seed) is not int or not 0 <= seed < 1 << 62:
            raise StateError("the checkpoint is damaged; delete its folder and train anew")
        return seed
    seed = secrets.randbits(62)
    checkpoint.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_atomically(path, json.dumps({"seed": seed}).encode(), private=True)
    return seed


class UnsafeRepresenterError(UnsafeReleaseError):
    """A representer that attackers see through; its card says how far."""

    def __init__(self, card: Card, beyond: Sequence[str], advice: str) -> None:
        super().__init__(f"{'; '.join(beyond)}; nothing was written. {advice}")
        self.card = card


def divided(documents: Sequence[Document], seed: int) -> tuple[list[Document], list[Document], list[Document]]:
    """Eight tenths to learn from, one that says when to stop, one to be asked about; a person's documents stay together."""
    people = sorted({document.person or document.id for document in documents})
    if len(people) < _TENTHS:
        raise InputError(f"a representer needs the documents of at least {_TENTHS} people")
    order = np.random.default_rng(number(seed, len(people))).permutation(len(people))
    part = {person: int(place) % _TENTHS for person, place in zip(people, order, strict=True)}
    parts: tuple[list[Document], list[Document], list[Document]] = ([], [], [])
    for document in documents:
        parts[max(0, part[document.person or document.id] - _TENTHS + 3)].append(document)
    if not any(document.spans for document in parts[0]):
        raise InputError("the public documents to learn from have no identifiers")
    return parts


def represent_files(
    labelled: Path, representer: Path, out: Path, how: Representing | None = None, *, columns: Columns | None = None,
    replace: bool = False, progress: Progress = silent,
) -> tuple[SharedExamples, float, Measured]:  # fmt: skip
    """`unname share represent`: annotated texts as vectors, casings and labels, in an order and with noise nobody knows.

    Also, which share of identifiers' words (with letters) the representer knows: the others all look alike to a tagger; and
    what was measured on the sentences themselves. UnsafeReleaseError where that passes a limit, whatever the card says:
    nothing is written then.
    """
    how = how or Representing()
    require_apart(out, inputs=[labelled, representer])
    require_absent(out, replace=replace, kind=SHARED_EXAMPLES)
    if not is_recipient(how.recipient):
        raise SettingsError("the name of a recipient has up to 200 characters that can be printed")
    with faults_of(representer):
        holder = PrivateRepresenter.load(representer)
        card = read_card(holder.card)
    # The limits are those of this house, whatever whoever trained it thought enough.
    if beyond := card.beyond(how.limits):
        raise UnsafeRepresenterError(card, beyond, _TELL_LESS)
    documents = read_annotated(labelled, columns, labels=how.labels, split=how.split)
    labels = bio_labels(documents)
    require_label_names(labels)
    progress("representing", 1)
    sentences = distinct(numbered(documents, holder.space, labels))
    if not sentences:
        raise InputError("no document has any word")
    advance = progress("attack: pairs", 1)
    own = measured(holder, sentences, neighbours=card.neighbours, epochs=how.attack_epochs)
    advance(1)
    if beyond := own.beyond(nats=how.most_told, pairs=how.limits.pairs):
        raise UnsafeRepresenterError(card, beyond, _TELL_LESS)
    order = np.random.default_rng(secrets.randbits(128)).permutation(len(sentences)).tolist()
    drawn = [sentences[place] for place in order]
    states = holder.represent(drawn, secret=secrets.randbits(256), recipient=how.recipient)
    shared = SharedExamples(
        tuple(examples_of(drawn, states)), labels, Origin(holder.mark, how.recipient, holder.settings.width), card
    )
    known, every = askable_words(sentences, holder.words)
    shared.save(out, replace=replace, words=_identifiers(documents), public=holder.labels)
    return shared, known / max(1, every), own


def _identifiers(documents: Sequence[Document]) -> list[str]:
    """The tokens of all identifiers."""
    return [d.text[t.start : t.end] for d in documents for s in d.spans for t in tokens(d.text, s.start, s.end)]


def pool_files(
    sources: Sequence[Path], out: Path, how: Pooling, *, replace: bool = False, progress: Progress = silent
) -> tuple[SharedExamples, bool]:
    """`unname share pool`: examples of several houses as one, or a tagger that learned from them; True if it is complete."""
    require_apart(out, inputs=[*sources, *([how.representer] if how.representer else [])])
    require_absent(out, replace=replace, kind=MODEL if how.train_tagger else SHARED_EXAMPLES)
    if len({source.resolve() for source in sources}) < len(sources):
        raise SettingsError("a folder of examples is named twice")
    some = []
    for source in sources:
        with faults_of(source):
            some.append(read_shared(source))
    shared = pooled(some)
    # A folder that goes on must not say which examples came together.
    seed = number(how.teaching.seed, len(shared.examples)) if how.train_tagger else secrets.randbits(128)
    order = np.random.default_rng(seed).permutation(len(shared.examples)).tolist()
    shuffled = [shared.examples[place] for place in order]
    if not how.train_tagger:
        changed(shared, examples=tuple(shuffled)).save(out, replace=replace)
        return shared, False
    holder = None
    if how.representer is not None:
        with faults_of(how.representer):
            holder = PrivateRepresenter.load(how.representer)
        shared.origin.require_of(holder)
    held = int(_HELD_OUT * len(shuffled))
    body = teach(shuffled[held:], shuffled[:held], shared.labels, how.teaching, progress=progress)
    tagger = Represented(body, shared.labels, shared.origin, how.teaching.units)
    if holder is not None:
        tagger = tagger.completed(holder)
    tagger.save(out, replace=replace)
    return shared, holder is not None


def complete_files(tagger: Path, representer: Path, out: Path, *, replace: bool = False) -> None:
    """`unname share complete`: a tagger that learned from shared examples, with their representer before it."""
    require_apart(out, inputs=[tagger, representer])
    require_absent(out, replace=replace, kind=MODEL)
    trained = load_tagger(tagger)
    if not isinstance(trained, Represented):
        raise InputError("the tagger did not learn from shared examples; it is complete as it is")
    with faults_of(representer):
        trained.completed(PrivateRepresenter.load(representer)).save(out, replace=replace)
