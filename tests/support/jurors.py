"""A judge on loopback that decides from the prompt's text alone, and a clean set of towers for it to judge.

A query asks for the number of lamps of a tower. A passage answers when it says so in digits, whatever else it says.
"""

import re
from collections.abc import Callable
from pathlib import Path

from mtr.datasets.records import AnyPassage, AnyTurn, Dataset, Gold, Said
from support.endpoint import Body, as_json, chat_body, last_message

NAMES = tuple(f"{first}{second}" for first in ("Alder", "Birch", "Cedar", "Dune", "Elm", "Fern") for second in
              ("ton", "ford", "wick", "dale", "mere", "holm", "gate", "by", "stead", "hurst"))  # fmt: skip
_FENCED = re.compile(r"<(passage|answer|conversation)-(\w{8})> ?([^\n]*)\n(.*?)\n</\1-\2>", re.DOTALL)
_QUERY = re.compile(r"^Query: (.*)$", re.MULTILINE)
_TOWER = re.compile(r"tower of (\w+)")

Juror = Callable[[Body], "str | Body"]


def write_settings(path: Path, base_url: str, judges: int = 3) -> Path:
    """Settings with an endpoint of that many judges, `jury/one` and so on; no key is wanted."""
    path.write_text(
        f'[endpoints.jury]\nbase_url = "{base_url}"\nmax_concurrency = 16\n[endpoints.other]\nbase_url = "{base_url}"\n'
    )
    return path


def honest(body: Body) -> "str | Body":
    """Judges as the criterion asks, by what stands in the prompt."""
    text = last_message(body)
    query = _QUERY.findall(text)[-1]
    tower = _TOWER.findall(query)[-1]
    fenced = _FENCED.findall(text)
    passages = [(label, words) for kind, _, label, words in fenced if kind == "passage"]
    answer = next((words for kind, _, _, words in fenced if kind == "answer"), "")
    shape = body.get("response_format", {}).get("json_schema", {}).get("name", "")
    if shape == "ChoiceReply":
        said = [(label[0], words) for label, words in passages if answers(words, tower)]
        letters = [letter for letter, _ in sorted(said, key=lambda one: "exactly" not in one[1])]
        return as_json(reason="It states the number.", choice=letters[0] if letters else "A")
    if shape == "ClaimsReply":
        return _claims(answer, [words for _, words in passages])
    if shape == "Scored" and passages:
        return as_json(reason="It does or does not state it.", score=5 if answers(passages[0][1], tower) else 2)
    if shape == "Scored":
        return as_json(reason="It tells or does not tell a number.", score=5 if re.search(r"\d", answer) else 1)
    return sure(" and " not in query and "document" not in query)


def answers(words: str, tower: str) -> bool:
    """Whether a passage states the number of lamps of the tower."""
    return re.search(rf"tower of {tower} has \d+ lamps", words) is not None


def sure(yes: bool) -> Body:
    """A sure yes or no, with log probabilities."""
    chances = {"yes": -0.05, "no": -3.0} if yes else {"no": -0.05, "yes": -3.0}
    return chat_body(next(iter(chances)), chances=chances)


def _claims(answer: str, passages: list[str]) -> str:
    found = []
    for claim in filter(None, (part.strip() for part in answer.split("."))):
        quote = next((claim for words in passages if claim in words), "")
        found.append({"claim": claim, "quote": quote, "supported": bool(quote)})
    share = sum(bool(one["supported"]) for one in found) / max(len(found), 1)
    return as_json(claims=found, reason="As far as quotes go.", score=round(1 + 4 * share))


def planted(dataset: Dataset) -> tuple[Dataset, dict[str, set[str]]]:
    """The set with a fault in each turn, a third of each kind; and the query ids by kind of finding.

    The right passage of a wrong gold goes from the corpus, so that nothing else is to be found there.
    """
    passages, turns = dict(dataset.passages), list(dataset.turns)
    faults: dict[str, set[str]] = {"noise": set(), "missing_evidence": set(), "unfaithful": set()}
    for number, turn in enumerate(dataset.turns):
        kind = tuple(faults)[number % 3]
        faults[kind].add(turn.query_id)
        name = _TOWER.findall(turn.query)[0]
        if kind == "noise":
            del passages[turn.gold[0].passage_id]
            wrong = f"w{number}"
            text = f"The tower of {name} has won 3 prizes."
            passages[wrong] = AnyPassage(passage_id=wrong, title=f"Tower of {name}", text=text)
            turns[number] = turn.model_copy(update={"gold": (Gold(passage_id=wrong),), "answer": text})
        elif kind == "missing_evidence":
            text = f"In the evening it is seen from afar. The tower of {name} has {number + 21} lamps, exactly."
            passages[f"m{number}"] = AnyPassage(passage_id=f"m{number}", title="Evening", text=text)
        else:
            turns[number] = turn.model_copy(update={"answer": f"The tower of {name} has 999 lamps."})
    return dataset.model_copy(update={"passages": passages, "turns": tuple(turns)}), faults


def towers(turns: int = 60, *, per_conversation: int = 3) -> Dataset:
    """A clean set: each turn's gold states its answer, no other passage does."""
    passages = {
        f"p{number}": AnyPassage(passage_id=f"p{number}", title=f"Tower of {name}", text=statement(name, number))
        for number, name in enumerate(NAMES[:turns], 1)
    }
    return Dataset(
        name="towers",
        layout="own",
        passages=passages,
        turns=tuple(_turn(number, per_conversation) for number in range(1, turns + 1)),
    )


def statement(name: str, number: int) -> str:
    """What a passage says of its tower."""
    return f"The tower of {name} has {number + 20} lamps. It was painted in {1900 + number}."


def _turn(number: int, per_conversation: int) -> AnyTurn:
    conversation, place = divmod(number - 1, per_conversation)
    before = [NAMES[other - 1] for other in range(number - place, number)]
    history = [
        Said(speaker=speaker, text=text)
        for name in before
        for speaker, text in (("user", f"How many lamps has the tower of {name}?"), ("assistant", "Some."))
    ]
    name = NAMES[number - 1]
    query = f"How many lamps has the tower of {name}?"
    return AnyTurn(
        query_id=f"c{conversation}::{place + 1}",
        conversation_id=f"c{conversation}",
        turn=place + 1,
        query=query,
        history=tuple(history),
        standalone_query=query,
        answer=f"The tower of {name} has {number + 20} lamps.",
        gold=(Gold(passage_id=f"p{number}"),),
        move="open" if place == 0 else "shift",
    )
