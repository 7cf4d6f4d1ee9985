"""General values that a release states: attackers pass over people whom they do not fit, whatever tool wrote them."""

from unname.auditing.standins import without_stand_ins
from unname.job import AuditPlan
from unname.knowledge.population import make_population
from unname.types import Document, Profile
from unname.verbs.audit.in_memory import Knowledge, audit, prepare
from unname.verbs.audit.stated import people_fitting

PEOPLE = make_population(
    [
        Profile(f"p{i}", {"born": f"{1941 + 10 * (i % 5)}-03-12", "trade": f"{('nurse', 'baker')[i % 2]}"})
        for i in range(20)
    ]
)
DOCUMENTS = [Document("a", "The nurse, born on 12 March 1961, came.", "p2"), Document("b", "The nurse came.", "p4")]
TEXTS = ["The nurse, born in 1960s, came.", "The nurse came."]


def test_people_whom_a_decade_fits_are_left() -> None:
    gaps = [without_stand_ins(text, document.text) for text, document in zip(TEXTS, DOCUMENTS, strict=True)]
    first, second = people_fitting(DOCUMENTS, TEXTS, gaps, PEOPLE)
    assert first is not None and second is None
    assert first.tolist() == [2, 7, 12, 17]
    assert people_fitting(DOCUMENTS, [None, TEXTS[1]], [None, gaps[1]], PEOPLE) == ()
    # Of a decade in which the person was not born nobody is told anything.
    false = ["The nurse, born in 1970s, came.", TEXTS[1]]
    assert people_fitting(DOCUMENTS, false, [gaps[0], gaps[1]], PEOPLE) == [None, None]


def test_an_audit_counts_whoever_reads_a_decade_for_what_it_says() -> None:
    prepared = prepare(DOCUMENTS, PEOPLE, plan=AuditPlan(attackers=("bm25",)), knowledge=Knowledge())
    made = audit(prepared, TEXTS)
    # Two nurses of the forties to eighties in every ten people: of four in the sixties two are nurses.
    assert made.attack.documents["bm25.v1"].top1[0] == 0.5
    assert made.attack.documents["bm25.v1"].top1[1] == 0.1
