"""Small data sets in the layouts of others, all about one lighthouse, as files by name; `write` lays them down."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

Files = Mapping[str, object]

TOWER = "The lighthouse of Skarvik was lit in 1871. Its tower is 23 metres high."
KEEPER = "The last keeper, Maren Holt, left the lighthouse in 1988. She painted the lamp room green."
FERRY = "A ferry sails to Skarvik on Sundays."


def write(folder: Path, files: Files) -> Path:
    """Write text as it is, lists under .jsonl as lines, other values as JSON; a name that ends in .gz is packed."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = _text(name, content).encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return folder


def _text(name: str, content: object) -> str:
    if isinstance(content, str):
        return content
    if ".jsonl" in name and isinstance(content, list):
        return "".join(json.dumps(line) + "\n" for line in content)
    return json.dumps(content)


def passage(name: object, text: str, title: str = "") -> dict[str, object]:
    """A line of a BEIR corpus."""
    return {"_id": name, "title": title, "text": text}


CORPUS = [passage("p1", TOWER, "Tower"), passage("p2", KEEPER), passage("p3", FERRY)]

BEIR: Files = {
    "corpus.jsonl.gz": CORPUS,
    "queries.jsonl": [
        {"_id": "c1::1", "text": "When was it lit?"},
        {"_id": "c1::2", "text": "Who kept it?"},
        {"_id": "c1::3", "text": "Thanks!"},
        {"_id": "old", "text": "Is there a ferry?"},
        {"_id": "p3", "text": FERRY},
    ],
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\nc1::1\tp1\t1\nc1::2\tp2\t2\nc1::2\tp1\t0\np3\tp3\t1\np3\tp1\t1\n",
    "qrels/train.tsv": "query-id\tcorpus-id\tscore\nold\tp3\t1\n",
}

_MTRAG = "retrieval_tasks/sea/"
MTRAG: Files = {
    f"{_MTRAG}sea_lastturn.jsonl": [
        {"_id": "a<::>1", "text": "|user|: When was it lit?"},
        {"_id": "a<::>3", "text": "|user|: And who\nkept it?"},
    ],
    f"{_MTRAG}sea_rewrite.jsonl": [
        {"_id": "a<::>1", "text": "|user|: When was the lighthouse lit?"},
        {"_id": "a<::>3", "text": "|user|: Who kept the lighthouse?"},
    ],
    f"{_MTRAG}sea_questions.jsonl": [
        {"_id": "a<::>1", "text": "|user|: When was it lit?"},
        {"_id": "a<::>3", "text": "|user|: When was it lit?\n|user|: Nice.\n|user|: And who\nkept it?"},
    ],
    f"{_MTRAG}qrels/dev.tsv": "query-id\tcorpus-id\tscore\na<::>1\tp1\t1\na<::>3\tp2\t1\na<::>3\tgone\t1\n",
    "corpus_pool/sea.jsonl.gz": CORPUS[:2],
    "retrieval_tasks/land/land_lastturn.jsonl": [{"_id": "b<::>1", "text": "|user|: Is there a ferry?"}],
    "retrieval_tasks/land/qrels/dev.tsv": "query-id\tcorpus-id\tscore\nb<::>1\tp3\t1\n",
}
MTRAG_TOLD: Files = {
    "conversations.jsonl": [
        {
            "conversation_id": "a",
            "domain": "sea",
            "turns": [
                {"turn": 1, "task_id": "a<::>1", "question": "When was it lit?", "answer": "In 1871."},
                {"turn": 2, "task_id": "a<::>2", "question": "Nice.", "answer": "It is."},
                {"turn": 3, "task_id": "a<::>3", "question": "And who\nkept it?", "answer": None},
            ],
        }
    ]
}


def _un(name: str, answerability: list[str], contexts: list[str], **more: object) -> dict[str, object]:
    said = ["When was it lit?", "In 1871.", "How high is it?"]
    return {
        "conversation_id": name,
        "task_id": f"{name}<::>2",
        "turn": "2",
        "Collection": "ibmcloud",
        "answerability": answerability,
        "input": [{"speaker": ("user", "agent")[n % 2], "text": text} for n, text in enumerate(said)],
        "targets": [{"text": "23 metres.", "metadata": {"author_type": "model", "author_id": "m-1"}}],
        "contexts": [{"document_id": text[-5:], "text": text} for text in contexts],
        **more,
    }


MTRAG_UN: Files = {
    "reference.jsonl.gz": [
        _un("a", ["ANSWERABLE"], [TOWER, KEEPER]),
        _un("b", ["UNANSWERABLE"], []),
        _un("c", ["UNDERSPECIFIED"], [FERRY]),
        _un("d", ["PARTIAL"], [TOWER], targets=[{"text": "High.", "metadata": {"author_type": "human"}}]),
    ],
    "qrels/cloud.tsv": f"query-id\tcorpus-id\tscore\na<::>2\t{TOWER[-5:]}\t1\nd<::>2\t{TOWER[-5:]}\t1\n",
}

QRECC: Files = {
    "turns.jsonl": [
        {"Conversation_no": 7, "Turn_no": 2, "Question": "Who kept it?", "Conversation_source": "nq"},
        {"Conversation_no": 7, "Turn_no": 1, "Question": "When was it lit?", "Truth_answer": "In 1871."},
        {"Conversation_no": "8", "Turn_no": "3", "Question": "And?", "Context": ["High?", "Yes.", "Old?", "Very."]},
    ],
    "truth.json": [
        {
            "Conversation_no": 7,
            "Turn_no": 2,
            "Truth_rewrite": "Who kept the lighthouse?",
            "Truth_answer": "",
            "Truth_passages": ["http://s.example/a_p1", "http://s.example/a_p1"],
        },
        {"Conversation_no": 7, "Turn_no": 1, "Truth_answer": "In 1871.", "Truth_passages": []},
        {"Conversation_no": 9, "Turn_no": 1, "Truth_rewrite": "Is there a ferry?", "Truth_passages": ""},
    ],
    "run.json": [{"Conversation_no": 7, "Turn_no": 1, "Model_answer": "In 1900."}],
}
QRECC_OLD: Files = {
    "old.json": [
        {
            "Conversation_no": 1,
            "Turn_no": 2,
            "Question": "Who kept it?",
            "Rewrite": "Who kept the lighthouse?",
            "Answer": "Maren Holt",
            "Context": ["When was it lit?", "In 1871."],
        }
    ]
}


def _topiocqa(turn: int, query: str, answer: str | None, **more: object) -> dict[str, object]:
    return {"Conversation_no": 1, "Turn_no": turn, "Question": query, "Answer": answer, "Topic": "T", **more}


TOPIOCQA: Files = {
    "dev.json": [
        _topiocqa(1, "when was it lit", "1871", Context=[], Rationale="was lit in 1871"),
        _topiocqa(2, "who built it", "UNANSWERABLE", Context=["when was it lit", "1871"]),
        _topiocqa(3, "who kept it", "Maren Holt", Additional_answers=[{"Answer": "Holt"}, {"Answer": "Maren Holt"}]),
    ]
}
TOPIOCQA_BY_ID: Files = {
    "dev_gold_passages_info.json": [
        {"conv_id": 1, "turn_id": 1, "positive_ctxs": [{"passage_id": "17", "title": "Tower", "text": TOWER}]},
        {"conv_id": 5, "turn_id": 1, "positive_ctxs": [{"passage_id": "18", "title": "", "text": FERRY}]},
    ]
}
TOPIOCQA_BY_TEXT: Files = {
    "gold_passages_info.json": {
        "data": [
            {"question": "when was it lit", "title": "Tower", "context": TOWER},
            {
                "question": "When was it lit [SEP] 1871 [SEP] who built it [SEP] UNANSWERABLE [SEP] who kept it",
                "title": "Keeper",
                "context": KEEPER,
            },
            {"question": "is there a ferry", "title": "", "context": FERRY},
        ]
    }
}
SEGMENTS: Files = {"segments.tsv": f"id\ttext\ttitle\n1\t{TOWER}\tTower\n2\t{KEEPER}\tKeeper\n"}
