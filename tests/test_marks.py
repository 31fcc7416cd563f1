import pytest

from mtr.corpus.marks import Marks, chinese_number, difference, marks_of


def marks(text: str, small_words: str = "") -> Marks:
    return marks_of(text, set(small_words.split()))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("from 1,000 to 1000 or 1,5 and 3.14", ("1000", "1000", "1,5", "3.14")),
        ("at 12:30 on 2024-01-05", ("12:30", "2024", "01", "05")),
        ("it was -5 or −5 there", ("-5", "-5")),
        ("１２ of twelve", ("12", "twelve")),
        ("10km in 3 hours", ("10", "3")),
        ("二〇二五年有三十五人", ("2025", "35")),
    ],
)
def test_numbers(text: str, numbers: tuple[str, ...]) -> None:
    assert marks(text).numbers == numbers


@pytest.mark.parametrize(
    ("text", "small_words", "names"),
    [
        ("we met Ada Lovelace there", "", ("Ada", "Lovelace")),
        ("we met. However, I left", "however", ()),
        ("we met. Berlin slept", "", ("Berlin",)),
        ("use os.path, max_width, TreeMap, utf8 or TCP", "", ("os.path", "max_width", "TreeMap", "utf8", "TCP")),
        ("it was Berlin's wall and berlin’s", "", ("Berlin",)),
        ("使用Python编程", "", ("Python",)),
        ("die Größe und größe", "", ("Größe",)),
    ],
)
def test_names(text: str, small_words: str, names: tuple[str, ...]) -> None:
    assert marks(text, small_words).names == names


@pytest.mark.parametrize(
    ("text", "negations"),
    [
        ("Never say no, it isn't; it isn’t; it is not; it cannot", ("never", "no", "not", "not", "not", "not")),
        ("他不去，也没有来", ("不", "没")),
        ("it is notable and knotted", ()),
        ("il n'est pas là", ("n'est", "pas")),
    ],
)
def test_negations(text: str, negations: tuple[str, ...]) -> None:
    assert marks(text).negations == negations


@pytest.mark.parametrize(
    ("numeral", "value"),
    [("零", 0), ("十", 10), ("二十", 20), ("三百零五", 305), ("一千二百", 1200), ("二〇二五", 2025),
     ("三万五千", 35000), ("一亿", 10**8), ("十二万", 120000), ("万", 10000)],
)  # fmt: skip
def test_chinese_numbers(numeral: str, value: int) -> None:
    assert chinese_number(numeral) == value


def test_difference_in_words() -> None:
    assert difference(marks("a 1"), marks("a 1")) == ""
    assert difference(marks("a 1 and 2"), marks("a 1 not")) == "numbers: 2 against none; negations: none against not"
    assert difference(marks("1 2"), marks("2 1")) == "numbers in another order"
    assert difference(marks("1 2 3 4 5 6 7"), marks("")) == "numbers: 1, 2, 3, 4, 5 and 2 more against none"
