"""Languages held out by genus: in folds, with the tagger and the parser that learnt from the others."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from core.experiments.corpora import EWT, POOL, UD_DUTCH, UD_SPANISH
from core.experiments.experiment import Environment
from core.experiments.resumable import results_file, run_job
from core.parsers.dictionary.lists import doubted
from core.parsers.dictionary.tagger import DictionaryTagger
from core.parsers.universal.parser import UniversalParser
from core.parsers.universal.sources import Sources, source_languages, tagged_sentences, usable_sentences
from core.treebank import Treebank, read_treebank
from core.treebank.relations import base

if TYPE_CHECKING:
    from core.parsers.dictionary.training import DictionarySettings
    from core.parsers.universal.training import UniversalSettings

(README,) = POOL.files
FURTHER = {  # treebanks beside the pool: language, genus
    EWT.train: ("English", "Germanic"),
    UD_SPANISH.train: ("Spanish", "Romance"),
    UD_DUTCH.train: ("Dutch", "Germanic"),
}
PARALLEL = "_pud"  # in the names of treebanks that hold the same sentences
FOLDS = {False: 4, True: 2}  # number of folds, by whether the treebanks are parallel
ROOT = "root"
EPOCHS, SENTENCES, QUICK = 5, 600, 60  # epochs of a parser; sentences of each source, and in a quick run
TAGGED, FEW = 800, 100  # sentences of each source of a tagger


@dataclass(frozen=True)
class Target:
    """A language to be tested.

    Attributes
    ----------
    name, genus : str
    file : str
        Under the folder of the data.
    """

    name: str
    genus: str
    file: str

    @property
    def is_parallel(self) -> bool:
        """Whether the treebank holds the same sentences as others."""
        return PARALLEL in self.file


@dataclass(frozen=True)
class Fold:
    """Languages that are tested with one parser, and those that it learns from."""

    targets: tuple[Target, ...]
    sources: tuple[Target, ...]


def targets_of(readme: str) -> list[Target]:
    """The languages of the pool, as its README names them, and FURTHER."""
    cells = [[cell.strip() for cell in line.split("|")] for line in readme.splitlines()]
    pool = [
        Target(row[2].split(" (")[0], row[3].split("/")[-1].split("(")[0].strip(), README.replace("README.md", row[1]))
        for row in cells if len(row) > 10 and row[1].endswith(".conllu")
    ]  # fmt: skip
    return pool + [Target(*about, file) for file, about in FURTHER.items()]


def folds_of(targets: list[Target]) -> list[Fold]:
    """Languages in folds of about the same size, those of a genus together."""
    folds = []
    for is_parallel, count in FOLDS.items():
        kind = [target for target in targets if target.is_parallel == is_parallel]
        genera = {target.genus: [other for other in kind if other.genus == target.genus] for target in kind}
        parts: list[list[Target]] = [[] for _ in range(count)]
        for genus in sorted(genera, key=lambda name: (-len(genera[name]), name)):
            min(parts, key=len).extend(genera[genus])
        for part in filter(None, parts):
            held_out = {target.genus for target in part}
            sources = [
                other for other in targets if other.genus not in held_out and not (is_parallel and other.is_parallel)
            ]
            folds.append(Fold(tuple(part), tuple(sources)))
    return folds


class Texts:
    """The texts of all languages, read once."""

    def __init__(self, env: Environment):
        self.targets = targets_of(env.file(README).read_text(encoding="utf-8"))
        self._env, self._read = env, {}
        self._most = QUICK if env.quick else SENTENCES

    def __getitem__(self, target: Target) -> Treebank:
        """Whole sentences of at most 40 words without punctuation; relations without subtypes."""
        if target not in self._read:
            text = usable_sentences(read_treebank(self._env.file(target.file))).limit(self._most)
            self._read[target] = text.with_heads(text.heads, [base(name) for name in text.deprel.strings()])
        return self._read[target]

    @cached_property
    def relations(self) -> tuple[str, ...]:
        """The relations of all languages."""
        names = {name for target in self.targets for name in self[target].deprel.values}
        return (ROOT, *sorted(names - {ROOT, ""}))


def tested_folds(env: Environment, texts: Texts) -> list[Fold]:
    """All folds; the first in a quick run."""
    return folds_of(texts.targets)[: 1 if env.quick else None]


def language_rows(
    env: Environment, texts: Texts, name: str, settings: object,
    figures: Callable[[Fold, int], Callable[[Target], dict]], judged: Callable[[dict], float],
) -> list[dict]:  # fmt: skip
    """A row for each language: its name, genus and file, and its figures; of two languages in a quick run.

    Parameters
    ----------
    env : Environment
    texts : Texts
    name : str
        Of the file in which the rows of a fold are kept, with ``{}`` for its number; none is in a quick run.
    settings : object
        What the figures depend on beside the texts.
    figures : callable
        Of a Fold and its number: a function that gives the figures of a Target.
    judged : callable
        Of the figures: the one that is shown while the experiment runs.
    """

    def row(of_target: Callable[[Target], dict], target: Target) -> dict:
        own = of_target(target)
        return {"name": target.name, "genus": target.genus, "file": target.file, "judged": judged(own), **own}

    rows = []
    for number, fold in enumerate(tested_folds(env, texts)):
        path = None if env.quick else kept_file(texts, fold, name.format(number), settings)
        chosen = fold.targets[: 2 if env.quick else None]
        rows += run_job(chosen, partial(row, figures(fold, number)), path, progress=env.say)
    return rows


def fold_parser(env: Environment, texts: Texts, fold: Fold, number: int) -> UniversalParser:
    """The parser of a fold, trained or read from where it was kept. A quarter of an hour on a core."""
    from core.parsers.universal.training import train_network

    settings = parser_settings(env)
    path = kept_file(texts, fold, f"beyond-universal-{number}", settings).with_suffix(".npz")
    if path.is_file():
        return UniversalParser.load(path)
    tagger = fold_tagger(env, texts, fold, number)
    read = {target.name: doubted(texts[target], texts.relations, tagger) for target in fold.sources}
    network = train_network(
        list(read.values()), texts.relations, settings,
        progress=lambda state: env.say(f"fold {number + 1}, epoch {state.epoch}: loss {state.loss:.3f} nats a word"),
    )  # fmt: skip
    UniversalParser([network], texts.relations, sources=source_languages(Sources(read, texts.relations, {}))).save(path)
    return UniversalParser.load(path)


def fold_tagger(env: Environment, texts: Texts, fold: Fold, number: int) -> DictionaryTagger:
    """The tagger of a fold, trained or read from where it was kept. Two minutes."""
    from core.parsers.dictionary.training import train_tagger

    settings = tagger_settings(env)
    path = kept_file(texts, fold, f"beyond-word-lists-{number}", settings).with_suffix(".npz")
    if not path.is_file():
        sources = {target.name: tagged_text(env, target).limit(FEW if env.quick else TAGGED) for target in fold.sources}
        trained = train_tagger(sources, settings, progress=lambda line: env.say(f"fold {number + 1}, {line}"))
        DictionaryTagger(trained.rounds, trained.temperature).save(path)
    return DictionaryTagger.load(path)


def parser_settings(env: Environment) -> "UniversalSettings":
    """The settings with which the parser of a fold is trained."""
    from core.parsers.universal.examples import Drawing
    from core.parsers.universal.network import Shape
    from core.parsers.universal.training import UniversalSettings

    drawing = Drawing(sentences=QUICK if env.quick else SENTENCES)
    return UniversalSettings(
        1 if env.quick else EPOCHS, shape=Shape(layers=1) if env.quick else Shape(), drawing=drawing
    )


def tagger_settings(env: Environment) -> "DictionarySettings":
    """The settings with which the tagger of a fold is trained."""
    from core.parsers.dictionary.training import DictionarySettings

    return DictionarySettings(1, 1, 1) if env.quick else DictionarySettings(lists=3)


def tagged_text(env: Environment, target: Target) -> Treebank:
    """The sentences of a language all of whose words have universal tags, punctuation and all."""
    return tagged_sentences(read_treebank(env.file(target.file)))


def kept_file(texts: Texts, fold: Fold, name: str, settings: object) -> Path:
    """The file of a fold's results, named by the content of its sources."""
    mark = blake2b("".join(texts[source].content_hash for source in fold.sources).encode(), digest_size=8).hexdigest()
    return results_file(name, mark, settings)
