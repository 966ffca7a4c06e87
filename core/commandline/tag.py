"""``tagger train`` and ``tag``: by a trained tagger, or by a list of words."""

import time
from argparse import Namespace
from functools import partial

from core.commandline.options import READS, SPREADS, TRAINS, Commands, add_actions, add_command
from core.commandline.reports import Report, by_keys, every_second, saved, written
from core.commandline.shards import annotate, save_annotated
from core.commandline.texts import language_of, read, read_named, readable, refuse_engine
from core.commandline.values import positive
from core.errors import WorkbenchError
from core.languages import UNKNOWN, language_name
from core.parsers import ENGLISH, English
from core.parsers.dictionary.tagger import DictionaryTagger
from core.parsers.dictionary.worth import word_in_context, words_worth_tagging
from core.parsers.sharded import TAG, Annotation
from core.parsers.tagger.tagger import Tagger
from core.parsers.warming import PARSING
from core.shards.folder import is_folder
from core.treebank.tagging import (
    Lexicon,
    coverage,
    lists_of_language,
    load_closed_classes,
    quoted_form,
    read_lexicon,
)
from core.treebank.writing import writer_of
from core.workspace.wording import amount

CLOSED_CLASSES = "closed-classes"  # in place of the file of a list


def add_commands(commands: Commands) -> None:
    """Add ``tagger`` and ``tag`` to the command line."""
    actions = add_actions(commands, "tagger", "train a part-of-speech tagger")
    command = add_command(actions, "train", "train a trigram tagger on tagged text", run_train, TRAINS)
    command.add_argument("file", metavar="FILE")
    command.add_argument("--epochs", type=positive, default=8, help="passes over the text (default: 8)")
    _add_limit(command, 0)
    command.add_argument("--half", action="store_true", help="save weights as float16")

    command = add_command(commands, "tag", "tag a file, or a folder of shards", run_tag, READS + SPREADS, PARSING)
    command.add_argument("file", metavar="FILE|FOLDER")
    command.add_argument("--model", metavar="M", help="a tagger saved with --out, or english, ours")
    command.add_argument(
        "--words", metavar="LIST",
        help="a word, an -ending or a @shape and its tags on each line; other words' tags are learnt from these, words "
        "that have a tag keep it; or closed-classes, the list that comes along for the language of FILE, where there "
        "is one",
    )  # fmt: skip
    command.add_argument("--worth", type=positive, metavar="N",
                         help="print the N words whose tags would settle most, a list to fill in")  # fmt: skip
    command.add_argument("--out", metavar="FILE|FOLDER", help="write CoNLL-U here, or shards")
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
        f"epoch {report.epoch} of {options.epochs}, {100 * report.fraction:.0f}% done: "
        f"{100 * report.training_accuracy:.1f}% of words right"
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
    rows = [{"text": tested if name == "test" else "development text", **scores} for name, scores in results.items()]
    lines = [by_keys(rows, columns)] if rows else []
    if not tested:
        lines.append(f"no score on {options.file}, which was learnt from; --test scores on other sentences")
    if data["skipped"]:
        lines.append(f"left out: {amount(data['skipped'], 'sentence')} with a word without a tag")
    lines.append(f"{len(data['tags'])} {data['column']} tags learnt in {data['seconds']:.1f} s")
    return Report(data, "\n".join(lines))


def run_tag(options: Namespace) -> Report:
    """Tag FILE; accuracy is added where it has tags of its own."""
    if options.worth:
        return _worth(options)
    if (options.model is None) == (options.words is None):
        raise WorkbenchError("say what to tag by: --model M, or --words LIST")
    if options.out is None:
        raise WorkbenchError("say where the tags go: --out FILE")
    if options.words:
        return _by_words(options)
    if is_folder(options.file):
        return annotate(options, Annotation(TAG, options.model, options.tags, options.known_tags))
    refuse_engine(options, options.file)
    writer_of(options.out)  # before the work
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
        lines.append(f"right by the file's own tags: {scores['pos_accuracy']:.1f}% of {scores['words']:,} words")
    return Report(data, "\n".join(lines))


def _by_words(options):
    """Tag FILE by a list: the words that have no tag."""
    treebank = _one_file(options)
    lexicon = _lexicon(treebank, options)
    column = options.tags or "upos"
    began = time.perf_counter()
    tagged = DictionaryTagger.load().tag(treebank, lexicon, column)
    data = save_annotated(tagged, options, began)
    reached = coverage(treebank, lexicon)
    data |= {"column": column, "listed": reached.tagged_tokens, "words": reached.tokens}
    listed = f"{reached.share:.0%} of the words are in the list or tagged by their shape; the others' tags are learnt"
    return Report(data, "\n".join([written("tagged", data), listed]))


def _worth(options):
    """Words to tag, as a list to fill in."""
    if options.model or options.out:
        raise WorkbenchError("--worth prints a list of words; leave out --model and --out")
    treebank = _one_file(options)
    lexicon = _lexicon(treebank, options)
    words = words_worth_tagging(treebank, lexicon, options.worth, options.tags or "upos")
    rows = [{"form": word.form, "count": word.count, "settles": word.settles,
             "sentences": [word_in_context(treebank, row) for row in word.rows]} for word in words]  # fmt: skip
    lines = [f"{quoted_form(row['form'])}  # {amount(row['count'], 'time')}: {' | '.join(row['sentences'])}"
             for row in rows]  # fmt: skip
    return Report({"words": rows}, "\n".join(lines) or "every word has a tag")


def _lexicon(treebank, options):
    """The list of ``--words``: of a file, or of the text's language; an empty one where none is given."""
    if options.words != CLOSED_CLASSES:
        return read_lexicon(readable(options.words)) if options.words else Lexicon()
    language = language_of(treebank, options)
    if language == UNKNOWN:
        raise WorkbenchError(f"the language of {options.file} is not known; name it with --language, or give a LIST")
    for name in lists_of_language(language):
        return load_closed_classes(name)
    raise WorkbenchError(f"no list of words comes along for {language_name(language)}; give a LIST of your own")


def _one_file(options):
    """The treebank of FILE, which is no folder of shards."""
    if is_folder(options.file):
        raise WorkbenchError(f"{options.file} is a folder of shards; a list of words is for one file")
    refuse_engine(options, options.file)
    return read(options.file, options)
