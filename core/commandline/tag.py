"""``tagger train`` and ``tag``."""

import time
from argparse import Namespace
from functools import partial
from typing import Any

from core.commandline.common import (
    READS,
    TRAINS,
    Report,
    add_command,
    add_engine_options,
    every_second,
    positive,
    read,
    refuse_engine,
    table,
    written,
)
from core.commandline.shards import annotate
from core.parsers import ENGLISH, English
from core.parsers.sharded import TAG, Annotation
from core.parsers.tagger.tagger import Tagger
from core.shards.folder import is_folder
from core.treebank import write_conllu


def add_commands(commands: Any) -> None:
    """Add ``tagger`` and ``tag`` to the command line."""
    tagger = commands.add_parser("tagger", help="train a part-of-speech tagger")
    actions = tagger.add_subparsers(required=True, metavar="ACTION")
    command = add_command(actions, "train", "train a trigram tagger on tagged text", run_train, TRAINS)
    command.add_argument("file", metavar="FILE")
    command.add_argument("--epochs", type=positive, default=8, help="passes over the text (default: 8)")
    _add_limit(command, 0)
    command.add_argument("--half", action="store_true", help="save weights as float16")

    command = add_command(commands, "tag", "tag a file, or a folder of shards", run_tag, READS, "parse")
    command.add_argument("file", metavar="FILE|FOLDER")
    command.add_argument("--model", required=True, metavar="M", help="a tagger saved with --out, or english, ours")
    command.add_argument("--out", required=True, metavar="FILE|FOLDER", help="write CoNLL-U here, or shards")
    add_engine_options(command)
    _add_limit(command, None)


def _add_limit(command, default):
    command.add_argument(
        "--known-tags",
        type=int,
        default=default,
        metavar="N",
        help="words seen N times or more get only tags seen with them; 0 for no such limit "
        + ("(default: 0)" if default == 0 else "(default: as trained)"),
    )


def run_train(options: Namespace) -> Report:
    """Train on FILE; scores on --test, and --dev, or on the training text."""
    treebank = read(options.file, options)
    scored = {"dev": options.dev, "test": options.test}
    scored = {name: read(path, options) for name, path in scored.items() if path}
    began = time.perf_counter()
    tagger = Tagger(limit=options.known_tags)
    progress = every_second(options.progress, partial(_stands, options.epochs))
    tagger.fit(treebank, tags=options.tags, epochs=options.epochs, seed=options.seed, progress=progress)
    seconds = time.perf_counter() - began
    results = {name: tagger.accuracy(text).as_dict() for name, text in scored.items()}
    main = results.get("test") or tagger.accuracy(treebank).as_dict()
    if options.out:
        tagger.save(options.out, half=options.half)
    data = {
        **main,
        "scored_on": str(options.test) if options.test else "training text",
        "column": tagger.column,
        "tags": list(tagger.tags),
        "skipped": tagger.skipped,
        "seconds": seconds,
    }
    if "dev" in results:
        data["dev"] = results["dev"]
    if options.out:
        data["out"] = str(options.out)
    return Report(data, _train_text(data))


def _stands(epochs, report):
    right = 100 * report.training_accuracy
    return f"epoch {report.epoch} of {epochs}, {100 * report.fraction:.0f} % done: {right:.1f} % of words right"


def _train_text(data):
    rows = [(data["scored_on"], *_accuracies(data))]
    if "dev" in data:
        rows.append(("development text", *_accuracies(data["dev"])))
    lines = [table(rows, ("scored on", "words", "right %", "known %", "unknown words", "unknown %"))]
    if data["skipped"]:
        lines.append(f"left out: {data['skipped']} sentences with a word without a tag")
    lines.append(f"{len(data['tags'])} {data['column']} tags learnt in {data['seconds']:.1f} s")
    return "\n".join(lines)


def _accuracies(data):
    names = ("words", "pos_accuracy", "known_accuracy", "unknown_words", "unknown_accuracy")
    return tuple(data[name] for name in names)


def _tag_english(options):
    began = time.perf_counter()
    tagged = English.load().tag(read(options.file, options).to_conllu())
    write_conllu(tagged, options.out)
    data = {"sentences": len(tagged), "tokens": tagged.token_count, "seconds": time.perf_counter() - began}
    return Report({**data, "out": str(options.out)}, written("tagged", data, options.out))


def run_tag(options: Namespace) -> Report:
    """Tag FILE; accuracy is added where it has tags of its own."""
    if is_folder(options.file):
        return annotate(options, Annotation(TAG, options.model, options.tags, options.known_tags))
    refuse_engine(options, options.file)
    if options.model == ENGLISH:
        return _tag_english(options)
    tagger = Tagger.load(options.model)
    treebank = read(options.file, options)
    text = treebank if tagger.column in treebank.source.layout.positions else treebank.to_conllu()
    began = time.perf_counter()
    tagged = tagger.tag(text, column=options.tags, limit=options.known_tags)
    seconds = time.perf_counter() - began
    write_conllu(tagged.to_conllu(), options.out)
    data = {"sentences": len(tagged), "tokens": tagged.token_count, "seconds": seconds, "out": str(options.out)}
    lines = [written("tagged", data, options.out)]
    if getattr(treebank, tagger.column).filled:
        scores = tagger.accuracy(treebank, limit=options.known_tags).as_dict()
        data.update(scores)
        lines.append(f"right by the file's own tags: {scores['pos_accuracy']:.1f} % of {scores['words']} words")
    return Report(data, "\n".join(lines))
