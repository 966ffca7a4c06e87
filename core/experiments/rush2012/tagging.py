"""Table 4 of rush2012: tagging English with few sentences to learn from."""

from collections.abc import Iterator

from core.consistency import ConsistentTags, tag_consistently
from core.evaluation import error_reduction, sign_test
from core.experiments.experiment import Findings, Lab
from core.experiments.rush2012.figures import TABLE_4
from core.experiments.rush2012.texts import SETTINGS, joined, shortened, sizes, wsj_parts
from core.parsers import Tagger
from core.treebank import Treebank

NOTES = [
    "The first sentences of WSJ files 1 to 99 train, files 120 to 199 test, for sections 00 and 23. Unknown words are "
    "looked up in the rest of files 1 to 119, about 65,000 words, for the paper's New York Times text: its tags are "
    "not looked at.",
    "The tagger is our trigram tagger with Toutanova et al.'s kinds of features, trained by the averaged perceptron.",
    SETTINGS,
]


def table4(lab: Lab) -> Findings:
    """All words and unknown words, by training size."""
    rows = []
    for size, result, tagger, test in tagged(lab):
        scores = [tagger.compare(test, tagging) for tagging in (result.base_tagging, result.tagging)]
        found = sign_test(test, tagger.tag(test), result.treebank, column=tagger.column)
        statistics = result.statistics()
        for words, key in (("all words", "pos_accuracy"), ("unknown words", "unknown_accuracy")):
            base, model = (score.as_dict()[key] for score in scores)
            paper_base, paper, paper_reduction = TABLE_4[words][size]
            rows.append(
                {
                    "name": f"{size}, {words}",
                    "base": base,
                    "ours": model,
                    "error_reduction": error_reduction(base, model),
                    "p_value": found.p_value if words == "all words" else None,
                    "words": scores[0].words if words == "all words" else scores[0].unknown_words,
                    "certified_share": statistics["certified_share"],
                    "active_share": statistics["active_share"],
                    "relative_time": statistics["relative_time"],
                    "paper_base": paper_base,
                    "paper": paper,
                    "paper_error_reduction": paper_reduction,
                }
            )
    return Findings(rows, [*NOTES, f"Test text: {len(test):,} sentences, {test.token_count:,} words."])


def tagged(lab: Lab) -> Iterator[tuple[int, ConsistentTags, Tagger, Treebank]]:
    """(size, ConsistentTags, Tagger, test text) for each size."""
    train, development, test = wsj_parts(lab)
    test = shortened(lab, test)
    for size in sizes(lab):
        few = train.limit(size)
        extra = joined(train.select(range(size, len(train))), development)
        tagger = Tagger().fit(few, tags="xpos")
        result = tag_consistently(tagger, test, extra=extra, train=few)
        lab.say(f"{size} sentences: {len(result.words.names):,} groups of unknown words")
        yield size, result, tagger, test
