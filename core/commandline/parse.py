"""``parse`` and ``evaluate``."""

import time
from argparse import Namespace

import numpy as np

from core.commandline.options import READS, SPREADS, Commands, add_command
from core.commandline.reports import Report, by_keys, table, written
from core.commandline.shards import annotate, save_annotated
from core.commandline.texts import add_keep_enhanced, read, refuse_engine, refuse_of_files, say_dropped_graphs
from core.errors import WorkbenchError
from core.evaluation import attachment_scores, conll2006_scores, conll2018_scores
from core.evaluation.alignment import OTHER_WORDS, spell_the_same
from core.evaluation.scores import require_same_text
from core.evaluation.shared_tasks import RULES
from core.joint import JointParser, OneScheme
from core.joint.files import KIND
from core.parsers import ENGLISH, load_parser
from core.parsers.given import complete
from core.parsers.sharded import PARSE, Annotation
from core.parsers.weights import read_kind
from core.shards.folder import is_folder
from core.treebank.whose import drawn_by_hand
from core.workspace.wording import amount

F1_COLUMNS = ("correct", "gold", "system", "aligned", "precision", "recall", "f1", "aligned_accuracy")


def add_commands(commands: Commands) -> None:
    """Add ``parse`` and ``evaluate`` to the command line."""
    command = add_command(commands, "parse", "parse a file, or a folder of shards", run_parse, READS + SPREADS, "parse")
    command.add_argument("file", metavar="FILE|FOLDER")
    command.add_argument("--model", required=True, metavar="M", help="a parser saved with --out, or english, ours")
    command.add_argument("--out", required=True, metavar="FILE|FOLDER", help="write CoNLL-U here, or shards")
    command.add_argument("--scheme", metavar="NAME", help="whose trees a joint model writes: a name, or 1, 2, ... "
                         "(default: 1)")  # fmt: skip
    command.add_argument("--keep-trees", action="store_true", help="leave sentences alone all of whose words have a "
                         "head (default: they are parsed anew; of others the heads that are there stay)")  # fmt: skip

    add_keep_enhanced(command)

    command = add_command(commands, "evaluate", "score one or two systems against gold trees", run_evaluate, READS)
    command.add_argument("gold", metavar="GOLD")
    command.add_argument("systems", metavar="SYSTEM", nargs="+", help="one or two system files")
    command.add_argument("--rules", choices=RULES, help="score as that shared task did (default: words with a gold "
                         "head, with punctuation and without)")  # fmt: skip


def run_parse(options: Namespace) -> Report:
    """Parse FILE; scores are added where it has trees of its own."""
    if is_folder(options.file):
        refuse_of_files(options, "keep_trees", "keep_enhanced")
        return annotate(options, Annotation(PARSE, options.model))
    refuse_engine(options, options.file)
    if str(options.model) != ENGLISH and read_kind(options.model) == KIND:
        model = OneScheme(JointParser.load(options.model), options.scheme)
    elif options.scheme:
        raise WorkbenchError(f"{options.model} holds one parser, not a joint model; leave out --scheme")
    else:
        model = load_parser(options.model)
    treebank = read(options.file, options)
    began = time.perf_counter()
    parsed, partial = complete(model, treebank, keep_trees=options.keep_trees)
    data = save_annotated(parsed, options, began)
    given = np.repeat(partial, treebank.lengths + 1)
    scored = np.where(given | options.keep_trees, -1, treebank.heads)
    scores = attachment_scores(treebank.with_heads(scored, treebank.deprel), parsed)
    if scores.words:
        data.update(uas=scores.uas, words=scores.words)
        if getattr(model, "labelled", False) and scores.labelled:
            data.update(las=scores.las, label_accuracy=scores.label_accuracy)
    if isinstance(model, OneScheme):
        data.update(scheme=model.name, schemes=list(model.names))
    lines = [written("parsed", data)]
    say_dropped_graphs(parsed, data, lines)
    if partial.any():
        data["given"] = {"sentences": int(partial.sum()), "heads": int((treebank.heads[given] >= 0).sum())}
        completed, heads = amount(data["given"]["sentences"], "sentence"), amount(data["given"]["heads"], "head")
        lines.append(f"{completed} completed around {heads} that stood there; they are not scored")
    if scores.words:
        lines.append(f"unlabeled attachment against the file's own trees: {scores.uas:.1f} % of {scores.words} words")
    if "las" in data:
        lines.append(f"labeled attachment: {scores.las:.1f} %")
    return Report(data, "\n".join(lines))


def run_evaluate(options: Namespace) -> Report:
    """Attachment scores with and without punctuation, per system; or those of a shared task."""
    if options.rules:
        return _by_rules(options)
    scored = "without_punctuation" if options.no_punctuation else "with_punctuation"
    options.no_punctuation = False  # it selects what is scored; trees stay whole
    gold = read(options.gold, options)
    systems, rows, notes = {}, [], []
    for path in options.systems:
        system = read(path, options)
        try:
            require_same_text(gold, system)
        except WorkbenchError as error:
            if spell_the_same(gold, system):
                raise WorkbenchError(f"{path} {OTHER_WORDS}") from error
            raise
        scorable, drawn = _without_drawn(gold, system, path)
        notes += [f"not scored: {amount(drawn, 'word')} of {path} drawn by hand, as its comments say"] if drawn else []
        parts = {"with_punctuation": attachment_scores(scorable, system).as_dict()}
        parts["without_punctuation"] = attachment_scores(scorable, system, punctuation=False).as_dict()
        systems[str(path)] = {**parts[scored], **parts, "drawn_by_hand": drawn}
        for part, name in (("with_punctuation", "all words"), ("without_punctuation", "without punctuation")):
            rows.append({**parts[part], "system": str(path), "scored": name})
    first = next(iter(systems.values()))
    columns = {"system": "system", "scored": "scored", "words": "words", "UAS %": "uas", "LAS %": "las"}
    text = by_keys(rows, columns | {"complete %": "complete_match"})
    return Report({**first, "systems": systems}, "\n".join([text, *notes]))


def _without_drawn(gold, system, path):
    """(the gold trees without words whose heads in ``system`` were drawn by hand, how many these are)."""
    drawn = drawn_by_hand(system)
    if not drawn.any():
        return gold, 0
    left = np.where(drawn, -1, gold.heads)
    if not (left >= 0).any():
        raise WorkbenchError(f"{path}: comments say that all its heads were drawn by hand; there is nothing to score")
    return gold.with_heads(left, gold.deprel), int(drawn.sum())


def _by_rules(options):
    """The scores of the shared task that ``--rules`` names, per system."""
    if options.no_punctuation:
        raise WorkbenchError("a shared task has its own rule for punctuation; leave out --no-punctuation")
    gold = read(options.gold, options)
    systems, rows = {}, []
    for path in options.systems:
        system = read(path, options)
        if options.rules == "conll2018":
            found = conll2018_scores(gold, system)
            systems[str(path)] = {name.lower(): each.as_dict() for name, each in found.items()}
            rows += [
                (str(path), name, *(getattr(each, column) for column in F1_COLUMNS)) for name, each in found.items()
            ]
            continue
        found, whole = conll2006_scores(gold, system), conll2006_scores(gold, system, punctuation=True)
        systems[str(path)] = {**found.as_dict(), "with_punctuation": whole.as_dict()}
        for name, each in (("without punctuation", found), ("all words", whole)):
            rows.append((str(path), name, each.words, each.uas, each.las, each.label_accuracy))
    header = ("system", "scored", "words", "UAS %", "LAS %", "relations %")
    if options.rules == "conll2018":
        header = ("system", "score", "right", "of gold", "of system", "aligned", "precision %", "recall %", "F1 %",
                  "of aligned %")  # fmt: skip
    first = next(iter(systems.values()))
    return Report({"rules": options.rules, **first, "systems": systems}, table(rows, header))
