"""``grammar lines``: lines to begin with for a text, as a constraint file on standard output."""

from argparse import Namespace
from dataclasses import asdict

from core.commandline.options import READS, Commands, add_command
from core.commandline.reports import Report
from core.commandline.texts import read
from core.constraints.universal import FILES, lines_to_begin
from core.constraints.word_order import NAMES, parse_order, suggest_order

EDGES = "edges"


def add_lines(actions: Commands) -> None:
    """Add ``lines`` to the actions of ``grammar``."""
    help_text = "lines to begin with: universal ones, and word order by answers"
    command = add_command(actions, "lines", help_text, run_lines, READS)
    command.add_argument("file", metavar="FILE")
    command.add_argument("--heads", choices=tuple(FILES), default="content",
                         help="content words are heads, as in UD, in any language; function words, English in Penn "
                         "tags (default: content)")  # fmt: skip
    command.add_argument("--order", metavar="ANSWERS", default="",
                         help=f"of {', '.join(NAMES)}, such as adposition=before,heads-last=no; or {EDGES}: as the "
                         "first and last words of sentences suggest")  # fmt: skip


def run_lines(options: Namespace) -> Report:
    """The lines that match something in FILE; what the edges show and what is left out stand in comments."""
    treebank = read(options.file, options)
    edges = suggest_order(treebank, options.tags) if options.order == EDGES else []
    suggested = {each.name: each.answer for each in edges if each.answer}
    answers = suggested if edges else parse_order(options.order)
    found = lines_to_begin(treebank, options.heads, answers, options.tags)
    remarks = [
        f"# {each.name}: {each.answer or 'cannot tell'}, first {each.first:,}, last {each.last:,} of {each.sentences:,}"
        for each in edges
    ]
    remarks += [f"# left out, matches nothing here: {line.text}" for line in found.left_out]
    text = found.text + "".join(f"{remark}\n" for remark in ["", *remarks] if remarks)
    left_out = [line.name for line in found.left_out]
    data = {"constraints": text, "left_out": left_out, "order": answers, "edges": [asdict(each) for each in edges]}
    return Report(data, text.rstrip("\n"))
