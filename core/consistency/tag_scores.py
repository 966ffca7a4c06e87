"""Tags of the tagger alone and with consistency against known ones: rush2012's Table 4, for commands and pages."""

from dataclasses import dataclass

from core.consistency.tagging import ConsistentTags
from core.evaluation import error_reduction, sign_test
from core.evaluation.significance import SignTest
from core.parsers.tagger.tagger import TagAccuracy, Tagger
from core.treebank import Treebank

SYSTEMS = ("base", "model")


@dataclass(frozen=True)
class TagScores:
    """The accuracy of the tagger alone and with consistency, and a sign test between the two, over the same words."""

    base: TagAccuracy
    model: TagAccuracy
    sign: SignTest

    def as_dict(self) -> dict[str, dict[str, float | None]]:
        """Percentages by system, ``base`` and ``model``, with error reductions and the p value; rush2012's Table 4."""
        systems = {}
        for name in SYSTEMS:
            score = getattr(self, name)
            systems[name] = score.as_dict()
            systems[name]["error_reduction"] = error_reduction(self.base.pos_accuracy, score.pos_accuracy)
            if self.base.unknown_accuracy is not None:
                unknown = error_reduction(self.base.unknown_accuracy, score.unknown_accuracy)
                systems[name]["unknown_error_reduction"] = unknown
        systems["model"]["p_value"] = self.sign.p_value
        return systems


def tag_scores(tagger: Tagger, gold: Treebank, result: ConsistentTags) -> TagScores | None:
    """The TagScores of a result against the tags of ``gold``, its test text; None where that has no tags to compare.

    Words without a tag there are not scored.
    """
    if not getattr(gold, tagger.column).filled:
        return None
    base = result.base_treebank(tagger.column)
    sign = sign_test(gold, base, result.treebank, column=tagger.column)
    return TagScores(tagger.compare(gold, result.base_tagging), tagger.compare(gold, result.tagging), sign)
