"""PDF through langchain-community's PyPDFLoader, page by page; pages that end inside a sentence are joined.

Encrypted files and files without a text layer (scans) are skipped with that reason.
"""

from collections.abc import Iterator
from pathlib import Path

from mtr.corpus.prose import ends_sentence
from mtr.corpus.readers.decoding import read_bytes
from mtr.corpus.readers.draft import BROKEN, Columns, Draft, NotReadError

_NO_TITLES = ("untitled", "microsoft word", "document", "powerpoint", ".doc", ".pdf", ".tex", ".indd")


def read_pdf(path: Path, _columns: Columns) -> Iterator[Draft]:
    """The one document of a PDF file; its metadata title counts unless a program put it there."""
    if not read_bytes(path)[:1024].lstrip().startswith(b"%PDF"):
        raise NotReadError("not a PDF file, although it is named one")
    pages, title = _pages(path)
    texts = [text for page in pages if (text := _clean(page))]
    if not texts:
        raise NotReadError(f"no text layer in {len(pages)} pages (a scan?); run text recognition on it first")
    named = title.strip()
    yield Draft(text=_joined(texts), title="" if any(part in named.lower() for part in _NO_TITLES) else named)


def _pages(path: Path) -> tuple[list[str], str]:
    from langchain_community.document_loaders import PyPDFLoader  # noqa: PLC0415 - slow to import
    from pypdf.errors import FileNotDecryptedError, PyPdfError  # noqa: PLC0415

    try:
        loaded = PyPDFLoader(str(path), mode="page").load()
    except FileNotDecryptedError as error:
        raise NotReadError("an encrypted PDF; save it without its password first") from error
    except (PyPdfError, *BROKEN) as error:
        raise NotReadError(f"a damaged PDF: {type(error).__name__}: {error}") from error
    title = loaded[0].metadata.get("title") if loaded else None
    return [page.page_content for page in loaded], title if isinstance(title, str) else ""


def _clean(page: str) -> str:
    lines = page.encode("utf-8", "replace").decode().replace("\0", "").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def _joined(texts: list[str]) -> str:
    joined = texts[0]
    for text in texts[1:]:
        goes_on = not ends_sentence(joined, lead_in=True) and text.lstrip()[:1].islower()
        joined += ("\n" if goes_on else "\n\n") + text
    return joined + "\n"
