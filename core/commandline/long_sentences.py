"""What commands do with sentences so long that trees of them take long: warn, leave them as they are, or cut them."""

from argparse import ArgumentParser, Namespace

import numpy as np

from core.annotation.long_sentences import cut_sentences
from core.commandline.values import positive
from core.errors import WorkbenchError
from core.parsers.mst.model import HEADS
from core.parsers.protocols import Parser
from core.parsers.pruning import is_pruned, pruning_note
from core.treebank import Column, Treebank
from core.treebank.plain import LONG
from core.treebank.retag import with_column
from core.workspace.corpora import short_sentences
from core.workspace.wording import amount

LEFT_OUT = f"--max-length {LONG} leaves them out"  # the remedy where a command parses whole texts alone


def add_longest(command: ArgumentParser) -> None:
    """The options ``--longest`` and ``--cut``, which ``with_cuts`` and ``short_enough`` heed."""
    command.add_argument("--longest", type=positive, metavar="N", help="leave sentences of more than N words as they "
                         "are, without a new tree (default: all are parsed)")  # fmt: skip
    command.add_argument("--cut", action="store_true", help="cut sentences of more words than --longest into parts of "
                         "at most so many, after a punctuation mark where there is one, and parse these")  # fmt: skip


def with_cuts(whole: Treebank, options: Namespace) -> tuple[Treebank, int]:
    """(the text with ``--cut`` done, how many sentences were cut)."""
    if not options.cut:
        return whole, 0
    if options.longest is None:
        raise WorkbenchError(f"--cut needs the words of the longest part; add --longest {LONG}")
    return cut_sentences(whole, options.longest), int((whole.lengths > options.longest).sum())


def short_enough(whole: Treebank, options: Namespace) -> Treebank:
    """The sentences that ``--longest`` has parsed; all by default, with a warning of those that take long."""
    if options.longest:
        return short_sentences(whole, options.longest)
    warn_of_long(whole, options, f"--longest {LONG} leaves them as they are, with --cut it cuts them")
    return whole


def warn_of_long(text: Treebank, options: Namespace, remedy: str) -> None:
    """Say before the work, once a text, that its long sentences take long; ``remedy`` says what to do about it."""
    if count := int((text.lengths > LONG).sum()):
        longest = int(text.lengths.argmax())
        options.progress(
            f"warning: {amount(count, 'sentence')} of more than {LONG} words, which may take long (the longest: "
            f"{text[longest].sent_id or longest + 1} of {int(text.lengths[longest]):,}); {remedy}"
        )


def with_long(parsed: Treebank, whole: Treebank, options: Namespace) -> Treebank:
    """The whole text with the trees of what was parsed, and its own where sentences were longer than ``--longest``."""
    if len(parsed) == len(whole):
        return parsed
    rows = (whole.lengths <= options.longest)[whole.sentence_rows]
    columns = {name: getattr(whole, name).strings() for name in ("deprel", "misc")}
    heads = whole.heads.copy()
    heads[rows] = parsed.heads
    for name, values in columns.items():
        values[rows] = getattr(parsed, name).strings()
    changed = whole.with_heads(heads, columns["deprel"].tolist())
    return with_column(changed, "misc", Column.intern(columns["misc"].tolist()))


def long_lines(parser: Parser, text: Treebank, cut: int, data: dict) -> list[str]:
    """Lines on how many sentences were cut, and on those that a parser searched in part; ``data`` has their numbers."""
    lines = []
    if cut:
        data["cut"] = cut
        lines.append(f"{amount(cut, 'sentence')} cut, so that the text has {amount(len(text), 'sentence')}")
    pruned = np.flatnonzero(is_pruned(parser, text))
    if len(pruned):
        data["pruned"] = {"sentences": [text[i].sent_id or str(i + 1) for i in pruned.tolist()], "heads": HEADS}
        lines.append(pruning_note(parser, text))
    return lines
