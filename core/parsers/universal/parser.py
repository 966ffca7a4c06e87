"""A parser for any language: networks that learnt the trees of others, conditioned on answers about word order."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import BinaryIO, Self

import numpy as np

from core.errors import FormatError, WorkbenchError
from core.files.assets import ASSETS
from core.files.unpacking import require_arrays
from core.parsers.arc_factored import ArcFactoredParser
from core.parsers.confidence import Confidence
from core.parsers.punctuation_arcs import marks_between
from core.parsers.scores import Decode, ParserScores, ScoredWords
from core.parsers.universal.corrections import (
    Corrections,
    Ends,
    form_numbers,
    forms_of,
    learn_arcs,
    learn_relations,
)
from core.parsers.universal.morphology import FEATURES
from core.parsers.universal.network import Network, ReadText, Shape, packed, unpacked
from core.parsers.universal.normalising import log_probabilities
from core.parsers.universal.other_parses import JudgedRelations, OtherParses
from core.parsers.universal.questions import NAMES, answer_numbers
from core.parsers.universal.reading_cache import ReadingCache
from core.parsers.universal.source_languages import Relative, SourceLanguages
from core.parsers.universal.statistics import COUNT, surface_statistics
from core.parsers.universal.text import TAGS, TaggedWords, part_numbers
from core.parsers.weights import as_model, finite, load_arrays, prefixed, save_arrays, text_tuple
from core.treebank import Treebank
from core.treebank.language import stated_language
from core.treebank.unpunctuated import heads_between_words, restore_punctuation
from core.trees import PackedScores, eisner, inside_outside

KIND = "universal"
FILE = ASSETS / "universal" / "parser.npz"
PUNCT, ROOT = "punct", "root"
CORRECTED_ARCS, CORRECTED_RELATIONS = "corrected_arcs", "corrected_relations"
SORTS = {"kin_trigrams": "u4", "statistics": "f1", CORRECTED_ARCS: "f1", CORRECTED_RELATIONS: "f2"}  # if it has them
TEMPERATURE = 1.7  # at which heads of languages that were in no source are most probable, to 0.005 nats a head
SURER = 1.6  # exponent of the probabilities of a text's tags: in training they are sharper, since the tagger had learnt
# from the same languages; of 1.3, 1.6, 2 and 3 chosen on a quarter of the languages, held out by genus


@dataclass(frozen=True, eq=False)
class Language:
    """A text's language: surface statistics of its tags, float32 (N,), and the answers (Q,) of its sources."""

    statistics: np.ndarray
    answers: np.ndarray

    def __post_init__(self):
        if self.statistics.shape != (COUNT,) or self.answers.shape != (len(NAMES),):
            raise FormatError("what is known of its language does not fit its questions; save the parser again")


class UniversalParser(ArcFactoredParser):
    """Reads parts of speech of any language.

    Parameters
    ----------
    networks : sequence of Network
        The mean of their log-probabilities counts.
    relations : sequence of str
        The R relations that they tell apart.
    temperature : float
        What log-probabilities of heads are divided by, so that arcs are as probable as they are often right.
    answers : ndarray of shape (Q,), optional
        About word order, as ``core.parsers.universal.questions`` has them; all open by default.
    sources : SourceLanguages, optional
        The languages of the sources. A text's own, where it is known to be among them, answers what nobody has, else
        the nearest do.

    Examples
    --------
    >>> parser = UniversalParser.load().with_answers({"adposition": "after"}).for_text(text)
    >>> parser.parse(text)
    """

    def __init__(
        self, networks: Sequence[Network], relations: Sequence[str], temperature: float = TEMPERATURE,
        answers: np.ndarray | None = None, sources: SourceLanguages | None = None,
    ):  # fmt: skip
        self.networks, self.relations, self.temperature = tuple(networks), tuple(relations), temperature
        self.answers = answer_numbers({}) if answers is None else answers
        self.sources, self.chosen_sources, self.language = sources, None, None
        self.corrections: Corrections | None = None
        self.others: OtherParses | None = None
        self._cache: ReadingCache | None = None

    @property
    def labelled(self) -> bool:
        return True

    def with_answers(self, answers: Mapping[str, str | float]) -> Self:
        """The same parser with other answers, by name of a question. Raises WorkbenchError for what is no answer."""
        return self._with(answers=answer_numbers(answers), _cache=None)

    def with_answer(self, name: str, answer: str | float) -> Self:
        """The same parser with one more answer, or another one. Raises as ``with_answers``."""
        new = answer_numbers({name: answer})
        return self._with(answers=np.where(np.isnan(new), self.answers, new), _cache=None)

    @property
    def answers_in_use(self) -> np.ndarray:
        """float64 (Q,): the answers that the networks read: those given, else those of its sources; NaN if open."""
        of_sources = np.nan if self.language is None else self.language.answers
        return np.where(np.isnan(self.answers), of_sources, self.answers)

    def leaving_open(self, name: str) -> Self:
        """The same parser, to which neither a given answer nor its sources answer the question of that name."""
        is_open = np.arange(len(NAMES)) == NAMES.index(name)
        language = self.language and replace(self.language, answers=np.where(is_open, np.nan, self.language.answers))
        return self._with(answers=np.where(is_open, np.nan, self.answers), language=language, _cache=None)

    def without_source(self, name: str, nearest: Sequence[Relative], language: str | None) -> Self:
        """The same parser, for whose text the source of that name answers no question.

        ``nearest`` are the sources nearest to its text, ``language`` is the text's code, or None.
        """
        if self.sources is None or self.language is None:
            return self
        others = [relative for relative in nearest if relative.name != name]
        answers = self.sources.answers_of(others, [own for own in self.own_sources(language) if own != name])
        return self._with(language=replace(self.language, answers=answers), _cache=None)

    def with_cache(self) -> Self:
        """The same parser with a cache: its networks read each sentence once, whatever trees correct it.

        Itself where it has one.
        """
        return self if self._cache is not None else self._with(_cache=ReadingCache())

    def with_sources(self, names: Collection[str] | None) -> Self:
        """The same parser, whose open questions only these of its sources answer; for None, those nearest to each text.

        What it knew of a text's language is dropped.
        Raises WorkbenchError for a name that is no source's.
        """
        chosen = names if names is None or self.sources is None else self.sources.checked(names)
        return self._with(chosen_sources=chosen, language=None, _cache=None)

    def for_text(self, text: Treebank, language: str | None = None) -> Self:
        """The same parser for parts of a text: statistics and answers are those of the whole text.

        ``language`` is its code, by default the one in the text's comments. A parser that knows a language already,
        and one of a text of punctuation alone, stays as it is.
        """
        words = text.without_punctuation()
        if self.language is not None or not len(words):
            return self
        known = self._language(TaggedWords.of(words), language or stated_language(text))
        return self._with(language=known, _cache=None)

    def adapted(self, trees: Treebank) -> Self:
        """The same parser, corrected by a few trees of the language; heads that are not known are -1.

        What it had learnt from other trees is forgotten. O(sum of n^2), some eighty times.
        Raises WorkbenchError where no head is known.
        """
        words = trees.without_punctuation()
        if not len(words) or not (words.heads[words.is_word] >= 0).any():
            raise WorkbenchError("no tree to learn from has a head; give trees, or leave them out")
        uncorrected = self._with(corrections=None, others=None)
        read, arcs = uncorrected._read(words, None)
        tags, forms = part_numbers(words), forms_of(words)
        weights = learn_arcs(words, tags, arcs.like(arcs.values * self.temperature), forms)
        scores, ends, gold = uncorrected.judged_relations(words, read)
        relations = learn_relations(scores, tags, form_numbers(words, forms), len(forms), ends, gold)
        return uncorrected._with(corrections=Corrections(forms, weights, *relations))

    def judged_relations(self, words: Treebank, read: list[ReadText] | None = None) -> JudgedRelations:
        """The arcs of a text without punctuation whose heads and relations are known; ``read`` is the text as read."""
        read = self._read(words, None)[0] if read is None else read
        relations = TaggedWords.of(words, self.relations).relations
        known = words.is_word & (words.heads > 0) & (relations > 0)
        ends = self._ends(words, read, np.flatnonzero(known), words.heads)
        return JudgedRelations(self._scored(words, read, ends), ends, relations[known])

    def beside(self, others: OtherParses | None) -> Self:
        """The same parser, beside whose networks other parses of a text count; they are not saved with it."""
        return self._with(others=others)

    def nearest(self, text: Treebank, *further: Treebank) -> list[Relative]:
        """The sources whose sequences of tags are most like a text's, the nearest first; none where it has none.

        ``further`` texts of its language count with it.
        """
        banks = [words for words in (each.without_punctuation() for each in (text, *further)) if len(words)]
        if self.sources is None or not banks:
            return []
        words, *others = map(TaggedWords.of, banks)
        return self.sources.nearest(words, self.chosen_sources, others)

    def own_sources(self, language: str | None) -> tuple[str, ...]:
        """The sources in a text's own language, by its code, that answer open questions of it before the nearest do.

        There are none where others were chosen.
        """
        return () if self.sources is None or self.chosen_sources is not None else self.sources.of_language(language)

    def _language(self, words, language):
        """The Language of a text, of which the code may be known."""
        answers = np.full(len(NAMES), np.nan)
        if self.sources is not None:
            answers = self.sources.answers_of(
                self.sources.nearest(words, self.chosen_sources), self.own_sources(language)
            )
        return Language(surface_statistics(words), answers)

    def log_probabilities(self, words: Treebank, threads: int | None = None) -> PackedScores:
        """Of each head of each word of a text without punctuation, in nats; no tree is asked for. O(sum of n^2).

        Of several networks the mean, whose probabilities add up to less than 1.
        """
        return self._read(words, threads)[1]

    def _read(self, words: Treebank, threads: int | None) -> tuple[list[ReadText], PackedScores]:
        """(output of each network for a text without punctuation, log-probabilities of heads)."""
        numbers = TaggedWords.of(words).surer(SURER)
        language = self.language or self._language(numbers, stated_language(words))
        answers = np.where(np.isnan(self.answers), language.answers, self.answers)

        def read_all(text):
            return [network.read(text, answers, language.statistics, threads) for network in self.networks]

        cache = None if self.language is None else self._cache  # a language that is not known is that of each text
        read = read_all(numbers) if cache is None else cache.read(numbers, read_all)
        arcs = read[0].arcs.like(np.mean([log_probabilities(text.arcs, threads).values for text in read], axis=0))
        if self.corrections is not None:
            arcs = log_probabilities(self.corrections.added_to_arcs(words, numbers.tags, arcs), threads)
        if self.others is not None:
            arcs = self.others.added_to_arcs(words, arcs, threads)
        return read, arcs.like(arcs.values / self.temperature)

    def _paid(self, arcs, treebank, words):
        """Arcs less their penalty for the marks between their ends."""
        return arcs.like(arcs.values - self.price * marks_between(treebank, words))

    def parse(self, treebank: Treebank, threads: int | None = None) -> Treebank:
        """The treebank with every tree replaced by the most probable one, and relations.

        Trees with the most right heads expected, as of grammars, have about a hundredth fewer right heads here.
        """
        return self._parsed(treebank, threads)[0]

    def parse_with_marginals(self, treebank: Treebank, threads: int | None = None) -> tuple[Treebank, PackedScores]:
        """(what ``parse`` gives, the probability of each arc between words that are no marks); the text is read once.

        Arcs pay for the marks that they pass. O(sum of n^3).
        """
        parsed, arcs = self._parsed(treebank, threads)
        return parsed, inside_outside(arcs, threads=threads)[1]

    def arc_weights(self, treebank: Treebank, threads: int | None = None) -> PackedScores:
        """Log-weights of the arcs between words that are no marks, in nats: ``marginals`` are those of their trees."""
        words = treebank.without_punctuation()
        if not len(words):
            return PackedScores.empty(words.lengths)
        return self._paid(self._read(words, threads)[1], treebank, words)

    def _parsed(self, treebank, threads):
        """(a text under its most probable trees with relations, log-weights of its arcs)."""
        words = treebank.without_punctuation()
        if not len(words):
            return treebank.with_heads(self.best_heads(treebank)), PackedScores.empty(words.lengths)
        read, arcs = self._read(words, threads)
        arcs = self._paid(arcs, treebank, words)
        heads = eisner(arcs, threads=threads).values
        parsed = treebank.with_heads(restore_punctuation(treebank, words, heads))
        return parsed.with_heads(parsed.heads, self._named(parsed, self._relations(words, read, heads))), arcs

    def label(self, treebank: Treebank, heads: np.ndarray) -> list[str]:
        """The relations of other trees of a text."""
        words, parsed = treebank.without_punctuation(), treebank.with_heads(heads)
        if not len(words):
            return self._named(parsed, [])
        return self._named(
            parsed, self._relations(words, self._read(words, None)[0], heads_between_words(parsed, words))
        )

    def confidence(self, parsed: Treebank) -> Confidence:
        """How probable the heads and relations of a text are; NaN for marks, and where there is no head."""
        arcs, words = super().confidence(parsed).arcs, parsed.without_punctuation()
        labels = np.full(len(parsed.heads), np.nan)
        if len(words):
            rows, names = ~parsed.punctuation() & parsed.is_word, {name: k for k, name in enumerate(self.relations)}
            scores = self._relation_scores(words, self._read(words, None)[0], heads_between_words(parsed, words))
            shares = np.where(parsed.heads[rows] == 0, 1.0, np.nan)
            chosen = np.array([names.get(name, -1) for name in parsed.deprel.strings()[rows]])
            known = np.flatnonzero((chosen >= 0) & (parsed.heads[rows] > 0))
            weights = np.exp(scores - scores.max(axis=1, keepdims=True))
            shares[known] = (weights / weights.sum(axis=1, keepdims=True))[known, chosen[known]]
            labels[rows] = shares
        return Confidence(arcs, labels)

    def _relations(self, words, read, heads):
        """Relations of the words of a text without punctuation, roots left out."""
        return np.array(self.relations, object)[self._relation_scores(words, read, heads).argmax(axis=1)]

    def _relation_scores(self, words, read, heads):
        """(words, R): mean scores of the relations of words under their heads; -inf for the relation root."""
        ends = self._ends(words, read, np.flatnonzero(words.is_word), heads)
        scores = self._scored(words, read, ends)
        scores[:, self.relations.index(ROOT)] = -np.inf
        return scores

    def scored_words(self, treebank: Treebank, arcs: PackedScores | None = None) -> ScoredWords:
        """A text's words without punctuation under the parser's trees, and the scores of all labelled trees of them.

        ``arcs`` are other log-weights in place of ``arc_weights``.
        """
        words, root = treebank.without_punctuation(), self.relations.index(ROOT)
        read, own = self._read(words, None) if len(words) else ([], PackedScores.empty(words.lengths))
        arcs = self._paid(own, treebank, words) if arcs is None else arcs
        heads = eisner(arcs).values
        relations = np.full(len(heads), "", object)
        if len(words):
            relations[words.is_word] = self._relations(words, read, heads)
        parsed = words.with_heads(heads, np.where(heads == 0, ROOT, relations).tolist())

        def of_arcs(sentence: int) -> tuple[np.ndarray, Decode]:
            return arcs[sentence], ParserScores(PackedScores.from_matrices([arcs[sentence]])).decoder()

        def labels(sentence: int, heads: np.ndarray, every: bool = True) -> np.ndarray:
            side = len(heads)
            above, below = (int(words.offsets[sentence]) + places.ravel() for places in np.mgrid[:side, 1:side])
            vectors = [text.heads[above] for text in read] + [text.modifiers[below] for text in read]
            values = np.full((side, side, len(self.relations)), -np.inf)
            ends = Ends(above, below, np.concatenate(vectors, axis=1))
            values[:, 1:] = self._scored(words, read, ends).reshape(side, side - 1, -1)
            values[1:, :, root] = -np.inf
            values[0, 1:] = np.where(np.arange(len(self.relations)) == root, 0.0, -np.inf)
            return values

        def in_text(heads: np.ndarray, relations: list[str]) -> Treebank:
            whole = treebank.with_heads(restore_punctuation(treebank, words, heads))
            named = np.array(relations, object)[words.is_word]
            return whole.with_heads(whole.heads, self._named(whole, named))

        return ScoredWords(parsed, self.relations, of_arcs, labels, in_text)

    def _ends(self, words, read, rows, heads):
        """The arcs to some words of a text under these heads."""
        above = words.root_rows[rows] + np.maximum(heads[rows], 0)
        vectors = [text.heads[above] for text in read] + [text.modifiers[rows] for text in read]
        return Ends(above, rows, np.concatenate(vectors, axis=1))

    def _scored(self, words, read, ends):
        """(M, R): mean scores of the relations of arcs."""
        scores = np.mean([network.relation_scores(text, ends.heads, ends.modifiers)
                          for network, text in zip(self.networks, read, strict=True)], axis=0)  # fmt: skip
        if self.corrections is not None:
            scores = scores + self.corrections.relation_scores(words, part_numbers(words), ends)
        if self.others is not None:
            scores = self.others.added_to_relations(words, ends, self.relations, scores)
        return scores

    def _named(self, parsed, of_words):
        """The relations of all rows of trees, from those of words that are no marks; "" without a head."""
        is_mark = parsed.punctuation() & parsed.is_word
        relations = np.full(len(is_mark), "", object)
        relations[is_mark] = PUNCT
        relations[~is_mark & parsed.is_word] = of_words
        return np.where(parsed.heads > 0, relations, np.where(parsed.heads == 0, ROOT, "")).tolist()

    def save(self, path: str | Path | BinaryIO) -> None:
        """Write the parser to an ``.npz`` file, its networks' numbers in a byte each. No pickle."""
        settings = {
            "relations": self.relations, "questions": NAMES, "tags": TAGS, "features": FEATURES,
            "networks": [asdict(network.shape) for network in self.networks],
            "temperature": self.temperature, "price": self.price,
        }  # fmt: skip
        arrays = {"answers": self.answers}
        if self.sources is not None:
            settings["kin"] = {"names": self.sources.names, "chosen": self.chosen_sources}
            arrays |= {"kin_trigrams": self.sources.trigrams, "kin_answers": self.sources.answers}
        if self.language is not None:
            arrays |= {"statistics": self.language.statistics, "language_answers": self.language.answers}
        if self.corrections is not None:
            settings["corrections"] = {"forms": self.corrections.forms, "scale": self.corrections.scale}
            arrays |= {CORRECTED_ARCS: self.corrections.arcs, CORRECTED_RELATIONS: self.corrections.relations}
        for number, network in enumerate(self.networks):
            arrays |= {f"{number} {name}": values for name, values in packed(network.weights).items()}
        save_arrays(path, KIND, settings, compressed=True, **arrays)

    @classmethod
    def load(cls, path: str | Path | BinaryIO | None = None) -> "UniversalParser":
        """Read what ``save`` wrote; by default the parser that comes with the workbench.

        Raises FormatError; WorkbenchError where the file is not there.
        """
        path = path or _shipped()
        settings, arrays = load_arrays(path, KIND, required=("answers",))
        with as_model(path):
            inputs = {"questions": NAMES, "tags": TAGS, "features": FEATURES}
            if any(text_tuple(settings.get(name, ())) != names for name, names in inputs.items()):
                raise FormatError(
                    "this universal parser was trained with other questions, tags or features; train it again"
                )
            require_arrays(arrays, {name: sort for name, sort in SORTS.items() if name in arrays})
            networks = [Network(unpacked(prefixed(arrays, f"{number} ")), Shape(**shape))
                        for number, shape in enumerate(settings["networks"])]  # fmt: skip
            sources = None
            if "kin" in settings:
                answers = _checked_answers(arrays["kin_answers"])
                sources = SourceLanguages(text_tuple(settings["kin"]["names"]), arrays["kin_trigrams"], answers)
            relations, temperature = text_tuple(settings["relations"]), finite(settings["temperature"])
            parser = cls(networks, relations, temperature, _checked_answers(arrays["answers"], 1), sources)
            parser.price = finite(settings["price"])
            if sources is not None and settings["kin"]["chosen"] is not None:
                parser.chosen_sources = sources.checked(text_tuple(settings["kin"]["chosen"]))
            if "statistics" in arrays:
                parser.language = Language(arrays["statistics"], _checked_answers(arrays["language_answers"], 1))
            if "corrections" in settings:
                stored = settings["corrections"]
                forms, scale = text_tuple(stored["forms"]), finite(stored["scale"])
                parser.corrections = Corrections(forms, arrays[CORRECTED_ARCS], arrays[CORRECTED_RELATIONS], scale)
            if not networks or ROOT not in parser.relations:
                raise FormatError("a universal parser needs a network and the relation root; save it again")
            if any(len(network.weights["relations_bias"]) != len(parser.relations) for network in networks):
                raise FormatError("its networks tell other relations apart than it names; save it again")
            vectors = sum(2 * network.shape.relations for network in networks)
            if parser.corrections is not None and not parser.corrections.fit(len(parser.relations), vectors):
                raise FormatError("what it learnt from trees does not fit its networks; save it again")
            return parser


def _shipped():
    """The file of the parser that comes with the workbench; WorkbenchError where it is not there."""
    if not FILE.is_file():
        raise WorkbenchError(
            "assets/universal lacks parser.npz, the universal parser that comes with the workbench; install the "
            "workbench again, or make one: python -m core universal train FOLDER --networks 2 --out "
            "assets/universal/parser.npz, FOLDER with treebanks of many languages"
        )
    return FILE


def _checked_answers(array, axes=2):
    """float64 answers of a file, from -1 to 1 or NaN, in as many axes. Raises FormatError for anything else."""
    answers = array.astype(np.float64)
    if answers.ndim != axes or answers.shape[-1] != len(NAMES) or (np.abs(answers) > 1).any():
        raise FormatError("its answers do not fit its questions; save the parser again")
    return answers
