"""What lint reads: the rows of a data set, and the data set as its adapter gives it. Look-ups are made once."""

from collections import defaultdict
from functools import cached_property

from mtr.datasets.lint.rows import PassageRow, Place, QrelRow, QueryRow, RowFault
from mtr.datasets.records import AnyTurn, Dataset


class Material:
    """Rows in the order of their files. `dataset` is None where the adapter refused, `refusal` being its reason."""

    def __init__(self, file: str, dataset: Dataset | None = None, refusal: str = "") -> None:
        self.file = file
        self.dataset = dataset
        self.refusal = refusal
        self.passages: list[PassageRow] = []
        self.queries: list[QueryRow] = []
        self.qrels: list[QrelRow] = []
        self.faults: list[RowFault] = []
        self.without_corpus: dict[str, str] = {}
        """Files of qrels whose subset has no passages at all, and the name of the subset."""

    @property
    def whole(self) -> Place:
        """The data set itself, where no line can be named."""
        return Place(self.file)

    @property
    def turns(self) -> tuple[AnyTurn, ...]:
        """The turns, none where the adapter refused."""
        return self.dataset.turns if self.dataset else ()

    @cached_property
    def passage_ids(self) -> frozenset[str]:
        """The ids of the corpus."""
        return frozenset(row.passage_id for row in self.passages)

    @cached_property
    def query_places(self) -> dict[str, Place]:
        """Where each query stands first."""
        places: dict[str, Place] = {}
        for row in self.queries:
            places.setdefault(row.query_id, row.place)
        return places

    @cached_property
    def gold(self) -> dict[str, list[QrelRow]]:
        """The judgements above 0, by query."""
        found: defaultdict[str, list[QrelRow]] = defaultdict(list)
        for row in self.qrels:
            if row.grade > 0:
                found[row.query_id].append(row)
        return dict(found)

    @cached_property
    def ids_by_text(self) -> dict[bytes, list[str]]:
        """The ids that each text stands under, in order, each once."""
        found: defaultdict[bytes, dict[str, None]] = defaultdict(dict)
        for row in self.passages:
            if row.key is not None:
                found[row.key][row.passage_id] = None
        return {key: list(ids) for key, ids in found.items()}

    def place_of(self, turn: AnyTurn) -> Place:
        """Where the turn's query stands, else the data set."""
        return self.query_places.get(turn.query_id, self.whole)
