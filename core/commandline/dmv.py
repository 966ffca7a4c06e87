"""``dmv train``: a grammar from tags, and from brackets where the text has them."""

import math
import time
from argparse import Namespace

from core.commandline.options import SPREADS, TRAINS, Commands, add_actions, add_command, add_settings, settings_of
from core.commandline.reports import Report, every_second, table
from core.commandline.texts import (
    any_length,
    brackets_of,
    engine_of,
    read_named,
    read_text_or_shards,
    readable,
    text_figures,
)
from core.commandline.values import lengths
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.training import INITS, DMVSettings
from core.shards.folder import Shards

SHORT = (10, 20)  # spitkovsky2010, Table 8, besides all lengths


def add_commands(commands: Commands) -> None:
    """Add ``dmv`` to the command line."""
    actions = add_actions(commands, "dmv", "induce a grammar from tags and mark-up (spitkovsky2010)")
    title = "train a dependency model with valence on unparsed text"
    command = add_command(actions, "train", title, run_train, TRAINS + SPREADS, "induction")
    command.add_argument("file", metavar="FILE|FOLDER")
    how = command.add_mutually_exclusive_group()
    how.add_argument("--viterbi", action="store_true", help="train on best trees (default)")
    how.add_argument("--em", action="store_true", help="train on all trees by their probability")
    command.add_argument("--stages", type=lengths, metavar="N,N", help="longest sentences of each stage, as in 15,45")
    command.add_argument("--adapt", metavar="FILE", help="train on this text afterwards, up to 45 words, no brackets")
    add_settings(command, DMVSettings())


def training_settings(options: Namespace) -> DMVSettings:
    """The settings that options ask for; ``uniform`` stands for parameters of a file."""
    return settings_of(
        options,
        DMVSettings(),
        init=options.init if options.init in INITS else "uniform",
        lengths=options.stages or (options.max_length,),
        adapt=bool(options.adapt),
        algorithm="em" if options.em else "viterbi",
    )


def run_train(options: Namespace) -> Report:
    """Train on FILE's tags; scores, where there are gold trees, are means over five ways to break ties.

    ``--max-length`` is for training: text to score is taken at all lengths.
    """
    start = DMV.load(readable(options.init)) if options.init not in INITS else None
    settings = training_settings(options)
    whole = any_length(options)
    treebank = read_text_or_shards(options.file, whole)
    texts = read_named(whole, "dev", "test", "adapt")
    marked = options.level != "none" or options.trim
    brackets = brackets_of(treebank, options) if marked else None
    began = time.perf_counter()
    with engine_of(options, treebank) as engine:
        model = DMV(settings, tags=options.tags).fit(
            treebank,
            brackets,
            engine=engine,
            start=start,
            adapt_to=texts.get("adapt"),
            watch=texts.get("dev"),
            progress=every_second(options.progress, _stands),
        )
        seconds = time.perf_counter() - began
        if options.out:
            model.save(options.out)
        data = _figures(model, treebank, texts, options, engine) | {"seconds": seconds}
    return Report(data, _text(data))


def _stands(state):
    scored = "" if state.accuracy is None else f", {state.accuracy:.1f} % of heads right"
    return f"{state.stage}, iteration {state.iteration}: {state.cross_entropy:.3f} bits per token{scored}"


def _figures(model, text, texts, options, engine):
    scored = texts.get("test", text)
    cross_entropy = model.cross_entropy(scored, engine=engine)
    data = {
        **({} if isinstance(scored, Shards) else _scores(model, scored)),
        **text_figures(text, options),
        **{name: getattr(model, name) for name in ("skipped", "column", "status", "fallbacks")},
        "tags": len(model.tags),
        "cross_entropy": cross_entropy if math.isfinite(cross_entropy) else None,
        "iterations": len(model.history),
        "history": [
            {name: getattr(state, name) for name in ("stage", "iteration", "cross_entropy", "objective")}
            | ({} if state.accuracy is None else {"uas": state.accuracy})
            for state in model.history
        ],
    }
    if "dev" in texts:
        data["dev"] = _scores(model, texts["dev"])
    if options.out:
        data["out"] = str(options.out)
    return data


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
    lines = [f"{data['sentences']} sentences, {data['tokens']} words, {data['tags']} {data['column']} tags"]
    lines.append(f"{data['iterations']} iterations in {data['seconds']:.2f} s: {data['status']}")
    if data["skipped"]:
        lines.append(f"left out: {data['skipped']} sentences with a word without a tag")
    if data["fallbacks"]:
        shares = ", ".join(f"{count} at {level}" for level, count in data["fallbacks"].items() if count)
        lines.append(f"sentences with brackets: {shares}")
    if data["cross_entropy"] is not None:
        lines.append(f"{data['cross_entropy']:.3f} bits per token on {data['scored_on']}")
    rows = [
        (name, found.get("uas_10"), found.get("uas_20"), found.get("uas"), found.get("words"))
        for name, found in ((data["scored_on"], data), ("development text", data.get("dev", {})))
        if "uas" in found
    ]
    if rows:
        lines += ["", table(rows, ("UAS % on", "up to 10", "up to 20", "all lengths", "words"))]
    return "\n".join(lines)
