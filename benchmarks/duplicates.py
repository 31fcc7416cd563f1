"""Near-duplicates: the whole of `near_duplicates` against datasketch, one update a shingle, 128 permutations.

    python -m benchmarks.duplicates [--small]

Nine tenths are passages of random words; one tenth are copies of some of them, edited so that the Jaccard similarity
lies anywhere from about .5 to 1, every tenth of them with a number more. A true pair is a copy whose exact similarity
with its original is .7 or more; unrelated passages share next to nothing. Found is what was dropped or listed.
The other side is charged for shingles, MinHash and LSH alone, without the exact check it would need.
"""

import random
import sys
from collections.abc import Sequence

from datasketch import MinHash, MinHashLSH

from benchmarks.harness import measure, print_figure, print_machine, size_options
from mtr.corpus.duplicates import DuplicateResult, near_duplicates
from mtr.corpus.shingles import PERMUTATIONS, folded, jaccard, shingles
from mtr.records import Passage, Span

THRESHOLD, WORDS = 0.7, 60


def synthetic_texts(passages: int) -> list[str]:
    """Originals first, then the copies, in the order of the originals."""
    source = random.Random(1)
    letters = "etaoinshrdlucmfwypvbgkqjxz"
    weights = [1 / (rank + 3) for rank in range(len(letters))]
    words = ["".join(source.choices(letters, weights, k=source.randint(2, 10))) for _ in range(20_000)]
    originals = [" ".join(source.choices(words, k=WORDS)) for _ in range(passages - passages // 10)]
    copies = [_edited(source, text, words, at) for at, text in enumerate(originals[: passages // 10])]
    return originals + copies


def _edited(source: random.Random, text: str, words: Sequence[str], at: int) -> str:
    share = source.uniform(0, 0.2)
    edited = [source.choice(words) if source.random() < share else word for word in text.split()]
    return " ".join([*edited, f"in {1900 + at % 100}"] if at % 10 == 0 else edited)


def similarity(first: str, second: str) -> float:
    """Jaccard of the 5-gram sets."""
    return jaccard(shingles(folded(first)), shingles(folded(second)))


def datasketch_pairs(texts: Sequence[str]) -> set[tuple[int, int]]:
    """(earlier, later) candidates of datasketch's LSH."""
    index = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    pairs = set()
    for row, text in enumerate(texts):
        sketch = MinHash(num_perm=PERMUTATIONS)
        for shingle in shingles(folded(text)):
            sketch.update(shingle.encode())
        pairs.update((int(other), row) for other in index.query(sketch))
        index.insert(str(row), sketch)
    return pairs


def found_pairs(result: DuplicateResult) -> set[tuple[int, int]]:
    """(earlier, later) of what was dropped or listed; a passage's id is its row."""
    dropped = {(int(pair.kept), int(pair.dropped)) for pair in result.dropped}
    return dropped | {(int(pair.earlier), int(pair.later)) for pair in result.kept_pairs}


def main() -> int:
    """Print ratio, precision and recall; 1 when one falls short."""
    count = 5_000 if size_options("Near-duplicates against datasketch") else 50_000
    print_machine(["rensa", "datasketch", "numpy"])
    texts = synthetic_texts(count)
    first_copy = count - count // 10
    true = {
        (at, first_copy + at) for at in range(count // 10) if similarity(texts[at], texts[first_copy + at]) >= THRESHOLD
    }
    passages = [
        Passage(passage_id=str(row), document_id="d", text=text, span=Span(start=0, end=len(text)), source="synthetic")
        for row, text in enumerate(texts)
    ]
    near_duplicates(passages[:100], THRESHOLD)
    ours = measure(lambda: near_duplicates(passages, THRESHOLD))
    theirs = measure(lambda: datasketch_pairs(texts))
    found = found_pairs(ours.result)
    right = sum(similarity(texts[first], texts[second]) >= THRESHOLD for first, second in found)
    print(f"{count} passages of {sum(map(len, texts)) / count:.0f} characters, {len(true)} true pairs; ", end="")
    print(f"{len(ours.result.dropped)} dropped, {len(ours.result.kept_pairs)} pairs listed and kept")
    print(f"datasketch {theirs.cpu:.1f} CPU-s with a recall of {len(theirs.result & true) / len(true):.3f}", end=", ")
    print(f"ours {ours.cpu:.2f} CPU-s")
    precision, recall = right / len(found), len(found & true) / len(true)
    return int(not all([
        print_figure("CPU ratio", theirs.cpu / ours.cpu, "≥ 15", theirs.cpu >= 15 * ours.cpu),
        print_figure("precision", precision, "1", precision == 1),
        print_figure("recall", recall, "≥ .95", recall >= 0.95),
    ]))  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
