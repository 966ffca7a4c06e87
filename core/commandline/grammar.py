"""``grammar train``: a grammar from lines on unparsed text."""

from argparse import Namespace
from dataclasses import replace

import numpy as np

from core.commandline.lines import add_lines
from core.commandline.options import SPREADS, TRAINS, Commands, add_actions, add_command, add_settings, settings_of
from core.commandline.propose import add_propose
from core.commandline.reports import Report, every_second, expectation_rows, expectation_table, table
from core.commandline.texts import (
    any_length,
    brackets_of,
    engine_of,
    read,
    read_constraints,
    read_text_or_shards,
    text_figures,
)
from core.constraints.labels import RuleLabels
from core.constraints.stacking import LEAST
from core.constraints.train_grammar import GrammarResult, GrammarSettings, train_grammar
from core.errors import WorkbenchError
from core.evaluation import attachment_scores
from core.parsers import MSTParser
from core.parsers.self_training import concatenate
from core.shards.folder import Shards
from core.workspace.wording import amount

RULES = "rules"
LABELLER_BITS = 16  # of the table for its own trees, which nobody asks for
PRESETS = {"best": "auto", "plain": "no"}  # whether frequent words are symbols of their own


def add_commands(commands: Commands) -> None:
    """Add ``grammar`` to the command line."""
    actions = add_actions(commands, "grammar", "lines on an extended-valence grammar (posterior regularization)")
    add_lines(actions)
    title = "train a grammar from constraints on unparsed text"
    command = add_command(actions, "train", title, run_train, TRAINS + SPREADS, "grammar")
    command.add_argument("file", metavar="FILE|FOLDER")
    command.add_argument("--constraints", metavar="C", required=True, help="a file of constraints")
    command.add_argument("--then", metavar="C2", help="retrain warm with these constraints afterwards")
    command.add_argument("--labels", metavar="rules|TREES",
                         help="relations of the trees: by rules from parts of speech, or learnt from a file of trees; "
                         "without, root and dep")  # fmt: skip
    command.add_argument("--preset", choices=tuple(PRESETS), default="best",
                         help="best: frequent words are symbols where that makes held-out text more probable; "
                         "plain: tags alone")  # fmt: skip
    command.add_argument(
        "--trees", metavar="TREES",
        help="trees to learn from too: FILE with heads, or other sentences; _ where a head is not known",
    )  # fmt: skip
    add_settings(command, GrammarSettings())
    add_propose(actions)


def run_train(options: Namespace) -> Report:
    """Train on FILE; ``--max-length`` is for training: text to score is taken at all lengths."""
    whole = any_length(options)
    text = read_text_or_shards(options.file, whole)
    test = read(options.test, whole) if options.test else text
    constraints, later = (read_constraints(path, text, options) for path in (options.constraints, options.then))
    settings = training_settings(options)
    text, heads = _with_known_heads(options, text, whole)
    brackets = brackets_of(text, options) if settings.level != "none" else None
    known = {"brackets": brackets, "trees": heads}
    labels = _labels(options, whole)
    progress = every_second(options.progress, lambda state: (
        f"{state.stage}, iteration {state.iteration}: dual {state.dual:.4f} nats a word, {state.seconds:.0f} s"
    ))  # fmt: skip
    with engine_of(options, text) as engine:
        result = train_grammar(text, constraints, settings, engine=engine, progress=progress, **known)
        seconds = {"seconds": result.seconds}
        if later:
            result = train_grammar(text, later, settings, engine=engine, start=result.model, progress=progress, **known)
            seconds["warm_seconds"] = result.seconds
    model = result.model.with_labels(labels)
    if options.out:
        model.save(options.out)
    data = {
        **({} if isinstance(test, Shards) else _scores(test, model)),
        **text_figures(text, options),
        "column": options.tags,
        **_figures(result, text),
        **seconds,
        **({"out": str(options.out)} if options.out else {}),
    }
    return Report(data, _text(data, result))


def training_settings(options: Namespace) -> GrammarSettings:
    """The settings that options ask for."""
    settings = settings_of(options, GrammarSettings(words=PRESETS[options.preset]))
    if options.max_length is None:
        return settings
    lengths = settings.lengths[:1] if options.max_length > settings.lengths[0] else ()
    lengths = (*lengths, options.max_length)
    return replace(settings, lengths=lengths, iterations=settings.iterations[: len(lengths)])


def _labels(options, whole):
    """What gives the trees their relations; None for "root" and "dep"."""
    if options.labels in (None, RULES):
        return None if options.labels is None else RuleLabels()
    trees = read(options.labels, whole)
    if not trees.deprel.filled:
        raise WorkbenchError(f"{options.labels} has no relations to learn; give trees with DEPREL, or --labels {RULES}")
    return MSTParser(tags=options.tags, bits=LABELLER_BITS).fit(trees)


def _scores(test, model):
    """Attachment of a model's trees, of relations too where it writes any; {} where the text has no trees."""
    if not (test.heads >= 0).any():
        return {}
    scores = attachment_scores(test, model.parse(test)).as_dict()
    if model.labels is None:
        return {name: value for name, value in scores.items() if name not in ("las", "label_accuracy")}
    return scores


def _with_known_heads(options, text, whole):
    """(text, heads of ``--trees`` or None): the heads of FILE's own words, or other sentences behind those of FILE."""
    if options.stacked and not options.trees:
        raise WorkbenchError("--stacked learns trees; say with --trees which, or leave it out")
    if not options.trees:
        return text, None
    if isinstance(text, Shards):
        raise WorkbenchError("known trees are of a file's sentences, not of shards; leave out --trees")
    trees = read(options.trees, whole)
    known = np.logical_or.reduceat(trees.heads >= 0, trees.offsets[:-1]).sum()
    if known < (LEAST if options.stacked else 1):
        raise WorkbenchError(
            f"{options.trees}: {amount(int(known), 'sentence')} with a known head; "
            + (f"to stack, give trees of {LEAST} at least" if options.stacked else "give heads to learn from")
        )
    if [sentence.forms for sentence in trees] == [sentence.forms for sentence in text]:
        return text, trees.heads
    return concatenate(text, trees), np.concatenate([np.full(len(text.heads), -1, np.int32), trees.heads])


def _figures(result: GrammarResult, treebank):
    return {
        **{name: getattr(result, name) for name in ("status", "dual", "gap", "held_out", "untagged", "learnt")},
        "expectations": expectation_rows(result, result.constraints),
        "unmet": [line.name for line in result.unmet],
        "skipped": [line.name for line in result.skipped],
        "crossing": [treebank[index].sent_id or index + 1 for index in result.crossing],
    }


def _text(data, result):
    lines = [f"{data['sentences']} sentences, {data['tokens']} words, constraints on {data['column'].upper()}; "
             f"{data['seconds']:.1f} s"]  # fmt: skip
    if "warm_seconds" in data:
        lines.append(f"retrained after the edit in {data['warm_seconds']:.1f} s")
    if "uas" in data:
        shown = {"UAS %": "uas", **({"LAS %": "las"} if "las" in data else {}), "words": "words"}
        lines += [f"scored on {data['scored_on']}", "", table([[data[name] for name in shown.values()]], list(shown))]
    if data["held_out"]:
        words, tags = (data["held_out"][name] for name in ("words", "tags"))
        better = "more" if words > tags else "less"
        lines += ["", f"held-out sentences: {words:.3f} nats a word with words as symbols, {better} than {tags:.3f} "
                      "with tags alone"]  # fmt: skip
    lines += ["", expectation_table(data["expectations"], result.constraints)]
    if data["learnt"]:
        lines.append(f"a second-order parser learnt {amount(data['learnt'], 'tree')}")
    lines += [f"warning: {name} stays outside its target" for name in data["unmet"]]
    lines += [f"warning: {name} matches nothing in this text" for name in data["skipped"]]
    if data["untagged"]:
        lines.append(f"warning: {data['untagged']} sentences are left out, for a word has no tag")
    if data["crossing"]:
        lines.append(f"warning: no tree without crossing arcs has the known heads of {data['crossing'][0]}"
                     + (f" and {len(data['crossing']) - 1} more" if data["crossing"][1:] else ""))  # fmt: skip
    return "\n".join(lines)
