"""What documents show: their fenced blocks, run as a reader would run them."""

import contextlib
import io
import runpy
import shlex
from pathlib import Path

from markdown_it import MarkdownIt

from core.__main__ import main

COMMAND = ["python", "-m", "core"]


def tokens(text):
    return MarkdownIt("commonmark").enable("table").parse(text)


def blocks_of(path, language):
    """The fenced blocks of that language in a Markdown file, in order."""
    return [code for name, code in blocks(path.read_text(encoding="utf-8")) if name == language]


def blocks(text):
    """(language, code) of the fenced blocks in Markdown, in order."""
    return [(token.info, token.content) for token in tokens(text) if token.type == "fence"]


def targets(text):
    """Where the links and pictures in Markdown lead, as written there."""
    inside = [part for token in tokens(text) for part in token.children or ()]
    return [str(part.attrs[name]) for part in inside for name in ("href", "src") if name in part.attrs]


def run_python(code):
    """Run a block in this folder as a script; returns its names."""
    Path("block.py").write_text(code, encoding="utf-8")
    return runpy.run_path("block.py")


def run_commands(code):
    """Run the lines of a block, all of them commands of the workbench, which must end well; returns what they print."""
    printed = []
    for line in code.splitlines():
        words = shlex.split(line, comments=True)
        if not words:
            continue
        assert words[:3] == COMMAND, f"{line!r} is no command of the workbench"
        command, _, target = " ".join(map(shlex.quote, words[3:])).partition(" '>' ")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = main(shlex.split(command))
        assert code == 0, line
        printed.append(output.getvalue())
        if target:
            Path(target).write_text(output.getvalue(), encoding="utf-8")
    return printed


def corpora_rows():
    """The guide's table of the experiments' corpora, a line each, as they are declared."""
    from core.experiments import EXPERIMENTS
    from core.experiments.corpora import CORPORA

    rows = []
    for corpus in CORPORA:
        readers = [each.name for each in EXPERIMENTS if corpus in [used.corpus for used in each.materials]]
        papers = ", ".join(dict.fromkeys(name.partition("-")[0] for name in readers))
        files = ", ".join(f"`{file}`" for file in corpus.files)
        made = "; ".join(filter(None, (corpus.source, corpus.conversion)))
        rows.append(f"| {corpus.name} | {files} | {corpus.licence} | {made} | {papers} |")
    return rows
