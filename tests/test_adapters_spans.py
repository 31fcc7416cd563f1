"""Adapters whose gold is a span or comes with the turn: QReCC, TopiOCQA, QuAC, Doc2Dial, INSCIT, CORAL."""

from pathlib import Path

import pytest
from support import foreign, foreign_sections
from support.foreign import FERRY, KEEPER, TOWER
from support.seeing import by_id, golds, history, places

from mtr.datasets.adapters import load_dataset
from mtr.datasets.records import AnyTurn, Dataset
from mtr.errors import InputError


def load(tmp_path: Path, layout: str, *parts: foreign.Files) -> Dataset:
    """The data set of some files together."""
    for files in parts:
        foreign.write(tmp_path / "set", files)
    return load_dataset(tmp_path / "set", layout)


def check_evidence(dataset: Dataset) -> None:
    """Evidence stands verbatim in a gold passage of its turn."""
    for turn in dataset.turns:
        for one in turn.evidence:
            assert one.passage_id in {gold.passage_id for gold in turn.gold}
            assert dataset.passages[one.passage_id].text[one.start : one.end] == one.text


def test_qrecc_joins_its_files(tmp_path: Path) -> None:
    dataset = load(tmp_path, "qrecc", foreign.QRECC)
    assert places(dataset) == [("7_1", "7", 1), ("7_2", "7", 2), ("9_1", "9", 1), ("8_3", "8", 3)]
    turns = by_id(dataset)
    second = turns["7_2"]
    assert history(second) == ["u: When was it lit?", "a: In 1871."]
    assert (second.query, second.standalone_query) == ("Who kept it?", "Who kept the lighthouse?")
    assert second.answer is None and second.subset == "nq"
    assert golds(dataset) == {"7_1": [], "7_2": ["http://s.example/a_p1"], "9_1": [], "8_3": []}
    assert history(turns["8_3"]) == ["u: High?", "a: Yes.", "u: Old?", "a: Very."]
    assert turns["9_1"].query == "" and turns["9_1"].standalone_query == "Is there a ferry?"
    assert {
        "1 rows are of a run, or empty; they are left out",
        "1 of 3 conversations lack turns; what was said there is unknown",
        "1 of 4 turns come without Truth_passages, so nobody looked for their gold",
        "nq: 1 of 1 gold passages are not in the corpus",
        "1 of 4 turns have no query",
    } <= set(dataset.notes)


def test_qrecc_of_older_releases_with_a_corpus(tmp_path: Path) -> None:
    corpus = {"corpus.jsonl": [{"id": "http://s.example/a_p1", "contents": TOWER}]}
    dataset = load(tmp_path, "qrecc", foreign.QRECC_OLD, corpus)
    (turn,) = dataset.turns
    assert history(turn) == ["u: When was it lit?", "a: In 1871."]
    assert (turn.answer, turn.standalone_query) == ("Maren Holt", "Who kept the lighthouse?")
    assert dataset.passages["http://s.example/a_p1"].text == TOWER


def test_topiocqa_without_gold(tmp_path: Path) -> None:
    dataset = load(tmp_path, "topiocqa", foreign.TOPIOCQA)
    assert [turn.answer for turn in dataset.turns] == ["1871", None, "Maren Holt"]
    assert [turn.answerable for turn in dataset.turns] == [None, False, None]
    last = dataset.turns[2]
    assert history(last) == ["u: when was it lit", "a: 1871", "u: who built it", "a: UNANSWERABLE"]
    assert last.other_answers == ("Holt",) and dataset.licence == "CC BY-NC-SA 4.0"
    assert any(note.startswith("no gold: ") for note in dataset.notes) and not dataset.passages


def test_topiocqa_gold_by_id(tmp_path: Path) -> None:
    dataset = load(tmp_path, "topiocqa", foreign.TOPIOCQA, foreign.TOPIOCQA_BY_ID)
    assert golds(dataset) == {"1_1": ["17"], "1_2": [], "1_3": []}
    assert [one.text for one in dataset.turns[0].evidence] == ["was lit in 1871"]
    check_evidence(dataset)
    assert "1 gold entries fit no turn, or several; they are left out" in dataset.notes
    assert {name: passage.text for name, passage in dataset.passages.items()} == {"17": TOWER}


def test_topiocqa_gold_by_text(tmp_path: Path) -> None:
    made = load(tmp_path, "topiocqa", foreign.TOPIOCQA, foreign.TOPIOCQA_BY_TEXT)
    assert [len(turn.gold) for turn in made.turns] == [1, 0, 1]
    assert [made.passages[gold].text for ids in golds(made).values() for gold in ids] == [TOWER, KEEPER]
    found = load(tmp_path, "topiocqa", foreign.SEGMENTS)
    assert golds(found) == {"1_1": ["1"], "1_2": [], "1_3": ["2"]}
    foreign.write(tmp_path / "set", {"segments.tsv": "1\tno title\n"})
    with pytest.raises(InputError, match=r"segments.tsv:1: 2 columns; a corpus of TopiOCQA has id, text and title"):
        load_dataset(tmp_path / "set", "topiocqa")


def test_topiocqa_leaves_out_what_fits_two_turns(tmp_path: Path) -> None:
    again = {"more.json": [{"Conversation_no": 2, "Turn_no": 1, "Question": "When was  it lit", "Topic": "T"}]}
    dataset = load(tmp_path, "topiocqa", foreign.TOPIOCQA, again, foreign.TOPIOCQA_BY_TEXT)
    assert [query_id for query_id, gold in golds(dataset).items() if gold] == ["1_3"]
    assert "2 gold entries fit no turn, or several; they are left out" in dataset.notes


def texts(dataset: Dataset, turn: AnyTurn) -> str:
    """The gold passages of a turn, in order."""
    return " ".join(dataset.passages[gold.passage_id].text for gold in turn.gold)


def test_quac(tmp_path: Path) -> None:
    dataset = load(tmp_path, "quac", foreign_sections.QUAC)
    check_evidence(dataset)
    lit, built, left, where = dataset.turns
    assert len(dataset.passages) >= 2
    assert all("CANNOTANSWER" not in passage.text for passage in dataset.passages.values())
    assert " ".join(passage.text for passage in dataset.passages.values()) == foreign_sections.SECTION
    assert (lit.answer, lit.other_answers, lit.answerable) == (foreign_sections.LIT, (foreign_sections.HIGH,), True)
    assert [one.text for one in lit.evidence] == [foreign_sections.LIT, foreign_sections.HIGH]
    assert len(lit.gold) == 1 and TOWER in texts(dataset, lit) and "Maren" not in texts(dataset, lit)
    assert (built.answer, built.gold, built.answerable) == (None, (), False)
    assert (left.answer, left.other_answers, left.answerable) == (None, (foreign_sections.LEFT,), None)
    assert "Maren" in texts(dataset, left)
    assert history(where)[-1] == "a: CANNOTANSWER" and (where.answer, where.gold) == ("in Skarvik", ())
    assert places(dataset)[3] == ("C_1_q#3", "C_1", 4)
    assert dataset.passages[lit.gold[0].passage_id].title == "Skarvik, Lighthouse"
    assert "1 answers do not stand where the file says; they are no gold" in dataset.notes
    assert "1 turns are answered by some people and unanswerable to others" in dataset.notes


def test_a_span_over_a_border_makes_both_passages_gold(tmp_path: Path) -> None:
    section = foreign_sections.SECTION
    whole = {"text": section, "answer_start": 0}
    questions = [{"id": "q", "question": "What?", "orig_answer": whole, "answers": []}]
    paragraph = {"id": "C_9", "context": f"{section} CANNOTANSWER", "qas": questions}
    dataset = load(tmp_path, "quac", {"dev.json": {"data": [{"paragraphs": [paragraph, {**paragraph, "id": "C_8"}]}]}})
    assert golds(dataset) == {"q": list(dataset.passages)}, "the section that stands twice is one document"
    check_evidence(dataset)
    assert "1 of 2 turns have the id of another one; the first is kept" in dataset.notes


def test_doc2dial(tmp_path: Path) -> None:
    dataset = load(tmp_path, "doc2dial", foreign_sections.DOC2DIAL, foreign_sections.DOC2DIAL_DOCUMENTS)
    check_evidence(dataset)
    assert places(dataset) == [("d1_2", "d1", 1), ("d1_3", "d1", 2), ("d1_6", "d1", 3), ("d1_8", "d1", 4)]
    unheard, meant, asleep, left = dataset.turns
    assert history(unheard) == ["a: Hello."] and (unheard.answer, unheard.answerable) == (None, None)
    assert history(meant) == ["a: Hello.", "u: Is it old?"]
    assert meant.answer == "It was lit in 1871.\nIt is 23 metres high." and meant.answerable
    assert [one.text for one in meant.evidence] == [foreign_sections.LIT, foreign_sections.HIGH]
    assert len(meant.gold) == 1, "the title among the references is no gold"
    assert (asleep.answer, asleep.gold, asleep.answerable) == ("I do not know.", (), False)
    assert left.answerable is None and not left.gold
    assert all(passage.subset == "sea" for passage in dataset.passages.values())
    assert all(" " not in name for name in dataset.passages)
    assert "1 references name a span that their document lacks; they are no gold" in dataset.notes
    assert "1 answers are several messages of the agent in a row, joined by line ends" in dataset.notes


def test_doc2dial_without_documents_names_spans(tmp_path: Path) -> None:
    dataset = load(tmp_path, "doc2dial", foreign_sections.DOC2DIAL)
    assert golds(dataset)["d1_3"] == ["All_about_Skarvik#1#1", "All_about_Skarvik#1#2"]
    assert dataset.notes[0].startswith("no documents") and not dataset.passages
    foreign.write(tmp_path / "set", {"dials.json": [{**foreign_sections.DIALOGUE, "turns": [{"role": "user"}]}]})
    with pytest.raises(InputError, match=r"dials.json\[0\]: turns.0.turn_id: Field required"):
        load_dataset(tmp_path / "set", "doc2dial")


def test_multidoc2dial(tmp_path: Path) -> None:
    dataset = load(tmp_path, "doc2dial", foreign_sections.MULTIDOC2DIAL, foreign_sections.DOC2DIAL_DOCUMENTS)
    (turn,) = dataset.turns
    assert turn.query_id == "m1_1" and "Maren" in texts(dataset, turn)


def test_inscit(tmp_path: Path) -> None:
    dataset = load(tmp_path, "inscit", foreign_sections.INSCIT)
    first, nothing, hint = dataset.turns
    assert (first.answer, first.other_answers) == ("In 1871.", ("The first or the second lamp?",))
    assert golds(dataset) == {"conv_1_1": ["s:1", "s:2"], "conv_1_2": [], "conv_1_3": ["s:2"]}
    assert [turn.answerable for turn in dataset.turns] == [True, False, None]
    assert nothing.answer == "I found nothing." and history(nothing) == ["u: When was it lit?", "a: In 1871."]
    assert len(hint.history) == 4 and hint.query == "Any hint?"
    assert {name: passage.text for name, passage in dataset.passages.items()} == {
        "s:1": TOWER,
        "s:2": KEEPER,
        "s:3": FERRY,
    }
    assert dataset.passages["s:1"].title == "Skarvik > Lighthouse"
    assert "2 of 3 turns have more than one reference answer" in dataset.notes


def test_inscit_with_a_corpus_and_with_a_fault(tmp_path: Path) -> None:
    dataset = load(tmp_path, "inscit", foreign_sections.INSCIT, {"corpus.jsonl": [foreign.passage("s:1", TOWER)]})
    assert list(dataset.passages) == ["s:1"] and "1 of 2 gold passages are not in the corpus" in dataset.notes
    foreign.write(tmp_path / "set", {"dev.json": {"x": {"turns": [{"context": ["q", "a"], "labels": []}]}}})
    with pytest.raises(InputError, match=r"dev.json: x.turns.0.context: 2 texts; an odd number ends with the query"):
        load_dataset(tmp_path / "set", "inscit")


@pytest.mark.parametrize(
    ("corpus", "passages", "note"),
    [
        ({}, [TOWER, KEEPER, FERRY], "no corpus beside"),
        (foreign_sections.CORAL_TSV, [TOWER, KEEPER, "Another text."], "1 gold texts differ from the passage"),
        ({"corpus.tsv": f"id\ttext\n9\t{TOWER}\n8\t{KEEPER}\n7\t{FERRY}\n"}, [TOWER, KEEPER, FERRY], "1 of 2 turns"),
        (foreign_sections.CORAL_JSON, ["text 5", "text 6", "text 7"], "3 gold texts differ"),
    ],
)
def test_coral_counts_its_corpus_from_one(
    corpus: foreign.Files, passages: list[str], note: str, tmp_path: Path
) -> None:
    dataset = load(tmp_path, "coral", foreign_sections.CORAL, corpus)
    assert [dataset.passages[str(pid)].text for pid in (1, 2, 3)] == passages
    assert golds(dataset) == {"Test_1_1": ["1"], "Test_1_2": ["2", "3"]}
    second = dataset.turns[1]
    assert history(second) == ["u: Its age", "a: It was lit in 1871 [1]."] and second.standalone_query is None
    assert dataset.turns[0].standalone_query == "Age of the lighthouse"
    assert any(one.startswith(note) for one in dataset.notes), dataset.notes


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"corpus.tsv": "1 no tab\n"}, r"corpus.tsv:1: no tab; a line of the corpus is an id and a text"),
        (
            {
                "test_conversation.json": [
                    {"conv_id": "x", "turns": [{"turn_id": 1, "question": "q", "golden_docs_pids": 0}]}
                ]
            },
            r"test_conversation.json\[0\]: turns.0.golden_docs_pids: 0 of 'x'; pids are counted from 1",
        ),
    ],
)
def test_coral_faults(files: foreign.Files, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        load(tmp_path, "coral", foreign_sections.CORAL, files)
