"""The systems compared: the parser alone, self-trained, and with consistency."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.adaptation import self_train
from core.consistency import ConsistentParses, parse_consistently
from core.evaluation import attachment_scores, error_reduction, sign_test
from core.experiments.experiment import Environment
from core.experiments.rush2012.texts import Texts
from core.parsers import MSTParser
from core.treebank import Treebank

FEW = 20  # sentences


@dataclass(frozen=True, eq=False)
class SystemTrees:
    """The trees of one setting; ``self_trained`` is None where that system was left out."""

    texts: Texts
    parses: ConsistentParses
    base: Treebank
    self_trained: Treebank | None

    def uas(self, parsed: Treebank, punctuation: bool = False) -> float | None:
        """Accuracy in percent."""
        return attachment_scores(self.texts.test, parsed, punctuation=punctuation).uas

    def row(self, paper: Sequence[float] | None) -> dict:
        """A line of Table 2 or 3; ``paper`` is (base, self-trained, model, error reduction) or None."""
        base, model = self.uas(self.base), self.uas(self.parses.treebank)
        taught = None if self.self_trained is None else self.uas(self.self_trained)
        test = sign_test(self.texts.test, self.base, self.parses.treebank, punctuation=False)
        statistics = self.parses.statistics()
        row = {"name": self.texts.name, "base": base, "self_trained": taught, "ours": model}
        row |= {"error_reduction": error_reduction(base, model), "p_value": test.p_value}
        row |= {"with_punctuation": self.uas(self.parses.treebank, punctuation=True)}
        row |= {"base_with_punctuation": self.uas(self.base, punctuation=True)}
        row |= {name: statistics[name] for name in ("certified_share", "active_share", "relative_time")}
        return row | paper_figures(paper)


def paper_figures(paper: Sequence[float] | None) -> dict[str, float | None]:
    """The paper's columns of a line of Table 2 or 3."""
    names = ("paper_base", "paper_self_trained", "paper", "paper_error_reduction")
    return dict(zip(names, paper or (None,) * 4, strict=True))


def run_systems(env: Environment, texts: Texts, *, self_training: bool = True) -> SystemTrees:
    """Train on a setting's text and parse its test text with every system: an SystemTrees."""

    def fit(treebank):
        return MSTParser(order=2, labels=False, tags=texts.tags).fit(treebank)

    parser = fit(texts.train)
    few = texts.train.limit(FEW)
    parse_consistently(parser, few, few, tags=texts.tags)  # loads the kernels: times are of the search alone
    parses = parse_consistently(parser, texts.train, texts.test, tags=texts.tags)
    base = texts.test.with_heads(parses.base_heads.values)
    taught = self_train(fit, texts.train, texts.test, teacher=parser).treebank if self_training else None
    outcome = SystemTrees(texts, parses, base, taught)
    env.say(f"{texts.name}: {outcome.uas(base):.2f} alone, {outcome.uas(parses.treebank):.2f} with consistency")
    return outcome
