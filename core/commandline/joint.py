"""``joint``: parsers of two annotation schemes that parse together (zhou2013)."""

import time
from argparse import Namespace
from dataclasses import replace

from core.commandline.options import READS, Commands, add_command, add_settings, settings_of
from core.commandline.reports import Report, by_keys, p_value
from core.commandline.texts import read
from core.errors import WorkbenchError
from core.joint import KINDS, PAPER, JointParser, JointSettings
from core.joint.comparison import ComparisonSettings, compare_systems
from core.joint.measures import segmentation
from core.joint.tags import UniversalTags, foreign_tags, shared_tags
from core.joint.warming import JOINT
from core.treebank import write_conllu


def add_commands(commands: Commands) -> None:
    """Add ``joint`` to the command line."""
    title = "parsers of two annotation schemes that parse together (zhou2013)"
    command = add_command(commands, "joint", title, run_joint, READS, JOINT)
    command.add_argument("train_a", metavar="TRAIN_A", help="trees in the first scheme")
    command.add_argument("train_b", metavar="TRAIN_B", help="trees in the second; the text may be another")
    command.add_argument("test_a", metavar="TEST_A", help="text to score in the first scheme")
    command.add_argument("test_b", metavar="TEST_B", help="text to score in the second; the text may be another")
    command.add_argument("--dev", nargs=2, metavar=("DEV_A", "DEV_B"), help="development texts (default: folds)")
    kinds = ",".join(KINDS)
    command.add_argument(
        "--consensus", default="paper", metavar="KINDS", help=f"paper, all, or some of {kinds} (default: paper)"
    )
    add_settings(command, JointSettings())
    command.add_argument("--universal-tags", choices=("auto", "always", "never"), default="auto",
                         help="tag all texts in TRAIN_A's tags (default: where tag sets differ)")  # fmt: skip
    add_settings(command, ComparisonSettings())
    command.add_argument("--out", nargs="+", metavar="PATH",
                         help="one path saves all parsers (.npz), for parse --model; two write both texts' trees "
                         "(CoNLL-U)")  # fmt: skip


def run_joint(options: Namespace) -> Report:
    """Train on both treebanks, parse both test texts, and score every system on each."""
    if options.out and len(options.out) > 2:
        raise WorkbenchError(
            f"--out takes one path for the parsers or two for the trees, got {len(options.out)}; leave out the others"
        )
    began, names = time.perf_counter(), (str(options.train_a), str(options.train_b))
    paths = (options.train_a, options.train_b), (options.test_a, options.test_b), options.dev
    trains, tests, dev = ([read(path, options) for path in pair] if pair else None for pair in paths)
    kinds = {"all": KINDS, "paper": PAPER}.get(options.consensus) or tuple(options.consensus.split(","))
    settings = settings_of(options, JointSettings(), kinds=kinds)
    tags, layer, (trains, tests, dev), settings = _one_tag_set(options, (trains, tests, dev), settings)
    parser = JointParser(settings).fit(trains, dev, names=names, progress=options.progress)
    parser.tagger = layer and layer.tagger
    compared = settings_of(options, ComparisonSettings())
    comparison = compare_systems(parser, trains, tests, dev, compared, progress=options.progress)
    systems = comparison.schemes[0]["systems"]
    data = {"schemes": comparison.schemes, "uas": systems["joint"]["uas"], "systems": systems}
    data["scored_on"] = [str(options.test_a), str(options.test_b)]
    data["temperatures"] = [[scheme.temperature, *scheme.joint_temperatures] for scheme in parser.schemes]
    data |= {"skipped": list(parser.skipped), "tags": tags, "segmentation": segmentation(trains[0], trains[1])}
    data |= {"settings": settings.as_dict(), "seconds": time.perf_counter() - began}
    match options.out:
        case [path]:
            parser.save(path)
            data["out"] = path
        case [_, _]:
            for number, (path, parses) in enumerate(zip(options.out, comparison.parses, strict=True)):
                write_conllu(parses.treebank(number).to_conllu(), path)
            data["out"] = options.out
    return Report(data, _text(data))


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
        rows = []
        for name, system in scheme["systems"].items():
            gain = system.get("against_baseline") or {}
            rows.append({**system, **gain, "name": name, "p": p_value(gain)})
        columns = {"system": "name", "UAS %": "uas", "DA %": "da", "RA %": "ra", "CM %": "cm", "UAS <= 40": "uas_40"}
        shown = by_keys(rows, columns | {"helped": "helped", "hurt": "hurt", "p": "p"})
        lines += [f"{scheme['name']}: {scheme['words']:,} words without punctuation", shown]
        rounds = " -> ".join(f"{score:.2f}" for score in scheme["rounds"])
        shared = f"{scheme['agreement']:.1f} % of words have one head in both schemes"
        lines.append(f"UAS after each round: {rounds}; {shared}")
        if scheme["failed"]:
            lines.append(f"{len(scheme['failed'])} sentences have no tree in this scheme: {scheme['failed'][:10]}")
        if scheme["short"]:
            most = data["settings"]["candidates"]
            lines.append(f"{scheme['short']} sentences have fewer trees than {most}: all are used")
        lines.append("")
    cut = data["segmentation"]
    lines.append(
        f"segmentation: of the words of the first training text, {_percent(cut['unknown_words'])} are not in the "
        f"second, {_percent(cut['cut_words'])} are two of its words; {cut['recut']} sentences are cut differently"
    )
    if data["tags"]["universal"]:
        lines.append(f"tags: all texts tagged like {data['tags']['learnt_on']}, as the tag sets differ")
    return "\n".join(lines)


def _percent(share):
    return "-" if share is None else f"{share:.1f} %"
