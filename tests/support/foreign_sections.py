"""Data sets whose gold is a span of a document or comes with the turn: QuAC, Doc2Dial, INSCIT, CORAL."""

from support.foreign import FERRY, KEEPER, TOWER, Files

FILLER = " ".join(f"Boat number {n} was built of larch and sold to a farmer from the next bay." for n in range(12))
SECTION = f"{TOWER} {FILLER} {KEEPER}"
"""Long enough to be cut into several passages, the first with the tower, the last with the keeper."""


def _span(text: str) -> dict[str, object]:
    return {"text": text, "answer_start": SECTION.index(text)}


NOTHING = {"text": "CANNOTANSWER", "answer_start": len(SECTION) + 1}
LIT = "The lighthouse of Skarvik was lit in 1871."
HIGH = "Its tower is 23 metres high."
LEFT = "Maren Holt, left the lighthouse in 1988."


def _asked(number: int, query: str, first: dict[str, object], *others: dict[str, object]) -> dict[str, object]:
    return {
        "id": f"C_1_q#{number}",
        "question": query,
        "orig_answer": first,
        "answers": [first, *others],
        "yesno": "x",
        "followup": "y",
    }


QUAC_TURNS = [
    _asked(0, "When was it lit?", _span(LIT), _span(HIGH)),
    _asked(1, "Who built it?", NOTHING),
    _asked(2, "Who left?", NOTHING, _span(LEFT)),
    _asked(3, "Where?", {"text": "in Skarvik", "answer_start": 0}),
]
QUAC: Files = {
    "dev.json": {
        "data": [
            {
                "title": "Skarvik",
                "section_title": "Lighthouse",
                "paragraphs": [{"id": "C_1", "context": f"{SECTION} CANNOTANSWER", "qas": QUAC_TURNS}],
            }
        ]
    }
}

DOC2DIAL_DOCUMENTS: Files = {
    "docs.json": {
        "doc_data": {
            "sea": {
                "All about Skarvik#1": {
                    "title": "All about Skarvik",
                    "doc_text": SECTION,
                    "spans": {
                        name: {"start_sp": SECTION.index(text), "end_sp": SECTION.index(text) + len(text)}
                        for name, text in (("1", LIT), ("2", HIGH), ("9", LEFT))
                    },
                }
            }
        }
    }
}


def _message(number: int, role: str, text: str, *references: tuple[str, str]) -> dict[str, object]:
    marks = [{"sp_id": span, "label": label} for span, label in references]
    return {"turn_id": number, "role": role, "da": "", "utterance": text, "references": marks}


DIALOGUE = {
    "dial_id": "d1",
    "doc_id": "All about Skarvik#1",
    "domain": "sea",
    "turns": [
        _message(1, "agent", "Hello."),
        _message(2, "user", "Is it old?", ("9", "precondition")),
        _message(3, "user", "I mean the tower."),
        _message(4, "agent", "It was lit in 1871.", ("1", "solution"), ("9", "references")),
        _message(5, "agent", "It is 23 metres high.", ("2", "precondition")),
        _message(6, "user", "Can I sleep there?"),
        _message(7, "agent", "I do not know."),
        _message(8, "user", "Who left?"),
        _message(9, "agent", "The keeper.", ("404", "solution")),
    ],
}
DOC2DIAL: Files = {
    "dials.json": {"dial_data": {"sea": {"All about Skarvik#1": [DIALOGUE]}}},
    "sample_predictions.json": [{"id": "d1_2", "utterance": "No."}],
}
MULTIDOC2DIAL: Files = {
    "dials.json": {
        "dial_data": {
            "sea": [
                {
                    "dial_id": "m1",
                    "domain": "sea",
                    "turns": [
                        {"turn_id": 1, "role": "user", "utterance": "Who left?", "references": []},
                        {
                            "turn_id": 2,
                            "role": "agent",
                            "utterance": "The keeper.",
                            "references": [{"id_sp": "9", "label": "solution", "doc_id": "All about Skarvik#1"}],
                        },
                    ],
                }
            ]
        }
    }
}


def _evidence(name: str, text: str) -> dict[str, object]:
    return {"passage_id": name, "passage_text": text, "passage_titles": ["Skarvik", "Lighthouse"]}


def _label(kind: str, text: str, *evidence: dict[str, object]) -> dict[str, object]:
    return {"responseType": kind, "response": text, "evidence": list(evidence)}


INSCIT: Files = {
    "dev.json": {
        "conv_1": {
            "seedArticle": {"title": "Skarvik"},
            "turns": [
                {
                    "context": ["When was it lit?"],
                    "prevEvidence": [],
                    "labels": [
                        _label("directAnswer", "In 1871.", _evidence("s:1", TOWER)),
                        _label("clarification", "The first or the second lamp?", _evidence("s:2", KEEPER)),
                    ],
                },
                {
                    "context": ["When was it lit?", "In 1871.", "Who built it?"],
                    "prevEvidence": [[_evidence("s:3", FERRY)]],
                    "labels": [_label("noAnswerNoRelevantInfo", "I found nothing.")],
                },
                {
                    "context": ["When?", "In 1871.", "Who?", "I found nothing.", "Any hint?"],
                    "labels": [
                        _label("noAnswerNoRelevantInfo", "No."),
                        _label("noAnswerButRelevantInfo", "Only that a keeper left.", _evidence("s:2", KEEPER)),
                    ],
                },
            ],
        }
    }
}

CORAL: Files = {
    "test_conversation.json": [
        {
            "conv_id": "Test_1",
            "turns": [
                {
                    "turn_id": 2,
                    "question": "Who kept it?",
                    "response": "Maren Holt [2].",
                    "golden_docs_pids": [2, 3],
                    "golden_docs_text": [KEEPER, FERRY],
                },
                {
                    "turn_id": 1,
                    "question": "Its age",
                    "response": "It was lit in 1871 [1].",
                    "golden_rewrite": "Age of the lighthouse",
                    "golden_docs_pids": [1],
                    "golden_docs_text": [TOWER],
                },
            ],
        }
    ]
}
CORAL_TSV: Files = {"corpus.tsv": f"0\t{TOWER}\n1\t{KEEPER}\n2\tAnother text.\n"}
CORAL_JSON: Files = {
    "passage_corpus.json": "".join(f'{{"ref_id": {n}, "ref_string": "text {n}"}}\n' for n in (5, 6, 7))
}
