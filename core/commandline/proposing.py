"""``corpus propose``: requests that make the change of a few corrected sentences everywhere."""

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import asdict

from core.annotation import SentenceAnnotation
from core.commandline import texts
from core.commandline.options import READS, Commands, add_command
from core.commandline.reports import Report
from core.errors import WorkbenchError
from core.treebank import Treebank
from core.workspace.annotate.by_example import by_example
from core.workspace.wording import amount


def add_propose(actions: Commands) -> None:
    """Add ``propose`` to the actions of ``corpus``."""
    title = "requests that make the same change as corrected sentences, everywhere"
    command = add_command(actions, "propose", title, run_propose, READS)
    command.add_argument("before", metavar="BEFORE", help="the whole text, as it was")
    command.add_argument("after", metavar="AFTER", help="the same text with some sentences corrected, one to three")


def run_propose(options: Namespace) -> Report:
    """What is proposed from the sentences that differ."""
    before, after = (texts.read(path, options) for path in (options.before, options.after))
    result = by_example(before, corrected_in(before, after))
    lines = []
    for proposal in result.proposals:
        where = f"{amount(proposal.hits, 'more place')} in {amount(proposal.sentences, 'sentence')}"
        of = ", ".join(str(index + 1) for index in proposal.examples)
        lines += [f"% change {proposal.kind + 1}, {proposal.level}: {where}; seen in sentences {of}", proposal.request]
    lines += [f"rule: {rule} ({amount(count, 'other word')} break it)" for rule, count in result.rules]
    lines += [f"constraint: {line}" for line in result.constraints]
    data = {"proposals": [_as_data(proposal) for proposal in result.proposals]}
    data |= {"rules": [{"rule": rule, "breaches": count} for rule, count in result.rules]}
    return Report(data | {"constraints": list(result.constraints)}, "\n".join(lines))


def corrected_in(before: Treebank, after: Treebank) -> Mapping[int, SentenceAnnotation]:
    """The sentences that another treebank of the same sentences has corrected. Raises WorkbenchError."""
    if len(before) != len(after):
        raise WorkbenchError(
            f"{before.name} has {amount(len(before), 'sentence')}, {after.name} has {len(after):,}; "
            "give one text before and after it was corrected"
        )
    corrected = {}
    for index, sentence in enumerate(after):
        annotation, former = SentenceAnnotation.of(sentence), SentenceAnnotation.of(before[index])
        columns = [(each.forms, each.heads, each.deprels, each.upos) for each in (annotation, former)]
        if columns[0] != columns[1]:
            corrected[index] = annotation
    return corrected


def _as_data(proposal):
    """A proposal for JSON, its sentences counted from 1."""
    data = asdict(proposal) | {"kind": proposal.kind + 1, "examples": [index + 1 for index in proposal.examples]}
    return data | {"places": [{"sentence": index + 1, "word": word} for index, word in proposal.places]}
