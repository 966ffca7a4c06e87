"""Table 4 of rush2012: tagging English with few sentences to learn from."""

from collections.abc import Iterator

from core.consistency import ConsistentTags, tag_consistently
from core.consistency.unknown import UnknownIndex
from core.evaluation import error_reduction, sign_test
from core.experiments.experiment import Environment, Results, unanswered
from core.experiments.rush2012.figures import TABLE_4
from core.experiments.rush2012.texts import SETTINGS, news_parts, shortened, sizes
from core.parsers import Tagger
from core.parsers.self_training import concatenate
from core.treebank import Treebank

DATA = [
    "The first sentences of WSJ files 1 to 99 train, files 120 to 199 test, for sections 00 and 23. Unknown words are "
    "looked up in the rest of files 1 to 119, about 65,000 words, for the paper's New York Times text: its tags are "
    "not looked at.",
]
NOTES = [
    "The tagger is our trigram tagger with Toutanova et al.'s kinds of features, trained by the averaged perceptron.",
    SETTINGS,
]


def table4(env: Environment) -> Results:
    """All words and unknown words, by training size."""
    rows, (train, _, whole) = [], news_parts(env)
    for size, result, tagger, test in tagged(env):
        scores = [tagger.compare(test, tagging) for tagging in (result.base_tagging, result.tagging)]
        sign = sign_test(test, tagger.tag(test), result.treebank, column=tagger.column)
        statistics = result.statistics()
        for words, key in (("all words", "pos_accuracy"), ("unknown words", "unknown_accuracy")):
            base, model = (score.as_dict()[key] for score in scores)
            paper_base, paper, paper_reduction = TABLE_4[words][size]
            row = {"name": f"{size}, {words}", "base": base, "ours": model}
            row |= {"error_reduction": error_reduction(base, model)}
            row |= {"p_value": sign.p_value if words == "all words" else None}
            row |= {"words": scores[0].words if words == "all words" else scores[0].unknown_words}
            row |= {name: statistics[name] for name in ("certified_share", "active_share", "relative_time")}
            row |= {"paper_base": paper_base, "paper": paper, "paper_error_reduction": paper_reduction}
            rows.append(row)
    for size, why in sizes(env, train)[1].items():
        for words, printed in TABLE_4.items():
            paper_base, paper, paper_reduction = printed[size]
            figures = {"paper": paper, "paper_base": paper_base, "paper_error_reduction": paper_reduction}
            rows.append(unanswered(f"{size}, {words}", why, **figures))
    test = shortened(env, whole)
    return Results(rows, env.notes(DATA, *NOTES, f"Test text: {len(test):,} sentences, {test.token_count:,} words."))


def tagged(env: Environment) -> Iterator[tuple[int, ConsistentTags, Tagger, Treebank]]:
    """(size, ConsistentTags, Tagger, test text) for each size."""
    train, development, test = news_parts(env)
    test = shortened(env, test)
    for size in sizes(env, train)[0]:
        few = train.limit(size)
        extra = concatenate(train.select(range(size, len(train))), development)
        tagger = Tagger().fit(few, tags="xpos")
        words = UnknownIndex.of(tagger.trained().forms, test, extra).select()
        result = tag_consistently(tagger, test, words=words, train=few)
        env.say(f"{size} sentences: {len(result.words.names):,} groups of unknown words")
        yield size, result, tagger, test
