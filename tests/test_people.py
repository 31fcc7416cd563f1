"""Sheets for people: what is written, what comes back filled in, and what is refused with line and column."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtr.datasets.records import AnyPassage, Said
from mtr.errors import InputError
from mtr.evaluation.marked import Item, MarkedAnswer, Scale
from mtr.evaluation.people import HOW_TO, history_text, read_history, write_people_sheet
from mtr.evaluation.people_reading import read_people_sheets
from mtr.evaluation.sheets import guarded, read_sheet, unguarded, write_sheet

SCALES = {"faithfulness": Scale(low=1, high=5), "atomic": Scale(low=0, high=1)}
ITEMS = (
    Item(
        item_id="c1::2",
        conversation_id="c1",
        history=(Said(speaker="user", text="How long?\nuser: a trap"), Said(speaker="assistant", text="A week.")),
        query="=SUM(A1:A9), or not?",
        passages=(AnyPassage(passage_id="p1", title="Logs", text='Kept; "for" a week,\nno longer.'),),
        answer="-1",
    ),
    Item(item_id="c2::1", conversation_id="c2", query="@why", answer="日志保留一周。"),
)
HEADINGS = [
    "item_id", "conversation_id", "history", "query", "passage_1", "answer",
    "faithfulness (1-5)", "atomic (0-1)", "notes", "instructions",
]  # fmt: skip


def written(folder: Path) -> list[list[str]]:
    write_people_sheet(folder / "sheet.csv", ITEMS, SCALES)
    return list(csv.reader(io.StringIO((folder / "sheet.csv").read_text(encoding="utf-8-sig"), newline="")))


def saved(path: Path, rows: list[list[str]], *, separator: str = ",", encoding: str = "utf-8-sig") -> Path:
    """As a spreadsheet saves it."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator).writerows(rows)
    path.write_bytes(text.getvalue().encode(encoding))
    return path


def filled(folder: Path, marks: list[list[str]], name: str = "filled.csv", **how: str) -> Path:
    rows = written(folder)
    for row, cells in zip(rows[1:], marks, strict=True):
        row[6:8] = cells
    return saved(folder / name, rows, **how)


def test_the_sheet(tmp_path: Path) -> None:
    rows = written(tmp_path)
    assert (tmp_path / "sheet.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert rows[0] == HEADINGS
    assert rows[1][2] == "user: How long?\n user: a trap\nassistant: A week."
    assert rows[1][3] == "'=SUM(A1:A9), or not?"
    assert rows[1][4] == 'Logs\nKept; "for" a week,\nno longer.'
    assert rows[1][5:] == ["'-1", "", "", "", HOW_TO]
    assert rows[2] == ["c2::1", "c2", "", "'@why", "", "日志保留一周。", "", "", "", ""]


def test_columns_that_nobody_needs_are_left_out(tmp_path: Path) -> None:
    write_people_sheet(tmp_path / "s.csv", [Item(item_id="a", query="b")], {"atomic": Scale(low=0, high=1)})
    assert read_sheet(tmp_path / "s.csv").headings == ("item_id", "query", "atomic (0-1)", "notes", "instructions")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_filled_sheet_comes_back(tmp_path: Path, separator: str, encoding: str) -> None:
    path = filled(tmp_path, [["4", "1"], ["", " 0 "]], separator=separator, encoding=encoding)
    first, second = read_people_sheets([path])
    assert first.marks == {"faithfulness": (4,), "atomic": (1,)}
    assert second.marks == {"faithfulness": (None,), "atomic": (0,)}
    assert first.scales == SCALES
    assert (first.history, first.query, first.answer) == (ITEMS[0].history, ITEMS[0].query, "-1")
    assert first.passages[0].text == 'Logs\nKept; "for" a week,\nno longer.'
    assert (second.query, second.history, second.passages) == ("@why", (), ())


def test_with_what_was_given_out_the_texts_are_whole(tmp_path: Path) -> None:
    answers = read_people_sheets([filled(tmp_path, [["4", "1"], ["2", "0"]])], items=ITEMS)
    assert [Item(**answer.model_dump(include=set(Item.model_fields))) for answer in answers] == list(ITEMS)


def test_several_sheets_are_several_people(tmp_path: Path) -> None:
    first = filled(tmp_path, [["4", "1"], ["2", ""]], "ann.csv")
    rows = written(tmp_path)
    rows[2][6] = "3,5"
    second = saved(tmp_path / "bo.csv", [rows[0], rows[2]], separator=";")
    answers = read_people_sheets([first, second])
    assert [answer.marks["faithfulness"] for answer in answers] == [(4, None), (2, 3.5)]
    assert [answer.marks["atomic"] for answer in answers] == [(1, None), (None, None)]


def test_full_width_digits_and_a_tidied_dash_are_read(tmp_path: Path) -> None:
    rows = written(tmp_path)
    rows[0][6] = "faithfulness (1–5)"
    rows[1][6] = "４"
    assert read_people_sheets([saved(tmp_path / "s.csv", rows)])[0].marks["faithfulness"] == (4,)


def replaced(row: int, column: int, text: str) -> Callable[[list[list[str]]], None]:
    def change(rows: list[list[str]]) -> None:
        rows[row][column] = text

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (replaced(1, 6, "6"), r"s.csv:2: faithfulness \(1-5\): '6' is no number from 1 to 5"),
        (replaced(2, 6, "0"), r"s.csv:7: faithfulness \(1-5\): '0' is no number"),
        (replaced(1, 6, "good"), r"s.csv:2: faithfulness \(1-5\): 'good' is no number"),
        (replaced(1, 6, "nan"), r"'nan' is no number"),
        (replaced(1, 6, "1e0"), r"'1e0' is no number"),
        (replaced(2, 0, " "), r"s.csv:7: item_id: the cell is blank"),
        (replaced(2, 0, "c1::2"), r"s.csv:7: item_id: 'c1::2'|another text"),
        (replaced(0, 0, "id"), r"s.csv:1: column 'item_id' is missing"),
        (replaced(0, 6, "faithfulness"), r"s.csv:1: column 'faithfulness' has no scale"),
        (replaced(0, 6, "faithfulness (5-1)"), r"s.csv:1: column 'faithfulness \(5-1\)' has no scale"),
        (replaced(0, 7, "faithfulness (1-5)"), r"s.csv:1: column 'faithfulness \(1-5\)' stands twice"),
        (lambda rows: rows.append(rows[1]), r"s.csv:8: item_id: 'c1::2' stands twice for one person"),
        (lambda rows: rows[2].append("x"), r"s.csv:7: more cells than the 10 columns"),
        (lambda rows: rows.__delitem__(slice(1, None)), r"s.csv:1: the sheet has headings and no rows"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, change: Callable[[list[list[str]]], None], message: str) -> None:
    rows = written(tmp_path)
    change(rows)
    with pytest.raises(InputError, match=message):
        read_people_sheets([saved(tmp_path / "s.csv", rows)])


def test_a_column_sorted_by_itself_is_noticed(tmp_path: Path) -> None:
    rows = written(tmp_path)
    rows[1][3], rows[2][3] = rows[2][3], rows[1][3]
    turned = saved(tmp_path / "turned.csv", rows)
    with pytest.raises(InputError, match=r"turned.csv:2: query: another text than 'c1::2' had"):
        read_people_sheets([turned], items=ITEMS)
    with pytest.raises(InputError, match=r"turned.csv:2: query: another text"):
        read_people_sheets([filled(tmp_path, [["1", "1"], ["1", "1"]]), turned])


def test_an_item_that_was_not_given_out_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"filled.csv:7: item_id: 'c2::1' is none of the items given out"):
        read_people_sheets([filled(tmp_path, [["1", "1"], ["1", "1"]])], items=ITEMS[:1])


def test_sheets_on_two_scales_are_refused(tmp_path: Path) -> None:
    rows = written(tmp_path)
    rows[0][6] = "faithfulness (1-4)"
    other = saved(tmp_path / "other.csv", rows)
    with pytest.raises(InputError, match=r"other.csv:1: .*another sheet has it from 1 to 5"):
        read_people_sheets([filled(tmp_path, [["1", "1"], ["1", "1"]]), other])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("item_id,query\na,caf\xe9".encode("latin-1"), r's.csv:2: not UTF-8; save the sheet as "CSV UTF-8"'),
        (b'item_id,query\na,"b', r"s.csv:2: not CSV"),
        (b"", r"s.csv:1: the first row has no headings"),
    ],
)
def test_a_file_that_is_no_sheet(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "s.csv").write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_people_sheets([tmp_path / "s.csv"])


@pytest.mark.parametrize(
    ("items", "scales"),
    [([], SCALES), (ITEMS[:1] * 2, SCALES), (ITEMS, {"Good? (yes)": Scale(low=0, high=1)})],
)
def test_a_sheet_that_could_not_be_read_back_is_not_written(
    tmp_path: Path, items: list[Item], scales: dict[str, Scale]
) -> None:
    with pytest.raises(InputError):
        write_people_sheet(tmp_path / "s.csv", items, scales)
    assert not (tmp_path / "s.csv").exists()


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1", "'=1", "''-", "＝1"])
def test_no_cell_starts_a_formula(text: str) -> None:
    assert guarded(text) == f"'{text}"
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize("text", ["", "a", "'tis", "3 - 1", "'", " =1"])
def test_other_cells_stay_as_they_are(text: str) -> None:
    assert guarded(text) == unguarded(text) == text


TEXT = st.text(st.sampled_from("ab =+-@'\",;\t\r\n:日"), max_size=12)


@settings(max_examples=25, deadline=None)
@given(cells=st.lists(TEXT, min_size=2, max_size=2).filter(lambda cells: any(cell.strip() for cell in cells)))
def test_any_text_survives_the_sheet(tmp_path_factory: pytest.TempPathFactory, cells: list[str]) -> None:
    path = tmp_path_factory.mktemp("sheet") / "s.csv"
    write_sheet(path, ["a", "b"], [cells])
    assert [list(row.cells.values()) for row in read_sheet(path).rows] == [cells]


SAID = st.builds(
    Said,
    speaker=st.sampled_from(["user", "assistant"]),
    text=st.lists(st.sampled_from(["user:", "assistant: ", " ", "\n", "a"]), max_size=6).map("".join),
)


@settings(max_examples=40, deadline=None)
@given(history=st.lists(SAID, max_size=3).map(tuple))
def test_any_history_survives_its_cell(history: tuple[Said, ...]) -> None:
    assert read_history(history_text(history)) == history


def test_a_history_typed_by_hand() -> None:
    assert read_history("Hello?\nassistant: Yes.") == (
        Said(speaker="user", text="Hello?"),
        Said(speaker="assistant", text="Yes."),
    )


@pytest.mark.parametrize("ends", [(5, 1), (1, 1), (float("nan"), 2), (1, float("inf"))])
def test_a_scale_goes_up(ends: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="lower to a higher"):
        Scale(low=ends[0], high=ends[1])


def test_a_mark_is_on_its_scale() -> None:
    with pytest.raises(ValueError, match="not on the scale"):
        MarkedAnswer(item_id="a", query="b", marks={"q": (float("nan"),)}, scales={"q": Scale(low=1, high=5)})
