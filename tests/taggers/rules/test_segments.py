"""HL7 v2: what stands in which field of a segment."""

from unname.taggers.rules.tagger import Rules

MESSAGE = (
    "MSH|^~\\&|ADT|X|Y|Z|202001010101||ADT^A01|1|P|2.3\r"
    "PID|1||7362203^^^HOSP^MR||KESTREL^PHILIPPA^M||19840802|F|||14 ELM ST^^BRENWICK^MA^02139"
    "||(212)555-0199||EN|M||55512|078051120\r"
    "NK1|1|KESTREL^OTTO|SPO|14 ELM ST|555-0147\r"
    "PV1|1|I|||||1234^SMITH^JOHN^^^DR||||||||||||V9981\r"
    "IN1|1|A1|9|HEALTHCO|1 HIGH ST|||||||||||||||||||||||||||||||POL-5531\r"
    "GT1|1|77|KESTREL^ADA||2 LOW ST|555-0148\n"
)


def test_fields_are_known_by_their_place() -> None:
    found: dict[str, set[str]] = {}
    for span in Rules().tag([MESSAGE])[0]:
        found.setdefault(span.label, set()).add(MESSAGE[span.start : span.end])
    assert found["NAME"] >= {"KESTREL", "PHILIPPA", "OTTO", "SMITH", "JOHN", "ADA"}
    assert "19840802" in found["DATE"] and "02139" in found["POSTCODE"] and "POL-5531" in found["NATIONAL_ID"]
    assert found["ADDRESS"] >= {"14 ELM ST", "BRENWICK", "2 LOW ST"}
    assert found["PHONE"] >= {"(212)555-0199", "555-0147", "555-0148"}
    assert found["RECORD"] >= {"7362203", "55512", "1234", "V9981"} and "078051120" in found["NATIONAL_ID"]
    assert not any(each in {"F", "MA", "EN", "HOSP", "MR", "DR"} for values in found.values() for each in values)


def test_names_of_segments_can_be_left_out_and_words_before_a_bar_are_no_segment() -> None:
    assert all(span.label != "NAME" for span in Rules(names=False).tag([MESSAGE])[0])
    assert Rules().tag(["RAPID|1|2|3|4|KESTREL^PHILIPPA"]) == [[]]
