"""``dmv train``: a grammar from tags, and from brackets where the text has them."""

import math
import time
from argparse import Namespace

from core.commandline import texts
from core.commandline.options import (
    LEARNS,
    Commands,
    add_actions,
    add_command,
    add_preset,
    add_settings,
    different_from_paper,
    settings_of,
)
from core.commandline.reports import Report, by_keys, every_second, extent, saved
from core.commandline.values import lengths
from core.errors import WorkbenchError
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.training import INITS, NO_SETTINGS, DMVSettings
from core.parsers.warming import INDUCTION
from core.settings import PAPER, of_paper
from core.shards.folder import Shards
from core.workspace.wording import amount

SHORT = (10, 20)  # spitkovsky2010, Table 8, besides all lengths


def add_commands(commands: Commands) -> None:
    """Add ``dmv`` to the command line."""
    actions = add_actions(commands, "dmv", "induce a grammar from tags and mark-up (spitkovsky2010)")
    title = "train a dependency model with valence on unparsed text"
    command = add_command(actions, "train", title, run_train, LEARNS, INDUCTION)
    command.add_argument("file", metavar="FILE|FOLDER")
    how = command.add_mutually_exclusive_group()
    how.add_argument("--viterbi", action="store_true", help="train on best trees (default)")
    how.add_argument("--em", action="store_true", help="train on all trees by their probability")
    stages = "longest sentences of each stage (default: 15,45)"
    command.add_argument("--stages", type=lengths, metavar="N,N", help=stages)
    command.add_argument("--adapt", metavar="FILE", help="train on this text afterwards, up to 45 words, no brackets")
    command.add_argument("--init-from", metavar="FILE", help="estimate --init on this text (default: on FILE)")
    add_preset(command, "give --init-from and --adapt for its INIT and ADAPT, which take another text")
    add_settings(command, DMVSettings(), only_given=True)


def training_settings(options: Namespace) -> DMVSettings:
    """The settings that options ask for; ``uniform`` stands for parameters of a file."""
    of_preset = of_paper(DMVSettings()) if options.preset == PAPER else DMVSettings()
    return settings_of(
        options,
        of_preset,
        init=options.init if options.init in INITS else "uniform" if options.init else of_preset.init,
        lengths=options.stages or (of_preset.lengths if options.max_length is None else (options.max_length,)),
        adapt=bool(options.adapt),
        algorithm="em" if options.em else "viterbi",
    )


def run_train(options: Namespace) -> Report:
    """Train on FILE's tags; scores, where there are gold trees, are means over five ways to break ties.

    ``--max-length`` is for training: text to score is taken at all lengths.
    """
    start = None if options.init in (None, *INITS) else DMV.load(texts.readable(options.init))
    if start is not None and options.init_from:
        raise WorkbenchError("--init-from is for a start that is estimated, harmonic or adhoc; leave it out")
    settings = training_settings(options)
    whole = texts.any_length(options)
    treebank = texts.read_text_or_shards(options.file, whole)
    given = texts.read_named(whole, "dev", "test", "adapt", "init_from")
    marked = settings.level != "none" or settings.trim
    brackets = texts.brackets_of(treebank, options) if marked else None
    began = time.perf_counter()
    with texts.engine_of(options, treebank) as engine:
        model = DMV(settings, tags=options.tags).fit(
            treebank, brackets, start=start, adapt_to=given.get("adapt"), watch=given.get("dev"), engine=engine,
            init_from=given.get("init_from"), progress=every_second(options.progress, _stands),
        )  # fmt: skip
        seconds = time.perf_counter() - began
        out = saved(options.out, model.save)
        scored = given.get("test", treebank)
        cross_entropy = model.cross_entropy(scored, engine=engine)
        data = {} if isinstance(scored, Shards) else _scores(model, scored)
        data |= texts.text_figures(treebank, options)
        data |= {name: getattr(model, name) for name in ("skipped", "column", "status", "fallbacks")}
        data |= {"tags": len(model.tags), "cross_entropy": cross_entropy if math.isfinite(cross_entropy) else None}
        data["iterations"] = len(model.history)
        data["history"] = [
            {name: getattr(state, name) for name in ("stage", "iteration", "cross_entropy", "objective")}
            | ({} if state.accuracy is None else {"uas": state.accuracy})
            for state in model.history
        ]
        if "dev" in given:
            data["dev"] = _scores(model, given["dev"])
    data |= out | {"seconds": seconds, "different_from_paper": _differences(settings, given)}
    return Report(data, _text(data))


def _differences(settings, given):
    start = ["start estimated on the text itself (paper: the WSJ)"]
    by_text = settings.init != "uniform" and "init_from" not in given
    return different_from_paper(settings, start * by_text + list(NO_SETTINGS))


def _stands(state):
    scored = "" if state.accuracy is None else f", {state.accuracy:.1f}% of heads right"
    return f"{state.stage}, iteration {state.iteration}: {state.cross_entropy:.3f} bits per token{scored}"


def _scores(model, treebank):
    """Accuracies at all lengths, and of short sentences by length; nothing where there are no gold trees."""
    if not (treebank.heads >= 0).any():
        return {}
    scores = model.accuracy(treebank)
    for length in SHORT:
        short = treebank.max_length(length)
        if (short.heads >= 0).any():
            scores[f"uas_{length}"] = model.accuracy(short)["uas"]
    return scores


def _text(data):
    lines = [f"{extent(data['sentences'], data['tokens'])}, {data['tags']} {data['column']} tags"]
    lines.append(f"{data['iterations']} iterations in {data['seconds']:.2f} s: {data['status']}")
    if data["skipped"]:
        lines.append(f"left out: {amount(data['skipped'], 'sentence')} with a word without a tag")
    if data["fallbacks"]:
        held = ", ".join(f"{count} at {level}" for level, count in data["fallbacks"].items() if count)
        lines.append(f"sentences with brackets: {held}")
    if data["cross_entropy"] is not None:
        lines.append(f"{data['cross_entropy']:.3f} bits per token on {data['scored_on']}")
    scored = {data["scored_on"]: data, "development text": data.get("dev", {})}
    rows = [{"text": name, **scores} for name, scores in scored.items() if "uas" in scores]
    if rows:
        columns = {"UAS % on": "text", "up to 10": "uas_10", "up to 20": "uas_20", "all lengths": "uas"}
        lines += ["", by_keys(rows, columns | {"words": "words"})]
    return "\n".join(lines)
