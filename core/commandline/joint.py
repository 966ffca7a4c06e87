"""``joint``: parsers of two annotation schemes that parse together (zhou2013)."""

import time
from argparse import Namespace
from dataclasses import replace
from typing import Any

from core.commandline.common import READS, Report, add_command, positive, read, settings_of, table
from core.errors import WorkbenchError
from core.joint import KINDS, PAPER, JointParser, JointSettings
from core.joint.comparison import compare_systems
from core.joint.measures import segmentation
from core.joint.tags import UniversalTags, foreign_tags, shared_tags
from core.parsers.mst.training import LEARNERS
from core.treebank import write_conllu

SHOWN = ("baseline", "concatenation", "stacking", "joint", "certified")


def add_commands(commands: Any) -> None:
    """Add ``joint`` to the command line."""
    default = JointSettings()
    command = add_command(
        commands, "joint", "parsers of two annotation schemes that parse together (zhou2013)", run_joint, READS, "joint"
    )
    command.add_argument("train_a", metavar="TRAIN_A", help="trees in the first scheme")
    command.add_argument("train_b", metavar="TRAIN_B", help="trees in the second; the text may be another")
    command.add_argument("test_a", metavar="TEST_A", help="text to score in the first scheme")
    command.add_argument("test_b", metavar="TEST_B", help="text to score in the second; the text may be another")
    command.add_argument("--dev", nargs=2, metavar=("DEV_A", "DEV_B"), help="development texts (default: folds)")
    command.add_argument("--order", type=int, choices=(1, 2), default=2, help="1: dep1, arcs; 2: dep2 (default: 2)")
    command.add_argument("--candidates", type=positive, default=default.candidates, help="trees a list (default: 16)")
    command.add_argument("--rounds", type=positive, default=default.rounds, help="(default: 4)")
    command.add_argument(
        "--stages",
        type=positive,
        default=default.stages,
        help="joint parsers a scheme, for round after round (default: 2)",
    )
    command.add_argument(
        "--consensus",
        default="paper",
        metavar="KINDS",
        help=f"paper, all, or some of {','.join(KINDS)} (default: paper)",
    )
    command.add_argument("--learner", choices=LEARNERS, default=default.learner)
    command.add_argument("--epochs", type=positive, default=default.epochs, help="passes over the text (default: 10)")
    command.add_argument("--universal-tags", choices=("auto", "always", "never"), default="auto",
                         help="tag all texts in TRAIN_A's tags (default: where tag sets differ)")  # fmt: skip
    command.add_argument("--no-baselines", action="store_true", help="leave out concatenation and stacking")
    command.add_argument("--certified", action="store_true", help="dual decomposition too, beside the rounds")
    command.add_argument("--reward", type=float, help="nats for each shared arc (default: the best on held-out text)")
    command.add_argument(
        "--out",
        nargs="+",
        metavar="PATH",
        help="one path saves all parsers (.npz), for parse --model; two write both texts' trees (CoNLL-U)",
    )
    command.add_argument("--seed", type=int, default=0, help="seed of everything random (default: 0)")


def run_joint(options: Namespace) -> Report:
    """Train on both treebanks, parse both test texts, and score every system on each."""
    if options.out and len(options.out) > 2:
        raise WorkbenchError(
            f"--out takes one path for the parsers or two for the trees, got {len(options.out)}; leave out the others"
        )
    began, names = time.perf_counter(), (str(options.train_a), str(options.train_b))
    trains, tests = (
        [read(path, options) for path in paths]
        for paths in ((options.train_a, options.train_b), (options.test_a, options.test_b))
    )
    dev = [read(path, options) for path in options.dev] if options.dev else None
    kinds = {"all": KINDS, "paper": PAPER}.get(options.consensus) or tuple(options.consensus.split(","))
    settings = settings_of(JointSettings, options, kinds=kinds)
    tags, layer, (trains, tests, dev), settings = _one_tag_set(options, (trains, tests, dev), settings)
    parser = JointParser(settings).fit(trains, dev, names=names, progress=options.progress)
    parser.tagger = layer and layer.tagger
    found = compare_systems(
        parser,
        trains,
        tests,
        dev,
        baselines=not options.no_baselines,
        certified=options.certified,
        reward=options.reward,
        progress=options.progress,
    )
    data = {
        "schemes": found.schemes,
        "uas": found.schemes[0]["systems"]["joint"]["uas"],
        "systems": found.schemes[0]["systems"],
        "scored_on": [str(options.test_a), str(options.test_b)],
        "temperatures": [[each.temperature, *each.joint_temperatures] for each in parser.schemes],
        "skipped": list(parser.skipped),
        "tags": tags,
        "segmentation": segmentation(trains[0], trains[1]),
        "settings": settings.as_dict(),
        "seconds": time.perf_counter() - began,
    }
    if options.out:
        data["out"] = _written(options.out, parser, found.parses)
    return Report(data, _text(data))


def _written(paths, parser, parses):
    """Save the parsers under one path, or each text's trees under one of two; the paths."""
    if len(paths) == 1:
        parser.save(paths[0])
        return str(paths[0])
    for number, (path, each) in enumerate(zip(paths, parses, strict=True)):
        write_conllu(each.treebank(number).to_conllu(), path)
    return [str(path) for path in paths]


def _one_tag_set(options, texts, settings):
    """(what was done, UniversalTags or None, texts, settings): all in one tag set, by a tagger of the first treebank
    where they differ."""
    trains = texts[0]
    if options.universal_tags == "never":
        return {"universal": False}, None, texts, settings
    shared = shared_tags(trains, [text for group in texts[1:] if group for text in group], options.tags)
    if options.universal_tags == "auto" and shared is not None:
        return {"universal": False, "columns": shared}, None, texts, replace(settings, tags=shared)
    try:
        share, foreign = foreign_tags(trains[0], trains[1], options.tags)
    except WorkbenchError:
        share, foreign = 1.0, ()
    options.progress(f"the tag sets differ: tagging all texts like {options.train_a}")
    layer = UniversalTags(trains[0], options.tags)
    texts = [group and [layer(text) for text in group] for group in texts]
    settings = replace(settings, tags="upos")
    tags = {"universal": True, "learnt_on": str(options.train_a), "tags": list(layer.tagger.tags)}
    return {**tags, "foreign": 100 * share, "foreign_tags": list(foreign)}, layer, texts, settings


def _text(data):
    lines = []
    for scheme in data["schemes"]:
        rows = [
            (name, *(system.get(key) for key in ("uas", "da", "ra", "cm", "uas_40")), *_gain(system))
            for name, system in scheme["systems"].items()
        ]
        head = ("system", "UAS %", "DA %", "RA %", "CM %", "UAS <= 40", "helped", "hurt", "p")
        lines += [f"{scheme['name']}: {scheme['words']:,} words without punctuation", table(rows, head)]
        rounds = " -> ".join(f"{score:.2f}" for score in scheme["rounds"])
        shared = f"{scheme['agreement']:.1f} % of words have one head in both schemes"
        lines.append(f"UAS after each round: {rounds}; {shared}")
        if scheme["failed"]:
            lines.append(f"{len(scheme['failed'])} sentences have no tree in this scheme: {scheme['failed'][:10]}")
        if scheme["short"]:
            lines.append(
                f"{scheme['short']} sentences have fewer trees than {data['settings']['candidates']}: all are used"
            )
        lines.append("")
    cut = data["segmentation"]
    lines.append(
        f"segmentation: of the words of the first training text, {_percent(cut['unknown_words'])} are not in the "
        f"second, {_percent(cut['cut_words'])} are two of its words; {cut['recut']} sentences are cut differently"
    )
    if data["tags"]["universal"]:
        lines.append(f"tags: all texts tagged like {data['tags']['learnt_on']}, as the tag sets differ")
    return "\n".join(lines)


def _gain(system):
    gain = system.get("against_baseline")
    return (gain["helped"], gain["hurt"], f"{gain['p_value']:.3g}") if gain else (None, None, "-")


def _percent(share):
    return "-" if share is None else f"{share:.1f} %"
