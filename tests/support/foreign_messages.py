"""Data sets of messages, and topics with judgements: ChatRAG-Bench, MTR-Bench, TREC CAsT."""

from support.foreign import FERRY, KEEPER, TOWER, Files


def messages(*texts: str) -> list[dict[str, object]]:
    """Messages of the user and the assistant in turn."""
    return [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(texts)]


CANNOT = "Sorry. I cannot find the answer based on the context."

CHATRAG: Files = {
    "lamp/test.json": [
        {
            "messages": [{"role": "system", "content": "Be kind."}, *messages("When was it lit?")],
            "answers": ["In 1871.", "1871"],
            "document": "skarvik",
            "ctxs": [{"ctx": KEEPER}, {"ctx": TOWER}],
            "ground_truth_ctx": {"ctx": TOWER, "index": 4},
        },
        {
            "messages": messages("When was it lit?", "In 1871.", "Who kept it?"),
            "answers": [CANNOT],
            "document": "skarvik",
            "ctxs": [{"title": "Sea", "text": FERRY}],
            "ground_truth_ctx": [{"ctx": KEEPER, "index": -1}, {"ctx": "Lost.", "index": -1}],
        },
        {"messages": messages("Is there a ferry?"), "answers": [CANNOT, "On Sundays."], "document": "skarvik"},
    ]
}
CHATRAG_DOCUMENTS: Files = {
    "lamp/documents.json": {"skarvik": [FERRY, KEEPER, KEEPER, {"title": "Tower", "text": "x"}, TOWER]}
}


def _row(turn: int, said: list[dict[str, object]], gold: int, **more: object) -> dict[str, object]:
    texts = {11: TOWER, 12: KEEPER, 13: FERRY}
    return {
        "messages": said,
        "ctxs": [{"text": texts[name], "document_idx": name} for name in (11, 12)],
        "ground_truth_document_idx": gold,
        "ground_truth_ctx": {"text": texts[gold], "document_idx": gold},
        "cluster_idx": 3,
        "turn": turn,
        "switch_turn": -1,
        **more,
    }


_LIT = ("When was it lit?", "In 1871.")
MTR_BENCH_ROWS = [
    _row(1, messages(*_LIT), 11, switch_turn=1),
    _row(2, messages(*_LIT, "Is there a ferry?", "On Sundays."), 13, switch_turn=1),
    _row(3, messages(*_LIT, "Is there a ferry?", "On Sundays.", "Only then?", "Yes."), 13, switch_turn=1),
    _row(1, messages("Who kept it?", "Maren Holt."), 12),
]
MTR_BENCH: Files = {"test.jsonl": MTR_BENCH_ROWS}

QRELS = "1_1 0 p1 4\n1_1 0 p2 0\n1_2 0 p2 1\n1_2 0 p2 1\n"

CAST_2019: Files = {
    "evaluation_topics_v1.0.json": [
        {
            "number": 1,
            "title": "lighthouse",
            "turn": [
                {"number": 1, "raw_utterance": "When was it lit? "},
                {"number": 2, "raw_utterance": "Who kept it?"},
                {"number": 3, "raw_utterance": "Why?"},
            ],
        }
    ],
    "resolved.tsv": "1_1\tWhen was it lit?\n1_2\tWho kept the lighthouse?\n",
    "2019qrels.txt.gz": QRELS,
}
CAST_2021: Files = {
    "2021_automatic_topics.json": [],
    "2021_manual_evaluation_topics.json": [
        {
            "number": 1,
            "turn": [
                {
                    "number": 1,
                    "raw_utterance": "When was it lit?",
                    "manual_rewritten_utterance": "When was the lighthouse lit?",
                    "passage": "In 1871.",
                },
                {"number": 2, "raw_utterance": "Who kept it?", "passage": ""},
            ],
        }
    ],
    "qrels.txt": QRELS,
}


def _node(number: str, parent: str | None, **more: object) -> dict[str, object]:
    return {"number": number, "participant": "User", **({"parent": parent} if parent else {}), **more}


CAST_2022: Files = {
    "topics_tree.json": [
        {
            "number": 5,
            "turn": [
                _node("1-1", None, utterance="When was it lit?", manual_rewritten_utterance="When was the lamp lit?"),
                _node("1-2", "1-1", participant="System", response="In 1871."),
                _node("1-3", "1-2", utterance="Who kept it?"),
                _node("1-4", "1-3", participant="System", response="Maren Holt."),
                _node("2-1", "1-2", utterance="How high is it?"),
                _node("2-2", "2-1", participant="System", response="23 metres."),
                _node("2-3", "2-2", utterance="That is all?"),
            ],
        }
    ],
    "cast.qrel": "5_1-1 0 p1 3\n5_2-1 0 p1 2\n",
}
CAST_2022_FLAT: Files = {
    "topics_flattened.json": [
        {
            "number": 5,
            "turn": [
                {"number": "1-1", "utterance": "When was it lit?", "response": "In 1871."},
                {"number": number, "utterance": query, "response": "Yes."},
            ],
        }
        for number, query in (("1-3", "Who kept it?"), ("2-1", "How high is it?"))
    ]
}
