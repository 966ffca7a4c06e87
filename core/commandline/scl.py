"""``scl``: adapt a parser to a domain without a treebank (shimizu2007)."""

from argparse import Namespace
from typing import Any

from core.adaptation import AdaptedParser, StructuralCorrespondence
from core.adaptation.findings import changed_edges, direction_findings, pivot_findings
from core.adaptation.pivots import load_pivots, parse_pivots
from core.adaptation.predictors import PREDICTORS
from core.adaptation.systems import FEW, NONE, SCL, Task, adapt, train_system
from core.commandline.common import (
    READS,
    Report,
    add_command,
    add_engine_options,
    engine_of,
    positive,
    read,
    read_text,
    read_text_or_shards,
    settings_of,
    table,
)
from core.errors import WorkbenchError
from core.evaluation import sign_test
from core.extras import require
from core.treebank import write_conllu

TEXT = "target"
OF_FILES = ("no_punctuation", "max_length", "limit")
SHOWN = 5  # features of a pivot, changed edges


def add_commands(commands: Any) -> None:
    """Add ``scl`` to the command line."""
    help = "adapt a parser to another domain from its unlabelled text (shimizu2007)"
    command = add_command(commands, "scl", help, run_scl, READS, "scl")
    command.add_argument("source", metavar="SOURCE", help="treebank to train on")
    command.add_argument(
        "unlabelled", metavar="UNLABELED", help="text of the target domain, or shards of it; trees are not looked at"
    )
    command.add_argument("test", metavar="TARGET_TEST", help="treebank of the target domain to score on")
    command.add_argument("--epochs", type=positive, default=4, help="iterations of training (default: 4)")
    command.add_argument("--few", metavar="FILE", help="a treebank of the target, for source + a few target sentences")
    command.add_argument("--few-limit", type=positive, default=50, metavar="N", help="how many of them (default: 50)")
    command.add_argument("--rounds", type=_whole, default=1, help="of self-training; 0 leaves it out (default: 1)")
    command.add_argument("--no-baselines", action="store_true", help="train the adapted parser alone")
    command.add_argument("--out", metavar="FILE", help="write the adapted parser's trees here (CoNLL-U)")
    command.add_argument("--save", metavar="M", help="keep the adapted parser, for parse --model M")
    command.add_argument("--seed", type=int, default=0, help="seed of everything random (default: 0)")
    _add_correspondence_options(command)
    add_engine_options(command)
    command.add_argument("--unlabeled-format", metavar="NAME", help="format of UNLABELED where it is another")


def _add_correspondence_options(command):
    group = command.add_argument_group("correspondence")
    group.add_argument("--pivots", metavar="FILE", help="lines such as: preposition = upos:ADP of in on")
    group.add_argument("--language", default="en", help="whose word lists (default: en)")
    group.add_argument(
        "--between", type=_whole, default=0, metavar="N", help="further pivots: N frequent words between"
    )
    group.add_argument("--frequent", type=_whole, default=0, metavar="N", help="further pivots: N frequent features")
    group.add_argument("--dimensions", type=positive, metavar="K", help="induced features (default: all, 25 at most)")
    group.add_argument("--read-tags", action="store_true", help="predictors read tags too")
    group.add_argument("--distance", action="store_true", help="predictors read direction and distance too")
    group.add_argument("--lowercase", action="store_true", help="predictors read words in lower case")
    group.add_argument("--minimum-count", type=positive, default=1, help="of words that have features (default: 1)")
    group.add_argument("--predictor", choices=PREDICTORS, default="sgd")
    group.add_argument("--penalty", type=float, default=1e-4, help="of predictors' weights (default: 0.0001)")
    group.add_argument("--edges", type=positive, default=200_000, help="candidate edges drawn (default: 200000)")
    group.add_argument(
        "--directed", action="store_true", help="induced features apart for modifiers before and after heads"
    )
    group.add_argument("--raw", action="store_true", help="induced features as they are, not standardized")
    group.add_argument(
        "--scale", type=float, nargs="+", default=[0.3], metavar="X", help="times induced features; several compare"
    )


def _whole(text):
    number = int(text)
    if number < 0:
        raise ValueError
    return number


_whole.__name__ = "whole number"


def run_scl(options: Namespace) -> Report:
    """Train every system on SOURCE and score it on TARGET_TEST after each iteration."""
    require("adaptation")
    source, test = read(options.source, options), read(options.test, options)
    if not (test.heads >= 0).any():
        raise WorkbenchError(f"{options.test} has no trees to score on; give a treebank of the target domain")
    unlabelled = _read_unlabelled(options)
    few = read(options.few, options).limit(options.few_limit) if options.few else None
    task = Task(source, {TEXT: test}, options.tags, options.epochs, options.seed, say=options.progress)
    with engine_of(options, unlabelled) as engine:
        found = adapt(
            task, unlabelled, _correspondence(options), few=few, rounds=options.rounds,
            baselines=not options.no_baselines, engine=engine,
        )  # fmt: skip
    systems = {name: _data(system, test, found.systems.get(NONE)) for name, system in found.systems.items()}
    scl = found.systems[SCL]
    scales = {f"{options.scale[0]:g}": systems[SCL]["iterations"][-1]}
    for scale in options.scale[1:]:
        other = train_system(task, f"{SCL}, scale {scale:g}", correspondence=scl.correspondence.scaled(scale))
        scales[f"{scale:g}"] = _iterations(other)[-1]
    data = {
        **{name: value for name, value in systems[SCL].items() if name != "seconds"},
        "systems": systems,
        "scored_on": str(options.test),
        "few_target_sentences": len(few) if few is not None and FEW in systems else 0,
        "dimensions": scl.correspondence.trained().dimensions,
        "singular_values": [each.singular_value for each in direction_findings(scl.correspondence, 1)],
        "pivots": [_pivot(each) for each in pivot_findings(scl.correspondence, SHOWN)],
        "scales": scales,
        "skipped": scl.parser.skipped,
        "notes": list(found.notes),
        "seconds": scl.seconds,
    }
    if NONE in found.systems:
        data["changed"] = _changed(test, found.systems)
    if options.out:
        write_conllu(scl.parsed[TEXT].to_conllu(), options.out)
        data["out"] = str(options.out)
    if options.save:
        AdaptedParser(scl.parser, scl.correspondence.trained()).save(options.save)
        data["model"] = str(options.save)
    return Report(data, _text(data))


def _read_unlabelled(options):
    own, options.format = options.format, options.unlabeled_format or options.format
    unlabelled = read_text_or_shards(options.unlabelled, options, OF_FILES)
    options.format = own
    return unlabelled


def _correspondence(options):
    pivots = load_pivots(options.language)
    if options.pivots:
        pivots = parse_pivots(read_text(options.pivots), options.pivots)
    return settings_of(
        StructuralCorrespondence,
        options,
        pivots=pivots,
        tags=options.read_tags,
        standardize=not options.raw,
        scale=options.scale[0],
    )


def _data(system, test, base):
    data = {"iterations": _iterations(system), "seconds": system.seconds}
    data |= data["iterations"][-1]
    if base is not None and system is not base:
        found = sign_test(test, base.parsed[TEXT], system.parsed[TEXT])
        data |= {"p_value": found.p_value, "words_better": found.only_second, "words_worse": found.only_first}
    return data


def _iterations(system):
    if not system.scores[TEXT]:
        raise WorkbenchError("training ended before its first iteration; train again")
    return [scores.as_dict() for scores in system.scores[TEXT]]


def _pivot(found):
    return {
        "name": found.name,
        "by": found.by,
        "source": found.counts[0],
        "target": found.counts[1],
        "right": found.right,
        "majority": found.majority,
        "strongest": [name for name, _ in found.strongest],
    }


def _changed(test, systems):
    edges = changed_edges(test, systems[NONE].parsed[TEXT], systems[SCL])
    verdicts = [edge.verdict for edge in edges]
    counts = {verdict: verdicts.count(verdict) for verdict in dict.fromkeys(sorted(verdicts))}
    share = sum(edge.share for edge in edges) / len(edges) if edges else None
    return {"words": len(edges), **counts, "mean_induced_share": share}


def _text(data):
    rows = [
        (name, number, each.get("las"), each["uas"], each.get("label_accuracy"))
        for name, system in data["systems"].items()
        for number, each in enumerate(system["iterations"], start=1)
    ]
    lines = [table(rows, ("system", "iteration", "LAS %", "UAS %", "labels %")), ""]
    systems = [
        (
            name,
            f"{each['p_value']:.3g}" if "p_value" in each else "-",
            each.get("words_better"),
            each.get("words_worse"),
        )
        for name, each in data["systems"].items()
    ]
    lines += [table(systems, ("heads against none", "p", "better", "worse")), ""]
    pivots = [
        (each["name"], each["by"], each["source"], each["target"], each["right"], each["majority"])
        for each in data["pivots"]
    ]
    header = ("pivot", "by", "source edges", "target edges", "predicted %", "majority %")
    lines += [table(pivots, header), ""]
    if len(data["scales"]) > 1:
        scales = [(scale, each.get("las"), each["uas"]) for scale, each in data["scales"].items()]
        lines += [table(scales, ("scale of induced features", "LAS %", "UAS %")), ""]
    lines += [f"note: {note}" for note in data["notes"]]
    lines.append(f"{data['dimensions']} induced features; adapted in {data['seconds']:.1f} s")
    return "\n".join(lines)
