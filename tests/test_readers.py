"""Each format and encoding is read into the text a reader of it would see, or skipped with a reason."""

from pathlib import Path

import pytest
from support.files import only, reasons, write_docx, write_pdf

from mtr.corpus.documents import load_documents
from mtr.errors import InputError

WORDS = {
    "gb18030": "董事会昨天决定明年不提高费用，因为成本正在下降。会议持续了三个小时，所有成员都参加了讨论。",
    "big5": "董事會昨天決定明年不提高費用,因為成本正在下降。會議持續了三個小時。",
    "cp932": "取締役会は昨日、コストが下がっているため来年の料金を引き上げないことを決定した。会議は三時間続いた。",
    "euc_jp": "取締役会は昨日、コストが下がっているため来年の料金を引き上げないことを決定した。会議は三時間続いた。",
    "iso2022_jp": "取締役会は昨日、来年の料金を引き上げないことを決定した。",
    "cp1252": "Die Gebühren werden nächstes Jahr nicht erhöht – „größere“ Änderungen wären möglich. Es kostet 5 €.",
    "cp1251": "Вчера совет решил не повышать плату на следующий год, потому что расходы снижаются.",
    "cp949": "이사회는 어제 비용이 감소하고 있기 때문에 내년 수수료를 인상하지 않기로 결정했다.",
    "utf-8": "Fees – naïve 😀 費用 são altas.",
    "utf-8-sig": "Fees – naïve 😀 費用 são altas.",
    "utf-16": "Fees – naïve 😀 費用 são altas.",
    "utf-32": "Fees – naïve 😀 費用 são altas.",
    "utf-16-le": "Fees are not raised next year, because costs are falling – says the board.",
    "utf-16-be": "Fees are not raised next year, because costs are falling – says the board.",
}


@pytest.mark.parametrize("encoding", WORDS)
def test_encodings_are_detected_and_stated(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(WORDS[encoding].encode(encoding))
    document = only(path)
    assert document.text == WORDS[encoding]
    stated = (document.encoding or "").replace("_", "-")
    alike = {"euc-jp": "euc-jis-2004", "iso2022-jp": "iso2022-jp-2"}
    assert stated == alike.get(encoding.replace("_", "-"), encoding.replace("_", "-"))


def test_a_few_accents_are_western_european(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("The café’s naïve owner said “no”. It was closed for the rest of the year.".encode("cp1252"))
    assert only(path).encoding == "cp1252"
    path.write_bytes("Zażółć gęślą jaźń, powiedział właściciel; wszyscy się śmiali i poszli do domu.".encode("cp1250"))
    assert "Zażółć gęślą jaźń" in only(path).text


def test_a_few_broken_bytes_do_not_cost_the_document(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(WORDS["gb18030"].encode() * 3 + b"\xff\n" + "中".encode()[:2])
    document = only(path)
    assert document.encoding == "utf-8, 2 broken"
    assert document.text == WORDS["gb18030"] * 3 + "\ufffd\n\ufffd"


def test_a_long_file_is_told_by_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    text = "".join(f"{number}：{WORDS['gb18030']}\n" for number in range(4000))
    path.write_bytes(text.encode("gb18030"))
    assert only(path).text == text


def test_html_keeps_structure_and_leaves_menus_out(tmp_path: Path) -> None:
    path = tmp_path / "page.HTML"
    path.write_bytes(
        "<!doctype html><html><head><meta charset='iso-8859-1'><title>Site | Fees</title><style>p{x:1}</style></head>"
        "<body><nav><a href='/'>Home</a></nav><h1>Fees <em>2024</em></h1>"
        "<p>Fees\n are höher <b>now</b>.<br>Pay\tthem.</p>"
        "<script>var x = 1;</script><p style='display: none'>secret</p><!-- comment -->"
        "<h2>How</h2><ol><li>First<ul><li>Inner</li></ul></li><li><p>Second</p></li></ol>"
        "<pre>def f():\n    return {x}\n</pre>"
        "<table><tr><th>a</th><td>b\nc</td></tr><tr><td>1</td><td>2</td></tr></table>"
        "loose text<footer>Imprint</footer></body></html>".encode("iso-8859-1")
    )
    document = only(path)
    assert document.text == (
        "# Fees 2024\n\nFees are höher now.\nPay them.\n\n## How\n- First\n  - Inner\n- Second\n\n"
        "```\ndef f():\n    return {x}\n```\n| a | b c |\n| 1 | 2 |\n\nloose text\n"
    )
    assert (document.title, document.encoding) == ("Fees 2024", "iso8859-1")


def test_html_title_serves_where_there_is_no_heading(tmp_path: Path) -> None:
    path = tmp_path / "page.htm"
    path.write_text("<title>  Fees \n 2024 </title><p>Higher.", encoding="utf-8")
    assert (only(path).title, only(path).text) == ("Fees 2024", "Higher.\n")
    path.write_text("<div>" * 3000 + "deep" + "</div>" * 3000, encoding="utf-8")
    assert load_documents([path]).documents[0].text.strip() == "deep"


def test_pdf_text_title_and_pages(tmp_path: Path) -> None:
    path = write_pdf(
        tmp_path / "a.pdf", ["The first page ends in the", "middle of a sentence.", "A third page."], title="Fees"
    )
    document = only(path)
    assert document.text == "The first page ends in the\nmiddle of a sentence.\n\nA third page.\n"
    assert document.title == "Fees"


def test_pdf_that_cannot_be_read_is_skipped_with_its_reason(tmp_path: Path) -> None:
    write_pdf(tmp_path / "locked.pdf", ["Secret."], password="open sesame")
    write_pdf(tmp_path / "scan.pdf", [""])
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog")
    (tmp_path / "word.pdf").write_bytes(b"hello")
    told = {Path(source).name: reason for source, reason in reasons(tmp_path).items()}
    assert "encrypted" in told["locked.pdf"]
    assert "text layer" in told["scan.pdf"]
    assert "damaged" in told["broken.pdf"]
    assert "not a PDF" in told["word.pdf"]


def test_docx_headings_lists_and_tables(tmp_path: Path) -> None:
    document = only(write_docx(tmp_path / "a.docx"))
    assert document.text == (
        "# Travel rules\n\nBook early.\n\n## Hotels\n- cheap\n- near\n\n| City | Limit |\n| Rome | 90 |\n\nThe end.\n"
    )
    assert document.title == "Travel rules"
    (tmp_path / "b.docx").write_bytes(b"PK\x03\x04 not really")
    (tmp_path / "c.docx").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 locked")
    told = {Path(source).name: reason for source, reason in reasons(tmp_path).items()}
    assert "damaged" in told["b.docx"]
    assert "encrypted" in told["c.docx"]


def test_jsonl_rows_and_bad_lines(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    lines = [
        '{"text": "One."}',
        "",
        "{broken",
        "[1]",
        '{"text": null}',
        '{"text": ["a"]}',
        '{"text": " "}',
        '{"body": "x"}',
    ]
    path.write_text("\n".join([*lines, '{"text": "Nine\\r\\n\\u2028\\ud800.", "title": "T"}']), encoding="utf-8")
    loaded = load_documents([path])
    assert [(one.document_id, one.title, one.text) for one in loaded.documents] == [
        ("rows.jsonl#1", "", "One."),
        ("rows.jsonl#9", "T", "Nine\n\u2028?."),
    ]
    told = {one.source.rsplit(":", 1)[1]: one.reason for one in loaded.skipped}
    assert list(told) == ["3", "4", "5", "6", "7", "8"]
    assert told["3"].startswith("not JSON")
    assert "list" in told["4"]
    assert "blank" in told["7"]


def test_jsonl_in_other_encodings(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    for encoding in ("utf-16", "utf-8-sig", "cp932"):
        path.write_bytes("".join(f'{{"text": "{WORDS["cp932"]}"}}\n' for _ in range(2)).encode(encoding))
        loaded = load_documents([path])
        assert [one.text for one in loaded.documents] == [WORDS["cp932"]] * 2, encoding
    path.write_bytes((b'{"text": "' + b"fine " * 200 + b'"}\n') * 300 + b'{"text": "\xff"}\n{"text": "last"}\n')
    loaded = load_documents([path])
    assert len(loaded.documents) == 301
    assert [one.source for one in loaded.skipped] == [f"{path}:301"]


def test_columns_are_chosen_and_missing_ones_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(
        '{"_id": 7, "body": "One."}\n{"_id": "a b", "body": "Two."}\n{"body": "Three."}\n', encoding="utf-8"
    )
    loaded = load_documents([path], text_column="body", id_column="_id")
    assert [one.document_id for one in loaded.documents] == ["7", "a_b"]
    assert "holds no id" in loaded.skipped[0].reason
    with pytest.raises(InputError, match=r"rows\.jsonl:1: there is no text column 'text'; columns here: '_id', 'body'"):
        load_documents([path])
    with pytest.raises(InputError, match="no id column 'id'"):
        load_documents([path], text_column="body", id_column="id")


def test_csv_with_any_delimiter_quotes_and_line_breaks(tmp_path: Path) -> None:
    for delimiter in ",;\t|":
        path = tmp_path / "rows.csv"
        rows = [["id", "title", "text"], ["1", "T", '"One, two; three|\r\nfour"'], ["2", "", "Five."]]
        path.write_text("\ufeff" + "\r\n".join(delimiter.join(row) for row in rows), encoding="utf-8", newline="")
        loaded = load_documents([path], id_column="id")
        assert [(one.document_id, one.title, one.text) for one in loaded.documents] == [
            ("1", "T", "One, two; three|\nfour"),
            ("2", "", "Five."),
        ]
        assert loaded.documents[1].source.endswith(":4")
    path.write_text("text\n" + "x" * 300_000, encoding="utf-8")
    assert len(load_documents([path]).documents[0].text) == 300_000
    with pytest.raises(InputError, match="columns here: 'text'"):
        load_documents([path], text_column="body")
