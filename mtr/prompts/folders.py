"""Where domains lie: a user's own folder first, then the shipped one; files read afresh whenever they change."""

import os
import re
from pathlib import Path

import mtr
from mtr.errors import InputError
from mtr.prompts.source import parse

DOMAIN_FILE = "domain.yaml"
_DOMAIN_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_ROLE_NAME = re.compile(r"(?:[a-z][a-z0-9_]*/)?[a-z][a-z0-9_]*")
_SHIPPED = Path(mtr.__file__).parent.parent / "prompts"
_texts: dict[Path, tuple[tuple[int, int, int], str]] = {}


def own_root() -> Path:
    """The folder of a user's own domains: `MTR_PROMPTS`, else `prompts` in the current folder."""
    named = os.environ.get("MTR_PROMPTS")
    if not named:
        return Path.cwd() / "prompts"
    if not Path(named).is_dir():
        raise InputError(f"MTR_PROMPTS names {named}, which is not a folder; make it, or unset MTR_PROMPTS")
    return Path(named).absolute()


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
    found = (file.parent.name for root in (own_root(), _SHIPPED) for file in root.glob(f"*/{DOMAIN_FILE}"))
    return tuple(sorted({name for name in found if _DOMAIN_NAME.fullmatch(name)}))


def domain_folder(domain: str) -> Path:
    """The folder of a domain; InputError, listing the known ones, when there is none."""
    domain_name(domain)
    for root in (own_root(), _SHIPPED):
        folder = root / domain
        if (folder / DOMAIN_FILE).is_file():
            return folder
    if (own_root() / domain).is_dir():
        raise InputError(
            f"{own_root() / domain} has no {DOMAIN_FILE}, so it is no domain; copy one from another domain"
        )
    raise InputError(f"there is no domain {domain!r}; known are {', '.join(domains()) or 'none'}")


def role_path(domain: str, role: str) -> Path:
    """The file of a role; InputError, listing the domain's roles, when there is none."""
    folder = domain_folder(domain)
    if not _ROLE_NAME.fullmatch(role):
        raise InputError(f"{role!r} is no name for a role; roles of {domain} are {', '.join(roles(domain))}")
    path = folder / f"{role}.md"
    if not path.is_file():
        raise InputError(f"domain {domain} has no role {role!r}; its roles are {', '.join(roles(domain))}")
    return path


def roles(domain: str) -> tuple[str, ...]:
    """The roles of a domain, sorted: its Markdown files but for those that roles name as their prefix."""
    folder = domain_folder(domain)
    files = {path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.md")}
    named = {name: path for name, path in files.items() if _ROLE_NAME.fullmatch(name)}
    prefixes = {parse(read_text(path), str(path)).prefix for path in named.values()}
    return tuple(sorted(name for name in named if f"{name}.md" not in prefixes))


def read_text(path: Path) -> str:
    """A file's text with `\\n` line ends, kept until its time or size changes."""
    try:
        status = path.stat()
        signature = (status.st_mtime_ns, status.st_size, status.st_ino)
        kept = _texts.get(path)
        if kept is None or kept[0] != signature:
            kept = _texts[path] = (signature, path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text at byte {error.start}; save it as UTF-8") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    return kept[1]
