"""What statements add to a parser of other languages: simulated linguists on genera that it has not seen."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from zlib import crc32

import numpy as np

from core.constraints import Constraint, GrammarSettings, Matcher, oracle_constraints, parse_constraints
from core.constraints.authoring.examples import drawn_examples, judged
from core.constraints.authoring.questions import ANSWERS, AT_ONCE, ArcQuestion, ArcQuestions, answer_of
from core.constraints.grammar.judging import TaughtParser, project_judged
from core.constraints.grammar.projected import ProjectionResult, project
from core.evaluation import attachment_scores
from core.experiments.beyond.folds import (
    Texts,
    fold_parser,
    fold_tagger,
    language_rows,
    parser_settings,
    tagger_settings,
)  # fmt: skip
from core.experiments.beyond.languages import LINES
from core.experiments.beyond.universal import MORE, MOST, NOTES, six_answers
from core.experiments.experiment import Environment, Results
from core.extras import require
from core.parsers.decoding import PosteriorParser
from core.parsers.dictionary.lists import LISTED, tagged_by_list
from core.parsers.dictionary.tagger import DictionaryTagger
from core.parsers.projection import POINT
from core.parsers.universal.parser import UniversalParser
from core.treebank import Treebank
from core.treebank.retag import interned, with_column
from core.treebank.tagging import UNKNOWN

SETTINGS = GrammarSettings(tags="upos")
SHARES, LARGER = 25, 50  # surest shares of pairs
ASKED = (10, 20, 40)  # answers
WRONG = 5  # one answer in so many is a word off
NARROW = 0.005  # what an exact share that is stated as a range may lie off it
ANSWERING = {  # one answer in so many is a word off, and whether examples are looked at
    "answers": (0, False), "doubtful": (WRONG, False), "exampled": (0, True), "doubtful exampled": (WRONG, True),
}  # fmt: skip
EXAMPLES = "ten examples where the parser contradicts"
WAYS = {
    "rounded": f"{SHARES} surest shares, rounded", "more rounded": f"{LARGER} surest shares, rounded",
    "exact": f"{SHARES} surest shares as numbers, which stand for \u00b1 {POINT}",
    "narrow": f"the same as ranges, \u00b1 {NARROW}",
    "universal": "25 universal constraints",
    **{f"{count} answers": f"{count} answers in words" for count in ASKED},
    **{f"{count} doubtful": f"{count} answers, one in {WRONG} a word off" for count in ASKED},
    **{f"{count} exampled": f"{count} answers in words, {EXAMPLES}" for count in ASKED},
    **{f"{count} doubtful exampled": f"{count} answers, one in {WRONG} a word off, {EXAMPLES}" for count in ASKED},
    **{f"{count} on trees": f"{count} answers beside {MORE} trees" for count in ASKED[-1:]},
    "judged on trees": f"the same, a fifth doubtful; and those left out that the {MORE} trees speak against",
    "doubtful on trees": "the same, none left out",
    **{f"{count} on tags": f"{count} answers on tags from {LISTED} words" for count in ASKED[-1:]},
}  # fmt: skip


def beyond_statements(env: Environment) -> Results:
    """Differences to the parser below, in points, of every way to state what is known."""
    require("universal")
    texts = Texts(env)

    def figures(fold, number):
        parser, tagger = fold_parser(env, texts, fold, number), fold_tagger(env, texts, fold, number)

        def of_target(target):
            text = texts[target].limit(MOST)
            return statement_figures(parser, text) | tag_figures(parser, text, tagger)

        return of_target

    settings = SETTINGS, parser_settings(env), tagger_settings(env)
    rows = language_rows(env, texts, "beyond-statements-{}", settings, figures, itemgetter("below uas"))
    summaries = [_summary(key, title, rows) for key, title in WAYS.items()]
    return Results(summaries, _notes(len(rows)), {"Languages": rows})


def _notes(count):
    return [
        *NOTES[:2],
        f"Differences in points to the same parser with six answers about word order, means over {count} languages; "
        "worst: the language that loses most, or gains least. Figures with trees are of the sentences behind them, "
        "against the parser that has learnt them; those on tags from a list of words, without features, against the "
        "parser on the same tags.",
        "Shares are of the language's own trees. Questions are chosen by how unsure the trees are, five at a time, and "
        "answered by one of eight words, as the trees have it. One constraint can pull an arc by half a nat; universal "
        "ones, ranges that nobody confirmed, by 0.2.",
    ]  # fmt: skip


def _summary(key, title, rows):
    """Mean and worst difference of a way, and in how many languages it loses."""
    below = next((after for after in ("trees", "tags") if key.endswith(f"on {after}")), "below")
    row = {"name": title, "ours": None, "paper": None}
    for measure in ("uas", "las"):
        gains = np.array([each[f"{key} {measure}"] - each[f"{below} {measure}"] for each in rows])
        row |= {measure: float(gains.mean()), f"worst {measure}": float(gains.min())}
    lower = sum(each[f"{key} uas"] < each[f"{below} uas"] for each in rows)
    return row | {"ours": row["uas"], "lower": lower, "languages": len(rows)}


def statement_figures(parser: UniversalParser, text: Treebank) -> dict[str, float]:
    """``uas`` and ``las`` in percent of each of WAYS on a text without punctuation, and of answers on top of trees."""
    linguist = Linguist(text, six_answers(parser, text).for_text(text).with_cache())
    every, rest = np.ones(len(text), bool), np.arange(len(text)) >= MORE
    figures = _figures("below", linguist.parser, text, every)
    shares = {count: oracle_constraints(text, count, tags="upos") for count in (SHARES, LARGER)}
    exact = oracle_constraints(text, SHARES, binned=False, tags="upos")
    narrow = [
        replace(line, low=max(0.0, line.low - NARROW), high=min(1.0, line.high + NARROW), confirmed=True)
        for line in exact
    ]
    stated = {
        "rounded": shares[SHARES], "more rounded": shares[LARGER], "exact": exact, "narrow": narrow,
        "universal": parse_constraints(LINES.read_text(encoding="utf-8")),
    }  # fmt: skip
    for name, constraints in stated.items():
        figures |= _figures(name, linguist.projected(constraints).model, text, every)
    for name, how in ANSWERING.items():
        for count, result in linguist.answering(ASKED, *how):
            figures |= _figures(f"{count} {name}", result.model, text, every)
    taught = linguist.parser.adapted(text.limit(MORE))
    figures |= _figures("trees", taught, text, rest)
    for count, result in Linguist(text, taught).answering(ASKED[-1:], 0):
        figures |= _figures(f"{count} on trees", result.model, text, rest)
    ((_, doubtful),) = Linguist(text, taught).answering(ASKED[-1:], WRONG)
    judging = TaughtParser(linguist.parser, text.limit(MORE))
    left = project_judged(text, doubtful.constraints, SETTINGS, judging, start=doubtful.model)
    figures |= _figures("doubtful on trees", doubtful.model, text, rest)
    return figures | _figures("judged on trees", left.model, text, rest)


def tag_figures(parser: UniversalParser, text: Treebank, tagger: DictionaryTagger) -> dict[str, float]:
    """The same of answers on the tags that a list of the most frequent words leads to, without features."""
    whole = Treebank(text.source).select(np.arange(text.picks.max() + 1))
    tagged, no_features = tagged_by_list(whole, tagger), interned(np.zeros(len(text.heads), np.int64), [""])
    upos = tagged.upos.take(text.rows)
    upos = interned(upos.ids, [UNKNOWN if tag == "PUNCT" else tag for tag in upos.values])  # no word of it is a mark
    columns = {"upos": upos, "misc": tagged.misc.take(text.rows), "feats": no_features}
    listed = text
    for name, column in columns.items():
        listed = with_column(listed, name, column)
    linguist = Linguist(listed, six_answers(parser, text).for_text(listed).with_cache())
    every = np.ones(len(text), bool)
    figures = _figures("tags", linguist.parser, listed, every)
    for count, result in linguist.answering(ASKED[-1:], 0):
        figures |= _figures(f"{count} on tags", result.model, listed, every)
    return figures


def _figures(name, parser, text, chosen):
    scores = attachment_scores(text, parser.parse(text), punctuation=np.repeat(chosen, text.lengths + 1))
    assert scores.uas is not None and scores.las is not None  # every language has trees and relations
    return {f"{name} uas": scores.uas, f"{name} las": scores.las}


@dataclass(frozen=True, eq=False)
class Linguist:
    """Somebody who answers by the trees of a text without punctuation, above a parser that does not see them."""

    text: Treebank
    parser: UniversalParser

    def projected(self, constraints: Sequence[Constraint], start: PosteriorParser | None = None) -> ProjectionResult:
        """The parser under constraints."""
        return project(self.text, constraints, SETTINGS, self.parser, start=start)

    def answering(
        self, counts: Sequence[int], one_in: int, has_examples: bool = False
    ) -> list[tuple[int, ProjectionResult]]:
        """(how many answers, the parser under them); one answer in so many is a word off, none for 0.

        With examples ten words are looked at, once, where the parser contradicts an answer.
        """
        questions, answers, results = ArcQuestions(self.text, "upos"), StatedAnswers(self, one_in), []
        result = self.projected([])
        for count in counts:
            while len(answers.by_name) < count:
                marginals = result.model.marginals(self.text)[1].values
                asked = questions.ranked(marginals, answers.by_name, min(AT_ONCE, count - len(answers.by_name)))
                if not asked:
                    break
                answers.add(asked)
                result = self.projected(answers.stated, result.model)
                if has_examples and answers.look(result, marginals):
                    result = self.projected(answers.stated, result.model)
            results.append((count, result))
        return results


class StatedAnswers:
    """What a Linguist has said so far: ``by_name`` is the constraint of each answer, None where it was given up."""

    def __init__(self, linguist: Linguist, one_in: int):
        self.text, self.one_in = linguist.text, one_in
        self.matcher, self.by_name, self._looked = Matcher(self.text, "upos"), {}, set()
        self._generator = np.random.default_rng(crc32(self.text.content_hash.encode()))

    @property
    def stated(self) -> list[Constraint]:
        """The constraints that stand."""
        return [constraint for constraint in self.by_name.values() if constraint is not None]

    def add(self, asked: Sequence[ArcQuestion]) -> None:
        """Answer questions."""
        self.by_name |= {question.name: self._answered(question) for question in asked}

    def look(self, result: ProjectionResult, marginals: np.ndarray) -> bool:
        """Look at examples of what the parser contradicts; whether there was any."""
        shares = {line.name: share for line, share in zip(result.constraints, result.alone.tolist(), strict=True)}
        disputed = [constraint for constraint in result.disputed if constraint.name not in self._looked]
        for constraint in disputed:
            self._looked.add(constraint.name)
            drawn, candidates = drawn_examples(self.matcher, constraint, marginals), self._true(constraint)
            right = [(sentence, modifier) in candidates for sentence, _, modifier in drawn]
            self.by_name[constraint.name] = judged(constraint, shares[constraint.name], right).constraint
        return bool(disputed)

    def _true(self, constraint):
        """The (sentence, modifier) whose own head is a candidate of a constraint."""
        starts = self.matcher.arc_offsets
        arcs = self.matcher.match([constraint]).arcs
        sentences = np.searchsorted(starts, arcs, side="right") - 1
        heads, modifiers = np.divmod(arcs - starts[sentences], self.text.lengths[sentences] + 1)
        right = self.text.heads[self.text.offsets[sentences] + modifiers] == heads
        return set(zip(sentences[right].tolist(), modifiers[right].tolist(), strict=True))

    def _answered(self, question):
        """The constraint of an answer, which may be a word off."""
        share = self.matcher.counts([question.constraint])[0].gold_share
        word = answer_of(0.0 if share is None else share)
        place = ANSWERS.index(word)
        if self.one_in and self._generator.integers(self.one_in) == 0:
            place = place + 1 if place == 0 or (place < len(ANSWERS) - 1 and self._generator.integers(2)) else place - 1
        return question.answer(ANSWERS[place])
