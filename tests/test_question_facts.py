"""What a passage without sentences holds to ask about: the rows of its tables, each cell behind its head."""

from support.passages import passage

from mtr.prompts import load_domain
from mtr.questions.facts import askable_facts

SETTINGS = load_domain("general")
HEADED = """| City | Address | Post |
|---|---|---|
| Aldermoor | 12 Mill Lane | 440 |
| Birchfield | | 551 |
"""


def test_a_cell_stands_behind_the_head_of_its_column() -> None:
    sheet = passage("cities", HEADED, title="Offices")
    facts = {fact.text: fact for fact in askable_facts(sheet, SETTINGS, 1)}
    assert set(facts) == {"City: Aldermoor; Address: 12 Mill Lane; Post: 440", "City: Birchfield; Post: 551"}
    assert {fact.opening for fact in facts.values()} == {"Which"}
    span = facts["City: Birchfield; Post: 551"].span
    assert sheet.text[span.start : span.end] == "| Birchfield | | 551 |"


def test_cells_without_heads_stand_for_themselves() -> None:
    rows = HEADED.split("\n", 2)[2]
    texts = {fact.text for fact in askable_facts(passage("cities", rows, title="Offices"), SETTINGS, 1)}
    assert "Aldermoor; 12 Mill Lane; 440" in texts
