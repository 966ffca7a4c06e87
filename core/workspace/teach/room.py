"""Sentences for the Teach page, with their scores, traces and figures."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from core.constraints import ConstraintDocument
from core.errors import WorkbenchError
from core.parsers import TreeCRF
from core.parsers.crf.tree_crf import trainable
from core.parsers.english import English
from core.parsers.transitions.systems import SYSTEMS
from core.search.browse import sentence_table
from core.store import Corpus
from core.teach.agreement import PLACES
from core.teach.algorithms import Algorithm, algorithm_named
from core.teach.deck import TracedStop
from core.teach.greedy import GREEDY, fold_of, taught_greedy
from core.teach.lessons import Lesson, Stop, joined_words, split_words
from core.teach.posterior import matching_lines
from core.teach.scores import (
    column_names,
    dice_scores,
    edited_scores,
    equal_scores,
    format_scores,
    parse_scores,
    score_table,
    tree_scores,
)
from core.teach.slides import figure_svg, tallest
from core.teach.step import AlgorithmTrace, Example
from core.treebank import Treebank, load_sample
from core.workspace.applied import universal_for
from core.workspace.groups import restrict_order
from core.workspace.teach.choice import CORPUS, DICE, EQUAL, OWN, PARSER, TREE, TYPED, Choice, choice_of, in_english
from core.workspace.text_tagging import text_tagging
from core.workspace.workspace import Workspace

TRAINED_ON, TRAINED_LENGTH = 300, 20  # sentences, and words of the longest, that the parser of scores learns from
LISTED = 500  # sentences to choose from
TRIED = 12  # second sentences looked at for one where something happens
SIMPLE = 9  # words, without the mark at the end, of a sentence to begin with


class TeachRoom:
    """Parsers for scores, traces and figures, which the process caches."""

    def __init__(self, workspace: Workspace):
        self.workspace, self.store = workspace, workspace.store
        self._kept = workspace.cache.get

    def fitting(
        self, corpus: Corpus, algorithm: Algorithm, places: ArrayLike | None = None
    ) -> tuple[list[int], int]:  # fmt: skip
        """Numbers, from 1, of the sentences that an algorithm can show: the first ``LISTED``, and how many there are.

        Only of those at ``places`` of the corpus, where given.
        """
        fitting = self._fitting(corpus, algorithm)
        if places is not None:
            fitting = restrict_order(fitting, places)
        return (fitting[:LISTED] + 1).tolist(), len(fitting)

    def _fitting(self, corpus, algorithm):
        def make():
            treebank, pairing = self.workspace.treebank(corpus), algorithm.pairing
            if pairing is not None and pairing.firsts is not None:
                return pairing.firsts(treebank, algorithm.longest)
            return np.flatnonzero(treebank.lengths <= algorithm.longest)

        return self._kept("fitting sentences", (self.workspace.corpus_key(corpus), algorithm.key), make)

    def first(self, corpus: Corpus, algorithm: Algorithm, numbers: Sequence[int]) -> int:
        """The first of the sentences, numbers from 1, that is whole and simple; the first of all where none is.

        It has four to ``SIMPLE`` words, ends with a full stop or the like, and has no other punctuation. Where only
        sentences with a partner are offered, the liveliest of the first ``TRIED``.
        """
        if algorithm.pairing is not None and algorithm.pairing.firsts is not None:
            return self._liveliest(corpus, algorithm, numbers)

        def make():
            treebank = self.workspace.treebank(corpus)
            marks, offsets = treebank.punctuation(), treebank.offsets
            for number in numbers:
                of_sentence = marks[offsets[number - 1] + 1 : offsets[number]]
                if 4 < len(of_sentence) <= SIMPLE + 1 and of_sentence[-1] and of_sentence.sum() == 1:
                    return number
            return numbers[0]

        return self._kept("sentence names", (self.workspace.corpus_key(corpus), tuple(numbers), "first"), make)

    def sentence_names(self, corpus: Corpus, numbers: Sequence[int]) -> dict[int, str]:
        """Number of each sentence -> ``12 · The words of it``; made once, since a list asks for all on every rerun."""

        def make():
            texts = sentence_table(self.workspace.treebank(corpus), [number - 1 for number in numbers])["text"]
            return {number: f"{number} · {text}" for number, text in zip(numbers, texts, strict=True)}

        return self._kept("sentence names", (self.workspace.corpus_key(corpus), tuple(numbers)), make)

    def example(self, corpus: Corpus, choice: Choice) -> Example:
        """The Example of a Choice. Raises WorkbenchError for what cannot be read or scored."""

        def make():
            algorithm = algorithm_named(choice.algorithm)
            if algorithm.pairing is not None and choice.source == TYPED:
                words, tags = split_words(algorithm.pairing.example[0])
                return Example(words, tags or ("",) * len(words), equal_scores(len(words) - 1))
            if algorithm.pairing is not None:
                return self._pair(corpus, choice)
            tagged = self.sentence(corpus, choice)
            words = tuple(tagged[0].forms)
            algorithm.require_length(len(words) - 1)
            tags = tuple(getattr(tagged[0], tagged.coarse_name))
            text = self.workspace.treebank(corpus) if choice.source == CORPUS and "text" in algorithm.wants else None
            scores = self.scores_of(corpus, choice, tagged)
            greedy = None
            if choice.constraint == GREEDY and "mover" in algorithm.wants:
                greedy = self._greedy(corpus, choice, words)
            return Example(
                words, tags, scores, choice.single_root, choice.constraint, text, moves=choice.moves, greedy=greedy
            )

        return self._kept("examples", (self.workspace.corpus_key(corpus), choice), make)

    def _greedy(self, corpus, choice, words):
        """The greedy parser beside a transition system, which did not learn from the sentence."""
        of_sample = choice.source == TYPED and in_english(corpus, choice)
        text, key = (None, "") if of_sample else (self.workspace.treebank(corpus), self.workspace.corpus_key(corpus))
        system, fold = SYSTEMS[choice.algorithm], fold_of(text, words)
        key = (key, choice.algorithm, fold)
        return self._kept("greedy parsers", key, lambda: taught_greedy(system, text, fold))

    def has_tree(self, corpus: Corpus, choice: Choice) -> bool:
        """Whether every word of the Choice's sentence, which is one of the corpus, has a head there."""
        return bool((self.sentence(corpus, choice)[0].heads[1:] >= 0).all())

    def heads_line(self, corpus: Corpus, choice: Choice) -> str:
        """The heads of that sentence's own tree, one number a word, ``2 0 4 2``; "" without a whole tree."""
        if not self.has_tree(corpus, choice):
            return ""
        return " ".join(str(head) for head in self.sentence(corpus, choice)[0].heads[1:].tolist())

    def _pair(self, corpus, choice):
        """The Example of two sentences, of a corpus or typed; its text is all others. Raises WorkbenchError."""
        both, text = self._of_corpus(corpus, choice) if choice.source == CORPUS else self._typed_pair(corpus, choice)
        algorithm, examples = algorithm_named(choice.algorithm), []
        scored = replace(choice, scores=PARSER if _pairing(algorithm).scored else EQUAL)
        for one in both:
            n = int(one.lengths[0])
            algorithm.require_length(n)
            tags = tuple(getattr(one[0], text.coarse_name))
            examples.append(Example(tuple(one[0].forms), tags, self.scores_of(corpus, scored, one)))
        return replace(examples[0], text=text, second=examples[1])

    def _of_corpus(self, corpus, choice):
        """([two sentences of a corpus, each as a Treebank], all others)."""
        text, algorithm = self.workspace.treebank(corpus), algorithm_named(choice.algorithm)
        pairing = _pairing(algorithm)
        numbers = choice.sentence, choice.second or self.partner(corpus, choice)
        if not numbers[1]:
            raise WorkbenchError(
                f"no other sentence of {corpus.name} of at most {algorithm.longest} words "
                f"{pairing.missing.format(choice.sentence)}; choose another one, or the built-in example"
            )
        if numbers[0] == numbers[1]:
            raise WorkbenchError("both sentences are the same; choose another second sentence")
        others = np.delete(np.arange(len(text)), [number - 1 for number in numbers])
        return [self.sentence(corpus, replace(choice, sentence=number)) for number in numbers], text.select(others)

    def _typed_pair(self, corpus, choice):
        """([two typed sentences, each as a Treebank], the text that they are read like, without them)."""
        both = []
        for place, typed in zip(PLACES, (choice.typed, choice.typed_second), strict=True):
            try:
                both.append(self.sentence(corpus, replace(choice, typed=typed)))
            except WorkbenchError as error:
                raise WorkbenchError(f"the {place} sentence cannot be shown: {error}") from None
        text = load_sample() if in_english(corpus, choice) else self.workspace.treebank(corpus)
        typed = [one[0].forms for one in both]
        return both, text.select([k for k, sentence in enumerate(text) if sentence.forms not in typed])

    def seconds(self, corpus: Corpus, choice: Choice) -> list[int]:
        """Numbers, from 1, of the sentences to choose the Choice's second one from: the first ``LISTED``."""

        def make():
            algorithm = algorithm_named(choice.algorithm)
            pairing, fitting = _pairing(algorithm), self._fitting(corpus, algorithm)
            if pairing.firsts is not None:
                fitting = pairing.partners(self.workspace.treebank(corpus), choice.sentence - 1, fitting.tolist())
            return [int(place) + 1 for place in fitting[:LISTED] if place != choice.sentence - 1]

        return self._kept(
            "second sentences", (self.workspace.corpus_key(corpus), choice.algorithm, choice.sentence), make
        )

    def _liveliest(self, corpus, algorithm, numbers):
        """The first of the pairs that shows all there is, or most of those looked at."""
        ranked, seen = [], set()
        for number in numbers:
            if number in seen or len(ranked) == TRIED:
                continue
            liveliness, partner = self._partner(corpus, Choice(algorithm.key, CORPUS, number))
            ranked.append((liveliness, -number))
            seen.add(partner)
            if liveliness and all(liveliness):
                break
        return -max(ranked)[1]

    def partner(self, corpus: Corpus, choice: Choice) -> int:
        """The sentence, from 1, that goes with the Choice's: the liveliest of ``TRIED``; 0 where none does.

        Raises WorkbenchError for a text without what the algorithm learns from, and where there is no such sentence.
        """
        return self._partner(corpus, choice)[1]

    def _partner(self, corpus, choice):
        """(how much is seen with it, that sentence)."""

        def make():
            pairing = _pairing(algorithm_named(choice.algorithm))
            if pairing.scored and not self.has_trees(corpus):
                raise WorkbenchError(f"{corpus.name} has no tagged trees of at most {TRAINED_LENGTH} words; {EXAMPLE}")
            self.sentence(corpus, choice)
            others = [number - 1 for number in self.seconds(corpus, choice)]
            ranked = []
            for index in pairing.partners(self.workspace.treebank(corpus), choice.sentence - 1, others)[:TRIED]:
                try:
                    liveliness = pairing.liveliness(self._pair(corpus, replace(choice, second=index + 1)))
                except WorkbenchError:  # without its own tree the context is not known
                    continue
                ranked.append((liveliness, index + 1))
                if all(liveliness):
                    break
            return max(ranked, key=lambda one: one[0], default=((), 0))

        return self._kept("partners", (self.workspace.corpus_key(corpus), choice.algorithm, choice.sentence), make)

    def lines(self, corpus: Corpus, choice: Choice, text: str) -> list[str]:
        """The lines of a constraint set, its text, that match two words of the Choice's sentence: list of str."""
        one = self.sentence(corpus, choice)[0]
        tags = one.upos if any(one.upos) else one.xpos
        return matching_lines(ConstraintDocument.from_text(text).constraints, one.forms, tags)

    def sentence(self, corpus: Corpus, choice: Choice) -> Treebank:
        """The sentence of a Choice as a Treebank, tagged if it was typed. Raises WorkbenchError if there is none."""
        if choice.source == CORPUS:
            treebank = self.workspace.treebank(corpus)
            if not 1 <= choice.sentence <= len(treebank):
                raise WorkbenchError(
                    f"{corpus.name} has {len(treebank):,} sentences and none with the number {choice.sentence}; "
                    "choose another"
                )
            return treebank.select([choice.sentence - 1])
        words, tags = split_words(choice.typed)
        algorithm_named(choice.algorithm).require_length(len(words) - 1)
        return self._tagged(None if in_english(corpus, choice) else corpus, words, tags)

    def _tagged(self, corpus, words, tags):
        """A sentence as a Treebank, tagged as a Corpus is, or in English for None; ``tags`` that are given stay."""
        sentence = {"forms": list(words[1:])} | ({"upos": list(tags[1:])} if tags else {})
        treebank = Treebank.from_sentences([sentence])
        if corpus is None:
            return treebank if tags else self._kept("english", "", English.load).tag(treebank)
        key = self.workspace.corpus_key(corpus)
        return self._kept("taggings", key, lambda: text_tagging(self.workspace, corpus)).tag(treebank)

    def scores_of(self, corpus: Corpus, choice: Choice, tagged: Treebank) -> np.ndarray:
        """The scores of the arcs of a Choice's sentence, ``tagged``: (n + 1, n + 1), in nats. Raises WorkbenchError."""
        n = int(tagged.lengths[0])
        if choice.scores == OWN:
            return parse_scores(choice.own, n) if choice.own.strip() else equal_scores(n)
        if choice.scores == DICE:
            return dice_scores(n, choice.dice)
        if choice.scores == EQUAL:
            return equal_scores(n)
        if choice.scores == TREE:
            return tree_scores(tagged[0].heads)
        parser = self._parser(None if choice.source != CORPUS and in_english(corpus, choice) else corpus)
        if isinstance(parser, TreeCRF):
            scores = np.array(parser.scores(tagged)[0])
        else:
            with np.errstate(divide="ignore"):  # an arc that no tree has is forbidden
                scores = np.log(parser.marginals(tagged)[1][0])
        return np.round(scores, 1) + 0.0  # a tenth of a nat: a class adds them up by hand

    def _parser(self, corpus):
        """The parser that scores: trained on a corpus, or the universal one for it; for None trained on the sample.

        Raises WorkbenchError for a text without tags.
        """
        if corpus is None:
            return self._kept("taught parsers", "sample", lambda: _trained(load_sample()))
        if self.has_trees(corpus):
            key = self.workspace.corpus_key(corpus)
            return self._kept("taught parsers", key, lambda: _trained(self.workspace.treebank(corpus)))
        told, universal = universal_for(self.workspace, corpus)
        return self._kept("taught parsers", (self.workspace.read_key(corpus), told), universal)

    def has_trees(self, corpus: Corpus) -> bool:
        """Whether a parser of scores can be trained on a Corpus: it has tagged trees that are short enough."""
        key = self.workspace.corpus_key(corpus)
        return self._kept("trees to learn from", key, lambda: len(_learnable(self.workspace.treebank(corpus))) > 0)

    def scored_by(self, corpus: Corpus, choice: Choice) -> str:
        """Which parser scores the sentence of a Choice, in words."""
        if choice.source == TYPED and in_english(corpus, choice):
            return "an arc-factored CRF trained on the short trees of the English sample"
        if self.has_trees(corpus):
            return f"an arc-factored CRF trained on the short trees of {corpus.name}"
        return f"log-probabilities of the universal parser, since {corpus.name} has no tagged trees"

    def table(self, corpus: Corpus, choice: Choice) -> tuple[str, dict[str, list]]:
        """(key that changes with the scores, columns of the table of scores to edit)."""
        example = self.example(corpus, choice)
        line = f"{joined_words(example.words)} {format_scores(example.scores)}"
        return f"{zlib.crc32(line.encode()):08x}", score_table(example.words, example.scores)

    def edited(self, corpus: Corpus, choice: Choice, edits: Mapping[int, Mapping]) -> Choice:
        """The Choice after edits of that table, as ``st.data_editor`` tells them: {row: {column name: value}}."""
        example = self.example(corpus, choice)
        places = {name: m for m, name in enumerate(column_names(example.words), start=1)}
        cells = {int(row): {places[name]: value for name, value in columns.items() if name in places}
                 for row, columns in edits.items()}  # fmt: skip
        return replace(choice, scores=OWN, own=format_scores(edited_scores(example.scores, cells)))

    def trace(self, corpus: Corpus, choice: Choice) -> AlgorithmTrace:
        """The AlgorithmTrace of a Choice. Raises WorkbenchError."""
        key = self.workspace.corpus_key(corpus), choice
        return self._kept("traces", key, lambda: algorithm_named(choice.algorithm).steps(self.example(corpus, choice)))

    def traced(self, corpus: Corpus, lesson: Lesson) -> list[TracedStop]:
        """All stops of a Lesson with what they step through. Raises WorkbenchError, with the stop's number."""
        stops = []
        for place, stop in enumerate(lesson.stops, start=1):
            choice = choice_of(stop)
            try:
                stops.append(TracedStop(stop, self.example(corpus, choice), self.trace(corpus, choice)))
            except WorkbenchError as error:
                raise WorkbenchError(f"stop {place} of {lesson.title} cannot be shown: {error}") from None
        return stops

    def figure(self, corpus: Corpus, choice: Choice, step: int, theme: str) -> str:
        """The picture of a step, from 0, as SVG text; all of a trace are equally large."""
        trace, key = self.trace(corpus, choice), (self.workspace.corpus_key(corpus), choice)
        return figure_svg(trace, step, theme, self._kept("heights", key, lambda: tallest(trace)))

    def stop(self, corpus: Corpus, choice: Choice, step: int, title: str = "", notes: str = "") -> Stop:
        """The Stop of a lesson that shows this state anywhere: its words and scores are in it. ``step`` from 1."""
        example = self.example(corpus, choice)
        if example.second is not None and (choice.source == CORPUS or not in_english(corpus, choice)):
            how = "are of two sentences of this one" if choice.source == CORPUS else "are learnt from this one"
            raise WorkbenchError(
                f"a lesson opens with any text, and these steps {how}; send the page’s link, or choose the built-in "
                "example"
            )
        pairing = algorithm_named(choice.algorithm).pairing
        if pairing is not None:
            both = (example, example.second)
            sentences = pairing.example if choice.source == TYPED else tuple(map(self._as_typed, both))
            return Stop(choice.algorithm, sentences[0], title, step, notes, second=sentences[1])
        return Stop(
            choice.algorithm, self._as_typed(example), title, step, notes, format_scores(example.scores),
            choice.single_root, choice.constraint, moves=choice.moves,
        )  # fmt: skip

    def _as_typed(self, example):
        """The words of an Example, with its tags where they are not those of the English tagger."""
        english = self._tagged(None, example.words, ())[0]
        tags = () if example.tags in (english.upos, ("",) * len(example.words)) else example.tags
        return joined_words(example.words, tags)


EXAMPLE = "choose the built-in example, or another text"


def _pairing(algorithm):
    """The Pairing of an algorithm that has one."""
    assert algorithm.pairing is not None
    return algorithm.pairing


def _trained(treebank):
    """A TreeCRF over the short sentences of a treebank that have trees; seconds at most."""
    return TreeCRF(tags=_column(treebank), variance=1.0).fit(treebank.select(_learnable(treebank)))


def _learnable(treebank):
    """The sentences that a parser of scores is trained on, from 0; none without tags."""
    tags = _column(treebank)
    if tags is None:
        return np.zeros(0, np.int64)
    usable = trainable(treebank, TreeCRF(tags=tags).distribution) & (treebank.lengths <= TRAINED_LENGTH)
    return np.flatnonzero(usable)[:TRAINED_ON]


def _column(treebank):
    return "upos" if treebank.upos.filled else "xpos" if treebank.xpos.filled else None
