"""``grammar propose``: lines that would have prevented errors, from trees or from a few corrected sentences."""

from argparse import Namespace
from dataclasses import replace

from core.commandline.options import READS, Commands, add_command
from core.commandline.reports import Report
from core.commandline.texts import read, read_constraints
from core.commandline.values import positive
from core.constraints import Matcher, format_constraints
from core.constraints.decoding import PosteriorParser
from core.constraints.marks import marks_between
from core.constraints.preview import GrammarArcs
from core.constraints.proposals import Proposal, propose
from core.constraints.ranking import rank
from core.errors import WorkbenchError
from core.parsers import load_parser


def add_propose(actions: Commands) -> None:
    """Add ``propose`` to the actions of ``grammar``."""
    help = "lines that would have prevented the errors of a grammar"
    command = add_command(actions, "propose", help, run_propose, READS)
    command.add_argument("file", metavar="FILE", help="the text, with heads where they are known and _ elsewhere")
    command.add_argument("--model", metavar="M", required=True, help="what grammar train --out wrote")
    command.add_argument("--constraints", metavar="C", required=True, help="the constraints that it was trained on")
    command.add_argument("--count", type=positive, default=10, metavar="N", help="how many lines at most (10)")


def run_propose(options: Namespace) -> Report:
    """Write proposed lines as a constraint file, what each would do as a comment."""
    treebank = read(options.file, options)
    model = load_parser(options.model)
    if not isinstance(model, PosteriorParser):
        raise WorkbenchError(f"{options.model} is no grammar; give what grammar train --out wrote")
    constraints = read_constraints(options.constraints, treebank, options)
    words = treebank.without_punctuation()
    heads = model.parse(treebank).without_punctuation().heads
    votes = -model.price * marks_between(treebank, words)
    marginals = model.marginals(words, votes=votes, whole=treebank)[1]
    matcher = Matcher(words, options.tags)
    found = propose(matcher, words.heads, heads, marginals, constraints, options.count)
    found = rank(found, GrammarArcs.of(model, treebank), matcher, words.heads)
    text = format_constraints([replace(each.constraint, comment=_comment(each)) for each in found])
    return Report({"constraints": text, "count": len(found)}, text.rstrip("\n") or "no line would prevent an error")


def _comment(proposal: Proposal) -> str:
    instead = "" if proposal.line is None else f"; in place of: {proposal.line.text}"
    trees = ""
    if proposal.verdict is not None:
        trees = "; beside those above the trees gain {:,} right heads and lose {:,}".format(*proposal.verdict)
    return (
        f"prevents {proposal.gained:.1f} errors and makes {proposal.lost:.1f}: the share is {proposal.share:.2f} of "
        f"{proposal.coverage.known_denominator:,} known, the model gives {proposal.expectation:.2f}{trees}{instead}"
    )
