"""``corpus prompt`` and ``corpus adopt``: trees of a language model or another tool, asked for and made a parse."""

from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

import numpy as np

from core.annotation.label_inventories import LabelInventories
from core.commandline import texts
from core.commandline.options import READS, Commands, add_command
from core.commandline.reports import Report, table, write_text
from core.evaluation.scores import require_same_text
from core.languages.names import UNKNOWN, language_name
from core.proposals import Adopted, adopt, example_trees, prompt, read_answer
from core.treebank import Treebank, load_sample, write_conllu
from core.workspace.answers import summary
from core.workspace.constraints.known_trees import parse_numbers
from core.workspace.corpora import naming
from core.workspace.wording import amount

ASKED = 20  # sentences of a prompt


def add_answers(actions: Commands) -> None:
    """Add ``prompt`` and ``adopt`` to the actions of ``corpus``."""
    title = "a prompt that asks a language model for trees of a text; nothing is sent"
    command = add_command(actions, "prompt", title, run_prompt, READS)
    command.add_argument("file", metavar="FILE", help="the text")
    command.add_argument("--sentences", metavar="NUMBERS", help=f"such as 1-20,33 (default: the first {ASKED} that are "
                         "no examples)")  # fmt: skip
    command.add_argument("--examples", metavar="TREES", help="whole trees that show the scheme (default: those of "
                         "FILE, else of the sample)")  # fmt: skip
    command.add_argument("--out", metavar="PATH", help="write the prompt here")

    title = "an answer with trees of a text made a parse of it by the fewest changes, each listed"
    command = add_command(actions, "adopt", title, run_adopt, READS)
    command.add_argument("file", metavar="FILE", help="the text")
    command.add_argument("answer", metavar="ANSWER", help="as it came: CoNLL-U or nearly so, a table, JSON, in prose")
    command.add_argument("--at-hand", metavar="TREES", help="another parse of FILE, which decides what ANSWER leaves "
                         "open")  # fmt: skip
    command.add_argument("--out", required=True, metavar="PATH", help="write the parse here, as CoNLL-U; sentences "
                         "that ANSWER lacks have no heads")  # fmt: skip


def run_prompt(options: Namespace) -> Report:
    """The prompt, and which sentences it asks for."""
    text = texts.read(options.file, options)
    trees = texts.read(options.examples, options) if options.examples else text
    examples = example_trees(trees)
    if not len(examples):
        examples = example_trees(load_sample())
    if options.sentences:
        asked = [number - 1 for number in parse_numbers(options.sentences, len(text))]
    else:
        own = np.zeros(0) if options.examples else examples.picks
        asked = np.flatnonzero(~np.isin(text.picks, own))[:ASKED].tolist()
    inventories = LabelInventories.of(trees if (trees.heads >= 0).any() else examples)
    code = texts.named_language(text, options) or UNKNOWN
    made = prompt(text, asked, examples, inventories, "" if code == UNKNOWN else language_name(code))
    if options.out:
        write_text(options.out, made)
    data = {"prompt": made, "sentences": [index + 1 for index in asked], "examples": len(examples)}
    said = f"a prompt for {amount(len(asked), 'sentence')} written to {options.out}; nothing was sent"
    return Report(data, said if options.out else made)


def run_adopt(options: Namespace) -> Report:
    """The parse, and what was changed."""
    text = texts.read(options.file, options)
    at_hand = texts.read(options.at_hand, options) if options.at_hand else None
    if at_hand is not None:
        require_same_text(text, at_hand)
    adopted = adopted_of(text, options.answer, at_hand)
    write_conllu(adopted.treebank.to_conllu(), options.out)
    changes = [asdict(change) | {"sentence": change.sentence + 1 or None} for change in adopted.changes]
    data = {"sentences": adopted.found, "used": len(adopted.used), "kinds": adopted.kinds, "changes": changes}
    rows = [tuple(each[name] for name in ("sentence", "word", "kind", "before", "after", "reason")) for each in changes]
    lines = [summary(adopted), f"written to {options.out}"]
    if rows:
        lines += ["", table(rows, ("sentence", "word", "kind", "answer", "parse", "reason"))]
    return Report(data | {"out": str(options.out)}, "\n".join(lines))


def adopted_of(text: Treebank, path: str | Path, at_hand: Treebank | None = None) -> Adopted:
    """The Adopted of a file with an answer, whose name its parse gets. Raises WorkbenchError, which names the file."""
    with naming(str(path)):
        return adopt(text, read_answer(texts.read_text(path)), at_hand)
