"""``universal train`` and ``universal tagger``: a parser and a tagger for any language, from treebanks of many."""

import time
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from core.commandline.options import Commands, add_actions, add_command
from core.commandline.reports import Report, saved
from core.commandline.values import positive
from core.extras import require
from core.threads import core_count
from core.workspace.wording import amount


def add_commands(commands: Commands) -> None:
    """Add ``universal`` to the command line."""
    actions = add_actions(commands, "universal", "a parser for any language, and a tagger by lists of words")
    command = add_command(actions, "train", "train on the treebanks of a folder, a language each", run_train)
    command.add_argument("folder", metavar="FOLDER", help="of .conllu files")
    command.add_argument("--out", metavar="M", required=True, help="save the parser here (.npz)")
    command.add_argument("--epochs", type=positive, default=8, metavar="N", help="passes (default: 8)")
    command.add_argument("--sentences", type=positive, default=800, metavar="N",
                         help="of each treebank in each pass, drawn anew (default: 800)")  # fmt: skip
    command.add_argument("--networks", type=positive, default=1, metavar="K",
                         help="train so many with other seeds, whose mean counts (default: 1)")  # fmt: skip
    command.add_argument("--tagger", metavar="M",
                         help="learn from tags in doubt too, as this tagger has them by a list of words")  # fmt: skip
    command.add_argument("--seed", type=int, default=0, help="seed of everything random (default: 0)")

    command = add_command(
        actions, "tagger", "train the tagger of tag --words on tagged texts, a language each", run_tagger
    )
    command.add_argument("folder", metavar="FOLDER", help="of .conllu files with universal parts of speech")
    command.add_argument("--out", metavar="M", required=True, help="save the tagger here (.npz)")
    command.add_argument("--epochs", type=positive, default=6, metavar="N", help="passes (default: 6)")
    command.add_argument("--lists", type=positive, default=4, metavar="N",
                         help="lists of words drawn of each language (default: 4)")  # fmt: skip
    command.add_argument("--networks", type=positive, default=2, metavar="K",
                         help="of each of two rounds, whose mean counts (default: 2)")  # fmt: skip
    command.add_argument("--seed", type=int, default=0, help="seed of everything random (default: 0)")


def run_train(options: Namespace) -> Report:
    """Train on the treebanks of FOLDER and save the parser."""
    require("universal")
    from core.parsers.dictionary.lists import doubted
    from core.parsers.dictionary.tagger import DictionaryTagger
    from core.parsers.universal.examples import Drawing
    from core.parsers.universal.parser import UniversalParser
    from core.parsers.universal.sources import read_sources, source_languages
    from core.parsers.universal.text import TaggedWords
    from core.parsers.universal.training import UniversalSettings, train_network

    began = time.perf_counter()
    tagger = options.tagger and DictionaryTagger.load(options.tagger)
    sources = read_sources(options.folder, partial(doubted, tagger=tagger) if tagger else TaggedWords.of)
    for name, reason in sources.skipped.items():
        options.progress(f"left out: {name}: {reason}")

    def train(number):
        def progress(report):
            seconds = time.perf_counter() - began
            done = f"epoch {report.epoch} of {report.epochs}, loss {report.loss:.3f} nats a word, {seconds:.0f} s"
            options.progress(f"network {number + 1} of {options.networks}: {done}")

        drawing = Drawing(sentences=options.sentences)
        settings = UniversalSettings(epochs=options.epochs, seed=options.seed + number, drawing=drawing)
        return train_network(list(sources.texts.values()), sources.relations, settings, progress=progress)

    with ThreadPoolExecutor(min(options.networks, core_count())) as pool:  # a network uses little more than a core
        networks = list(pool.map(train, range(options.networks)))
    out = saved(options.out, UniversalParser(networks, sources.relations, sources=source_languages(sources)).save)
    data = {"sources": list(sources.texts), "relations": list(sources.relations), "networks": options.networks}
    data |= {"skipped": dict(sources.skipped), "seconds": time.perf_counter() - began, **out}
    learnt = f"learnt from {amount(len(sources.texts), 'treebank')} in {data['seconds']:.0f} s, saved as {options.out}"
    lines = [learnt, *(f"left out: {name}: {reason}" for name, reason in sources.skipped.items())]
    return Report(data, "\n".join(lines))


def run_tagger(options: Namespace) -> Report:
    """Train on the tagged texts of FOLDER and save the tagger."""
    require("universal")
    from core.parsers.dictionary.tagger import DictionaryTagger
    from core.parsers.dictionary.training import DictionarySettings, train_tagger
    from core.parsers.universal.sources import read_languages, tagged_sentences

    began = time.perf_counter()
    texts, skipped = read_languages(
        options.folder, tagged_sentences, "sentences have universal parts of speech throughout"
    )
    settings = DictionarySettings(options.lists, options.epochs, options.networks, options.seed)
    trained = train_tagger(texts, settings, progress=options.progress)
    out = saved(options.out, DictionaryTagger(trained.rounds, trained.temperature).save)
    data = {"sources": list(texts), "skipped": skipped, "right": trained.right, "temperature": trained.temperature}
    data |= {"seconds": time.perf_counter() - began, **out}
    learnt = f"learnt from {amount(len(texts), 'text')} in {data['seconds']:.0f} s, saved as {options.out}"
    right = f"{100 * trained.right:.1f}% of words right that were in no list, in languages held out by turns"
    return Report(
        data, "\n".join([learnt, right, *(f"left out: {name}: {reason}" for name, reason in skipped.items())])
    )
