"""``tagger train`` and ``tag``."""

import time
from argparse import Namespace
from functools import partial

from core.commandline.options import READS, SPREADS, TRAINS, Commands, add_actions, add_command
from core.commandline.reports import Report, by_keys, every_second, saved, written
from core.commandline.shards import annotate, save_annotated
from core.commandline.texts import read, read_named, refuse_engine
from core.commandline.values import positive
from core.parsers import ENGLISH, English
from core.parsers.sharded import TAG, Annotation
from core.parsers.tagger.tagger import Tagger
from core.shards.folder import is_folder


def add_commands(commands: Commands) -> None:
    """Add ``tagger`` and ``tag`` to the command line."""
    actions = add_actions(commands, "tagger", "train a part-of-speech tagger")
    command = add_command(actions, "train", "train a trigram tagger on tagged text", run_train, TRAINS)
    command.add_argument("file", metavar="FILE")
    command.add_argument("--epochs", type=positive, default=8, help="passes over the text (default: 8)")
    _add_limit(command, 0)
    command.add_argument("--half", action="store_true", help="save weights as float16")

    command = add_command(commands, "tag", "tag a file, or a folder of shards", run_tag, READS + SPREADS, "parse")
    command.add_argument("file", metavar="FILE|FOLDER")
    command.add_argument("--model", required=True, metavar="M", help="a tagger saved with --out, or english, ours")
    command.add_argument("--out", required=True, metavar="FILE|FOLDER", help="write CoNLL-U here, or shards")
    _add_limit(command, None)


def _add_limit(command, default):
    help = "words seen N times or more get only tags seen with them; 0 for no such limit (default: {})"
    shown = "as trained" if default is None else default
    command.add_argument("--known-tags", type=int, default=default, metavar="N", help=help.format(shown))


def run_train(options: Namespace) -> Report:
    """Train on FILE; scores on --test, and --dev: a tagger is not scored on what it learnt from."""
    treebank = read(options.file, options)
    scored = read_named(options, "dev", "test")
    began = time.perf_counter()
    tagger = Tagger(limit=options.known_tags)
    progress = every_second(options.progress, lambda report: (
        f"epoch {report.epoch} of {options.epochs}, {100 * report.fraction:.0f} % done: "
        f"{100 * report.training_accuracy:.1f} % of words right"
    ))  # fmt: skip
    tagger.fit(treebank, tags=options.tags, epochs=options.epochs, seed=options.seed, progress=progress)
    seconds = time.perf_counter() - began
    results = {name: tagger.accuracy(text).as_dict() for name, text in scored.items()}
    out = saved(options.out, partial(tagger.save, half=options.half))
    tested = str(options.test) if options.test else None
    data = {**results.get("test", {}), "scored_on": tested, "column": tagger.column, "tags": list(tagger.tags)}
    data |= {"skipped": tagger.skipped, "seconds": seconds}
    if "dev" in results:
        data["dev"] = results["dev"]
    data |= out
    columns = {"scored on": "text", "words": "words", "right %": "pos_accuracy", "known %": "known_accuracy"}
    columns |= {"unknown words": "unknown_words", "unknown %": "unknown_accuracy"}
    rows = [{"text": tested if name == "test" else "development text", **found} for name, found in results.items()]
    lines = [by_keys(rows, columns)] if rows else []
    if not tested:
        lines.append(f"no score on {options.file}, which was learnt from; --test scores on other sentences")
    if data["skipped"]:
        lines.append(f"left out: {data['skipped']} sentences with a word without a tag")
    lines.append(f"{len(data['tags'])} {data['column']} tags learnt in {data['seconds']:.1f} s")
    return Report(data, "\n".join(lines))


def run_tag(options: Namespace) -> Report:
    """Tag FILE; accuracy is added where it has tags of its own."""
    if is_folder(options.file):
        return annotate(options, Annotation(TAG, options.model, options.tags, options.known_tags))
    refuse_engine(options, options.file)
    if options.model == ENGLISH:
        began = time.perf_counter()
        tagged = English.load().tag(read(options.file, options).to_conllu())
        data = save_annotated(tagged, options, began)
        return Report(data, written("tagged", data))
    tagger = Tagger.load(options.model)
    treebank = read(options.file, options)
    text = treebank if tagger.column in treebank.source.layout.positions else treebank.to_conllu()
    began = time.perf_counter()
    tagged = tagger.tag(text, column=options.tags, limit=options.known_tags)
    data = save_annotated(tagged, options, began)
    lines = [written("tagged", data)]
    if getattr(treebank, tagger.column).filled:
        scores = tagger.accuracy(treebank, limit=options.known_tags).as_dict()
        data.update(scores)
        lines.append(f"right by the file's own tags: {scores['pos_accuracy']:.1f} % of {scores['words']} words")
    return Report(data, "\n".join(lines))
