"""Which passages a turn may draw on, best first: what a move means in terms of clusters and documents."""

from collections.abc import Collection, Iterable, Sequence

from mtr.conversation.drafting import used_clusters
from mtr.conversation.plan import PlannedTurn
from mtr.corpus.corpus import Corpus
from mtr.records import Move, Passage, Turn
from mtr.seeding import seeded

_DRAWN_AT_A_SWITCH = 12
_FEWEST_PASSAGES = 2
_FEWEST_CLUSTERS = 2


def starting_cluster(corpus: Corpus, seed: int, slot: int, attempt: int, slots: int) -> str:
    """The cluster a conversation opens with; neighbouring slots and attempts get different ones while they last."""
    order = _shuffled(_walkable(corpus), seed, "starting clusters")
    return order[(slot + attempt * max(slots, 1)) % len(order)]


def own_clusters(corpus: Corpus, seed: int, slot: int, slots: int) -> frozenset[str]:
    """The clusters that a conversation draws on first, so that no two of a batch ask the same.

    All of them where there are fewer than two for each conversation.
    """
    order = _shuffled(_walkable(corpus), seed, "starting clusters")
    own = order[slot :: max(slots, 1)]
    return frozenset(own if len(own) >= _FEWEST_CLUSTERS else order)


def switch_options(
    corpus: Corpus, used: Iterable[str], seed: int, names: Sequence[str | int], own: Collection[str]
) -> tuple[Passage, ...]:
    """Passages of clusters the conversation has not touched, in the order drawn, those of its `own` first."""
    used = set(used)
    fresh = [cluster for cluster in _walkable(corpus) if cluster not in used]
    draw = seeded(seed, "switch", *names)
    draw.shuffle(fresh)
    fresh.sort(key=lambda cluster: cluster not in own)
    return tuple(corpus.passages[draw.choice(corpus.members[cluster])] for cluster in fresh[:_DRAWN_AT_A_SWITCH])


def passage_pool(
    corpus: Corpus, planned: PlannedTurn, turns: Sequence[Turn], start: str, seed: int, own: Collection[str]
) -> tuple[str, ...]:
    """Passage ids in the order to try; what lies in clusters of other conversations comes after the `own`.

    `start` is a cluster id for `open`, the passage chosen by the topic planner for `switch`, and unused otherwise.
    """
    if planned.move == "open":
        members = corpus.members[start]
        opening = _shuffled(members, seed, "opening", start)
        return _unique(opening, _own_first(corpus, _same_documents(corpus, members), own))
    if planned.move == "switch":
        return _unique([start], _around(corpus, start, own))
    if planned.move == "return":
        anchor = turns[(planned.refers_to or 1) - 1].gold[0]
        document = corpus.passages[anchor].document_id
        near = _around(corpus, anchor, own)
        return _unique([anchor], [p for p in near if corpus.passages[p].document_id == document], near)
    last = turns[-1].gold[0]
    near = _around(corpus, last, own)
    if planned.move == "follow_up":
        return _unique([last], near)
    asked = {turn.gold[0] for turn in turns}
    return tuple(p for p in near if p not in asked) + tuple(sorted(asked))


def centre_of(corpus: Corpus, planned: PlannedTurn, turns: Sequence[Turn], start: str) -> str:
    """The passage that a turn sets out from; `start` as for its pool."""
    if planned.move == "open":
        return corpus.members[start][0]
    return start if planned.move == "switch" else turns[(planned.refers_to or len(turns)) - 1].gold[0]


def wider_pool(
    corpus: Corpus, planned: PlannedTurn, turns: Sequence[Turn], nearest: Sequence[str], own: Collection[str]
) -> tuple[str, ...]:
    """Where the pool is spent: what is `nearest` to its centre in the whole collection.

    A switch takes none of the clusters that the conversation has touched.
    """
    touched = used_clusters(turns, corpus.cluster_of) if planned.move == "switch" else ()
    return tuple(_own_first(corpus, [p for p in nearest if corpus.cluster_of[p] not in touched], own))


def move_made(planned: Move, passage: Passage, turns: Sequence[Turn], anchor: Passage | None) -> Move:
    """The move a turn really makes: a follow-up that had to take another passage is a shift, and the reverse.

    A return that found nothing left in the document of its `anchor` is a shift too.
    """
    if planned == "return" and anchor is not None:
        return "return" if passage.document_id == anchor.document_id else "shift"
    if planned not in ("follow_up", "shift") or not turns:
        return planned
    return "follow_up" if passage.passage_id == turns[-1].gold[0] else "shift"


def _walkable(corpus: Corpus) -> list[str]:
    """Clusters of at least two passages; all of them where there is no such cluster."""
    large = [cluster.cluster_id for cluster in corpus.clusters if len(cluster.passage_ids) >= _FEWEST_PASSAGES]
    return large or [cluster.cluster_id for cluster in corpus.clusters]


def _around(corpus: Corpus, passage_id: str, own: Collection[str]) -> list[str]:
    """The passage's cluster mates, nearest in walking order first, then its document's other passages."""
    members = corpus.members[corpus.cluster_of[passage_id]]
    place = members.index(passage_id)
    near = [members[i] for i in sorted(range(len(members)), key=lambda i: (abs(i - place), i)) if i != place]
    return [*near, *_own_first(corpus, _same_documents(corpus, [passage_id]), own)]


def _own_first(corpus: Corpus, passage_ids: Sequence[str], own: Collection[str]) -> list[str]:
    return sorted(passage_ids, key=lambda passage_id: corpus.cluster_of[passage_id] not in own)


def _same_documents(corpus: Corpus, passage_ids: Sequence[str]) -> list[str]:
    documents = dict.fromkeys(corpus.passages[p].document_id for p in passage_ids)
    return [p for document_id in documents for p in corpus.passages_of[document_id]]


def _shuffled(items: Sequence[str], seed: int, *names: str | int) -> list[str]:
    order = list(items)
    seeded(seed, *names).shuffle(order)
    return order


def _unique(*lists: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for items in lists for item in items))
