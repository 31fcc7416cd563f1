"""Where domains lie: a user's own folder first, then the shipped one; files read afresh whenever they change."""

import os
import re
from functools import lru_cache
from pathlib import Path

import mtr
from mtr.errors import InputError
from mtr.prompts.source import parse

DOMAIN_FILE = "domain.yaml"
MODEL_DOMAIN = "general"
_DOMAIN_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_ROLE_NAME = re.compile(r"(?:[a-z][a-z0-9_]*/)?[a-z][a-z0-9_]*")
_OWN = Path("prompts")
_SHIPPED = Path(mtr.__file__).parent.parent / "prompts"
_texts: dict[Path, tuple[tuple[int, int, int], str]] = {}


def own_root() -> Path:
    """The folder of a user's own domains: `MTR_PROMPTS`, else `prompts` in the current folder."""
    named = os.environ.get("MTR_PROMPTS")
    if not named:
        return _OWN
    if not Path(named).is_dir():
        raise InputError(f"MTR_PROMPTS names {named}, which is not a folder; make it, or unset MTR_PROMPTS")
    return Path(named)


def shipped_root() -> Path:
    """The folder of the domains that come with the project."""
    return _SHIPPED


def domain_name(domain: str) -> str:
    """The name itself, once it is known to be safe in a path."""
    if not _DOMAIN_NAME.fullmatch(domain):
        raise InputError(f"{domain!r} is no name for a domain; use small letters, digits, _ and -, a letter first")
    return domain


def domains() -> tuple[str, ...]:
    """The names of all domains, sorted: folders with a `domain.yaml`."""
    found = (file.parent.name for root in (own_root(), shipped_root()) for file in root.glob(f"*/{DOMAIN_FILE}"))
    return tuple(sorted({name for name in found if _DOMAIN_NAME.fullmatch(name)}))


def domain_folder(domain: str) -> Path:
    """The folder of a domain; InputError, listing the known ones, when there is none."""
    places = _places(own_root(), shipped_root(), domain)
    for settings in places:
        if settings.is_file():
            return settings.parent
    if places[0].parent.is_dir():
        raise InputError(f"{places[0].parent} has no {DOMAIN_FILE}, so it is no domain; copy one from another domain")
    raise InputError(f"there is no domain {domain!r}; known are {', '.join(domains()) or 'none'}")


def role_text(folder: Path, role: str) -> tuple[Path, str]:
    """The file of a role and its text; InputError, listing the domain's roles, when there is none."""
    path = _role_path(folder, role)
    text = None if path is None else read_text(path)
    if path is None or text is None:
        known = ", ".join(roles_in(folder))
        raise InputError(f"domain {folder.name} has no role {role!r}; its roles are {known}")
    return path, text


def roles(domain: str) -> tuple[str, ...]:
    """The roles of a domain, sorted."""
    return roles_in(domain_folder(domain))


def roles_in(folder: Path) -> tuple[str, ...]:
    """The roles of a folder, sorted: its Markdown files but for those that roles name as their prefix."""
    files = {path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.md")}
    texts = {name: read_text(path) or "" for name, path in files.items() if _ROLE_NAME.fullmatch(name)}
    prefixes = {parse(text, str(files[name])).prefix for name, text in texts.items()}
    return tuple(sorted(name for name in texts if f"{name}.md" not in prefixes))


def misnamed_in(folder: Path) -> tuple[Path, ...]:
    """Markdown files of a folder that no role can be called by, but for a README."""
    paths = sorted(path for path in folder.rglob("*.md") if path.name != "README.md")
    return tuple(path for path in paths if not _ROLE_NAME.fullmatch(path.relative_to(folder).as_posix()[:-3]))


def read_text(path: Path) -> str | None:
    """A file's text with `\\n` line ends, None when there is no file; kept until its time or size changes."""
    try:
        status = path.stat()
        signature = (status.st_mtime_ns, status.st_size, status.st_ino)
        kept = _texts.get(path)
        if kept is None or kept[0] != signature:
            kept = _texts[path] = (signature, path.read_text(encoding="utf-8-sig", errors="replace"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    return kept[1]


@lru_cache(maxsize=64)
def _places(own: Path, shipped: Path, domain: str) -> tuple[Path, Path]:
    name = domain_name(domain)
    return own / name / DOMAIN_FILE, shipped / name / DOMAIN_FILE


@lru_cache(maxsize=256)
def _role_path(folder: Path, role: str) -> Path | None:
    return folder / f"{role}.md" if _ROLE_NAME.fullmatch(role) else None


@lru_cache(maxsize=256)
def prefix_path(folder: Path, name: str) -> Path:
    """The path of a prefix file; the header has already matched its name."""
    return folder / name
