"""``joint``: parsers of two annotation schemes that parse together (zhou2013)."""

import time
from argparse import Namespace
from dataclasses import replace

from core.commandline.long_sentences import LEFT_OUT, warn_of_long
from core.commandline.options import (
    READS,
    Commands,
    add_command,
    add_preset,
    add_settings,
    different_from_paper,
    settings_of,
)
from core.commandline.reports import Report, by_keys, p_value
from core.commandline.texts import read
from core.errors import WorkbenchError
from core.joint import KINDS, PAPER, JointParser, JointSettings
from core.joint.comparison import ComparisonSettings, compare_systems
from core.joint.consensus import checked_kinds
from core.joint.measures import segmentation
from core.joint.settings import NO_SETTINGS
from core.joint.tags import UniversalTags, foreign_tags, shared_tags
from core.joint.warming import JOINT
from core.treebank import write_conllu


def add_commands(commands: Commands) -> None:
    """Add ``joint`` to the command line."""
    title = "parsers of two annotation schemes or more that parse together (zhou2013)"
    command = add_command(commands, "joint", title, run_joint, READS, JOINT)
    command.add_argument("train_a", metavar="TRAIN_A", help="trees in the first scheme")
    command.add_argument("train_b", metavar="TRAIN_B", help="trees in the second; the text may be another")
    command.add_argument("test_a", metavar="TEST_A", help="text to score in the first scheme")
    command.add_argument("test_b", metavar="TEST_B", help="text to score in the second; the text may be another")
    command.add_argument("--also", nargs=2, action="append", default=[], metavar=("TRAIN_C", "TEST_C"),
                         help="trees in a further scheme, and text to score in it; once for each")  # fmt: skip
    command.add_argument("--dev", nargs="+", metavar="DEV", help="development texts, one a scheme (default: folds)")
    kinds = ",".join(KINDS)
    command.add_argument(
        "--consensus", default="paper", metavar="KINDS", help=f"paper, all, or some of {kinds} (default: paper)"
    )
    add_preset(command)
    add_settings(command, JointSettings(), only_given=True)
    command.add_argument("--universal-tags", choices=("auto", "always", "never"), default="auto",
                         help="tag all texts in TRAIN_A's tags (default: where tag sets differ)")  # fmt: skip
    add_settings(command, ComparisonSettings())
    command.add_argument("--out", nargs="+", metavar="PATH",
                         help="one path saves all parsers (.npz), for parse --model; as many as schemes write the "
                         "texts' trees (CoNLL-U)")  # fmt: skip


def run_joint(options: Namespace) -> Report:
    """Train on both treebanks, parse both test texts, and score every system on each."""
    train_paths = options.train_a, options.train_b, *(train for train, _ in options.also)
    test_paths = options.test_a, options.test_b, *(test for _, test in options.also)
    number = {2: "two"}.get(len(train_paths), len(train_paths))
    if options.out and len(options.out) not in (1, len(train_paths)):
        wanted = f"--out takes one path for the parsers or {number} for the trees"
        raise WorkbenchError(f"{wanted}, got {len(options.out)}; leave out the others")
    began, names = time.perf_counter(), tuple(map(str, train_paths))
    paths = train_paths, test_paths, options.dev
    trains, tests, dev = ([read(path, options) for path in group] if group else None for group in paths)
    for test in tests or ():
        warn_of_long(test, options, LEFT_OUT)
    kinds = {"all": KINDS, "paper": PAPER}.get(options.consensus) or tuple(options.consensus.split(","))
    settings = settings_of(options, JointSettings(), kinds=kinds)
    tags, layer, (trains, tests, dev), settings = _one_tag_set(options, (trains, tests, dev), settings)
    parser = JointParser(settings).fit(trains, dev, names=names, progress=options.progress)
    parser.tagger = layer and layer.tagger
    compared = settings_of(options, ComparisonSettings())
    comparison = compare_systems(parser, trains, tests, dev, compared, progress=options.progress)
    systems = comparison.schemes[0]["systems"]
    data = {"schemes": comparison.schemes, "uas": systems["joint"]["uas"], "systems": systems}
    data["scored_on"] = [str(path) for path in test_paths]
    data["temperatures"] = [[scheme.temperature, *scheme.joint_temperatures] for scheme in parser.schemes]
    data |= {"skipped": list(parser.skipped), "tags": tags, "segmentation": segmentation(trains[0], trains[1])}
    data |= {"settings": settings.as_dict(), "seconds": time.perf_counter() - began}
    data["different_from_paper"] = different_from_paper(settings, [*_other_kinds(settings), *NO_SETTINGS])
    match options.out:
        case [path]:
            parser.save(path)
            data["out"] = path
        case [_, _, *_]:
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
        share, foreign = max(foreign_tags(trains[0], other, options.tags) for other in trains[1:])
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
        every = "both" if len(data["schemes"]) == 2 else "all"
        shared = f"{scheme['agreement']:.1f}% of words have one head in {every} schemes"
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


def _other_kinds(settings):
    """In words what consensus is of, where that is not as in the paper for a parser of this order."""
    paper = checked_kinds(PAPER, settings.order)
    same = settings.kinds == paper
    return () if same else (f"consensus of {', '.join(settings.kinds)} (paper: {', '.join(paper)})",)


def _percent(share):
    return "-" if share is None else f"{share:.1f}%"
