"""``parser train``: graph-based parsers from treebanks."""

import time
from argparse import Namespace
from functools import partial

from core.adaptation.marked_training import self_train_on_marked
from core.commandline.options import TRAINS, Commands, add_actions, add_command
from core.commandline.reports import Report, by_keys, saved, shares
from core.commandline.texts import attachment, read, read_given, read_named, scored_on, scores_of, scores_said
from core.commandline.values import positive, weight
from core.parsers.mst.corpus import reasons
from core.parsers.mst.features import FEATURE_SETS
from core.parsers.mst.parser import MSTParser
from core.parsers.mst.training import LEARNERS
from core.trees.brackets import LEVELS

LABELS = {"after": True, "joint": "joint", "none": False}


def add_commands(commands: Commands) -> None:
    """Add ``parser`` to the command line."""
    actions = add_actions(commands, "parser", "train a graph-based parser on trees")
    command = add_command(actions, "train", "train on a treebank (MIRA or perceptron)", run_train, TRAINS)
    command.add_argument("file", metavar="FILE")
    command.add_argument("--order", type=int, choices=(1, 2), default=1, help="1: arcs; 2: siblings too (default: 1)")
    command.add_argument("--grandparents", action="store_true", help="with order 2, chains of three words too")
    command.add_argument("--epochs", type=positive, default=10, help="passes over the text (default: 10)")
    command.add_argument("--learner", choices=LEARNERS, default="mira")
    command.add_argument("--non-projective", action="store_true", help="arcs may cross; order 1 only")
    command.add_argument(
        "--labels", choices=tuple(LABELS), default="after", help="relations: after the tree, jointly with it, none"
    )
    command.add_argument("--features", choices=FEATURE_SETS, default="lexicalized")
    command.add_argument("--bits", type=positive, default=22, help="the table holds 2 ** BITS weights (default: 22)")
    command.add_argument("--half", action="store_true", help="save weights as float16")
    command.add_argument("--self-train", metavar="MARKED",
                         help="then parse its marked sentences under their brackets, and learn from both")  # fmt: skip
    command.add_argument("--level", choices=LEVELS, default="loose",
                         help="at which those brackets hold; none: plain self-training (default: loose)")  # fmt: skip
    command.add_argument("--self-train-weight", type=weight, default=1.0, metavar="W",
                         help="of a marked sentence beside one of FILE (default: 1)")  # fmt: skip


def run_train(options: Namespace) -> Report:
    """Train on FILE; scores on --test, and --dev: a parser is not scored on what it learnt from."""
    treebank = read(options.file, options)
    scored, marked = read_named(options, "dev", "test"), read_given(options.self_train, options)
    began = time.perf_counter()
    parser = _trained(options, treebank, scored.get("dev"), None)
    taught = None
    if marked is not None:
        taught = self_train_on_marked(
            lambda both, weights: _trained(options, both, scored.get("dev"), weights), treebank, marked,
            level=options.level, weight=options.self_train_weight, teacher=parser,
        )  # fmt: skip
    seconds = time.perf_counter() - began
    teacher, parser = parser, taught.parser if taught else parser
    results = {name: _scores(parser, text, treebank) for name, text in scored.items()}
    main = results.get("test") or _scores(parser, treebank, treebank)
    out = saved(options.out, partial(parser.save, half=options.half))
    model = parser.trained()
    data = {**main, "scored_on": scored_on(options, main), "order": options.order, "learner": options.learner}
    data |= {"tags": list(model.columns), "relations": len(model.relations), "table_used": 100 * model.table_used}
    data |= {"skipped": parser.skipped, "seconds": seconds}
    if "dev" in results:
        data["dev"] = results["dev"]
    if taught:
        before = _scores(teacher, scored.get("test") or treebank, treebank)
        data["marked"] = {"sentences": len(taught.treebank), "level": options.level, "fallbacks": taught.fallbacks}
        data["marked"] |= {"changed": taught.changed, "teacher": before}
    data |= out
    return Report(data, _train_text(data))


def _trained(options, treebank, dev, weights):
    """An MSTParser as the options say, trained."""
    labels = LABELS[options.labels] if treebank.deprel.filled else False
    names = "order", "grandparents", "learner", "features", "tags", "bits"
    settings = {name: getattr(options, name) for name in names}
    parser = MSTParser(projective=not options.non_projective, labels=labels, **settings)
    last = 0.0

    def progress(report):
        nonlocal last
        if report.stage == "labels" or (report.dev_uas is None and report.seconds - last < 5):
            return
        last = report.seconds
        dev = "" if report.dev_uas is None else f", {report.dev_uas:.2f}% of heads right on the development text"
        done = f"{100 * report.fraction:.0f}% done in {report.seconds:.0f} s"
        options.progress(f"epoch {report.epoch} of {options.epochs}, {done}{dev}")

    return parser.fit(
        treebank, epochs=options.epochs, dev=dev, seed=options.seed, sentence_weights=weights, progress=progress
    )


def _scores(parser, treebank, taught):
    """Scores with punctuation at top level, those without beside them, and unknown tags where there are some."""
    parsed = parser.parse(treebank)
    is_labelled = bool(parser.model.relations)  # else it writes "root" and "dep"

    def score(gold):
        return attachment(gold, parsed, is_labelled)

    data = scores_of(treebank, [taught], score, is_named=treebank is not taught)
    unknown = parser.unknown_tags(treebank)
    return {**data, "unknown_tags": {column: list(tags) for column, tags in unknown.items()}} if unknown else data


def _train_text(data):
    texts = {data["scored_on"]: data, **({"development text": data["dev"]} if "dev" in data else {})}
    rows = [
        {"text": name, "part": part, **scores}
        for name, all_words in texts.items()
        if "uas" in all_words
        for part, scores in (("all words", all_words), ("without punctuation", all_words["without_punctuation"]))
    ]
    columns = {"scored on": "text", "scored": "part", "words": "words", "UAS %": "uas", "LAS %": "las"}
    lines = [by_keys(rows, columns | {"complete %": "complete_match"})] if rows else []
    lines += scores_said(data)
    if "marked" in data:
        marked = data["marked"]
        held = shares(marked["fallbacks"], "held at")
        learnt = f"learnt from {marked['sentences']:,} marked sentences too: {held}"
        before = f"; UAS before {marked['teacher']['uas']:.1f}" if "uas" in marked["teacher"] else ""
        lines.append(f"{learnt}; brackets changed {marked['changed']:,} trees{before}")
    if data["skipped"]:
        lines.append(f"sentences left out of training: {reasons(data['skipped'])}")
    for column, tags in data.get("unknown_tags", {}).items():
        lines.append(f"{column} tags that training never saw: {', '.join(tags)}")
    used = f"{data['table_used']:.0f}% of the table used"
    lines.append(f"order {data['order']}, {data['learner']}: trained in {data['seconds']:.1f} s, {used}")
    return "\n".join(lines)
