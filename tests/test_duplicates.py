import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtr.corpus.duplicates import DuplicateResult, near_duplicates
from mtr.corpus.shingles import folded, jaccard, shingles
from mtr.errors import InputError
from mtr.records import Passage, Span

RIVER = (
    "the river rises in the hills above the old town and runs for most of its way through woods before it reaches the "
    "plain where farmers have led its water into ditches since the time when the first mills were built along it"
)


def passages(*texts: str) -> list[Passage]:
    return [
        Passage(passage_id=f"p{at}", document_id="d", text=text, span=Span(start=0, end=len(text)), source="d.txt")
        for at, text in enumerate(texts)
    ]


def drops(result: DuplicateResult) -> list[tuple[str, str]]:
    return [(pair.dropped, pair.kept) for pair in result.dropped]


def kept(result: DuplicateResult) -> list[str]:
    return [passage.passage_id for passage in result.kept]


def sentence(source: random.Random, words: int = 60) -> str:
    return " ".join("".join(source.choices("abcdefghijklmnopqrstuvwxyz", k=source.randint(2, 9))) for _ in range(words))


def edited(source: random.Random, text: str, share: float) -> str:
    words = text.split()
    for at in range(len(words)):
        if source.random() < share:
            words[at] = sentence(source, 1)
    return " ".join(words)


def similarity(first: str, second: str) -> float:
    return jaccard(shingles(folded(first)), shingles(folded(second)))


def test_an_equal_text_is_dropped_for_the_earlier_one() -> None:
    result = near_duplicates(passages(RIVER, "something else altogether", RIVER.replace(" ", "  \n")))
    assert drops(result) == [("p2", "p0")]
    assert result.dropped[0].jaccard == 1
    assert kept(result) == ["p0", "p1"]


def test_a_similar_text_is_dropped_with_its_exact_similarity() -> None:
    other = RIVER.replace("old town", "small town")
    result = near_duplicates(passages(RIVER, other))
    assert drops(result) == [("p1", "p0")]
    assert result.dropped[0].jaccard == pytest.approx(similarity(RIVER, other), abs=1e-12)
    assert kept(near_duplicates(passages(RIVER, other), threshold=0.99)) == ["p0", "p1"]


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("built in 1820 along it", "built in 1830 along it", "numbers: 1820 against 1830"),
        ("it has three mills", "it has four mills", "numbers: three against four"),
        ("near the town Halle there", "near the town Hanau there", "names: Halle against Hanau"),
        ("set max_width to that", "set max_depth to that", "names: max_width against max_depth"),
        ("call os.path for that", "call os.stat for that", "names: os.path against os.stat"),
        ("the class TreeMap does", "the class TreeSet does", "names: TreeMap against TreeSet"),
        ("send it by TCP then", "send it by UDP then", "names: TCP against UDP"),
        ("and it is flooded", "and it is not flooded", "negations: none against not"),
        ("and it can be used", "and it can't be used", "negations: none against not"),
        ("done with a permit", "done without a permit", "negations: none against without"),
        ("das ist erlaubt", "das ist nicht erlaubt", "negations: none against nicht"),
        ("c'est permis ici", "ce n'est permis ici", "negations: none against n'est"),
        ("avec un permis", "sans un permis", "negations: none against sans"),
        ("esto se permite", "esto no se permite", "negations: none against no"),
    ],
)
def test_a_pair_that_differs_in_a_mark_is_listed_and_kept(first: str, second: str, words: str) -> None:
    result = near_duplicates(passages(f"{RIVER}, {first}", f"{RIVER}, {second}"))
    assert result.dropped == ()
    assert kept(result) == ["p0", "p1"]
    [pair] = result.kept_pairs
    assert (pair.earlier, pair.later) == ("p0", "p1")
    assert words in pair.difference
    assert pair.jaccard >= 0.7


HILLS = "这条河发源于老城后面的山里，流过树林，然后到达平原，农民们从那里把河水引到田里，两岸的磨坊早已废弃"


@pytest.mark.parametrize(
    ("first", "second", "dropped"),
    [
        ("人们可以在河里游泳", "人们不可以在河里游泳", 0),
        ("河上有三十座桥", "河上有四十座桥", 0),
        ("河上有30座桥", "河上有３０座桥", 1),
        ("河上有三十座桥", "河上有30座桥", 1),
        ("建于二〇二〇年", "建于2020年", 1),
        ("水很清", "水很干净", 1),
    ],
)
def test_chinese(first: str, second: str, dropped: int) -> None:
    result = near_duplicates(passages(f"{HILLS}。{first}。", f"{HILLS}。{second}。"), threshold=0.6)
    assert (len(result.dropped), len(result.kept_pairs)) == (dropped, 1 - dropped)


def test_a_capital_at_the_start_of_a_sentence_is_a_name_unless_the_corpus_writes_it_small() -> None:
    end = "Berlin is the largest city there."
    result = near_duplicates(passages(f"{RIVER}. {end}", f"{RIVER}. {end.replace('Berlin', 'Hamburg')}"))
    assert [pair.difference for pair in result.kept_pairs] == ["names: Berlin against Hamburg"]
    result = near_duplicates(passages(f"{RIVER}. Farmers came.", f"{RIVER}. The farmers came."))
    assert drops(result) == [("p1", "p0")]


def test_swapped_names_differ() -> None:
    result = near_duplicates(passages(f"{RIVER} where Ada beat Bob", f"{RIVER} where Bob beat Ada"))
    assert [pair.difference for pair in result.kept_pairs] == ["names in another order"]


def test_no_chains_a_passage_is_dropped_for_a_kept_one_only() -> None:
    source = random.Random(3)
    chain = [sentence(source, 80)]
    while similarity(chain[0], chain[-1]) > 0.5:
        chain.append(edited(source, chain[-1], 0.04))
    result = near_duplicates(passages(*chain))
    text = {passage.passage_id: passage.text for passage in passages(*chain)}
    assert len(result.kept) > 1
    assert len(result.dropped) > 1
    for pair in result.dropped:
        assert pair.kept in kept(result)
        assert similarity(text[pair.dropped], text[pair.kept]) == pair.jaccard >= 0.7


def test_an_equal_copy_of_a_dropped_passage_names_the_kept_one() -> None:
    other = RIVER.replace("old town", "small town")
    result = near_duplicates(passages(RIVER, other, other))
    assert drops(result) == [("p1", "p0"), ("p2", "p0")]
    assert result.dropped[1].jaccard == result.dropped[0].jaccard < 1


def test_short_and_blank_texts() -> None:
    result = near_duplicates(passages("a", "b", "A b", "a", " ", "\n", "ab", "abcde"))
    assert drops(result) == [("p3", "p0"), ("p5", "p4")]
    assert near_duplicates([]).kept == ()
    assert kept(near_duplicates(passages("x"))) == ["p0"]


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.7, 0.9])
def test_recall_and_precision_against_all_pairs(threshold: float) -> None:
    source = random.Random(11)
    originals = [sentence(source, 40) for _ in range(250)]
    texts = [*originals, *(edited(source, text, source.uniform(0, 0.6 - threshold * 0.5)) for text in originals)]
    true = {at for at in range(250) if similarity(texts[at], texts[at + 250]) >= threshold}
    found = {int(pair.dropped[1:]) - 250 for pair in near_duplicates(passages(*texts), threshold).dropped}
    assert len(true) > 50
    assert found <= true
    assert len(found) >= 0.95 * len(true)


def test_the_same_input_gives_the_same_result() -> None:
    source = random.Random(5)
    texts = [sentence(source, 30) for _ in range(60)]
    texts += [edited(source, text, 0.05) for text in texts]
    assert near_duplicates(passages(*texts)) == near_duplicates(passages(*texts))


def test_a_table_of_like_sentences_stays_payable_and_loses_nothing() -> None:
    result = near_duplicates(passages(*(f"{RIVER}, and in the year {1000 + at} it froze" for at in range(600))))
    assert len(result.kept) == 600
    assert len(result.kept_pairs) <= 600 * 20
    later = [pair.later for pair in result.kept_pairs]
    assert set(later) == {f"p{at}" for at in range(1, 600)}


@given(st.lists(st.text(min_size=1, max_size=12), max_size=12), st.sampled_from([0.1, 0.7, 1.0]))
@settings(max_examples=50, deadline=None)
def test_nothing_is_lost_or_invented(texts: list[str], threshold: float) -> None:
    result = near_duplicates(passages(*texts), threshold)
    dropped = [pair.dropped for pair in result.dropped]
    assert sorted([*kept(result), *dropped]) == sorted(f"p{at}" for at in range(len(texts)))
    assert {pair.kept for pair in result.dropped} <= set(kept(result))


def test_a_threshold_that_makes_no_sense_is_named() -> None:
    for threshold in (0, 0.05, 1.5):
        with pytest.raises(InputError, match="threshold"):
            near_duplicates([], threshold)
