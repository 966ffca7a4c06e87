"""What rush2012 leaves to future work (section 10): bonuses learnt together with the parser, beside fixed ones."""

from core.consistency import parse_consistently
from core.consistency.learning import LearningSettings, learn_deltas
from core.evaluation import attachment_scores, error_reduction, sign_test
from core.experiments.experiment import Environment, Results, unanswered
from core.experiments.rush2012 import texts
from core.experiments.rush2012.accuracy import DOMAINS, PARSER
from core.parsers import MSTParser

LEARNING = LearningSettings()
NOTES = [
    "fixed has the parser trained alone and the bonuses of our settings; learnt_deltas has the learnt bonuses in their "
    "place; ours has the parser learnt with them too. base and ours_alone are the two parsers without consistency.",
    f"Bonuses are learnt on {LEARNING.folds} folds of the training sentences, each parsed by a parser of the others, "
    f"at a rate of {LEARNING.rate:g}; they begin at our settings. No test or development text is looked at.",
    "delta1 to delta3 are what was learnt, in mean margins; equal ones turn every consensus off.",
    "gold_same and predicted_same are edges to a consensus of the head's own tag in held-out folds after the last "
    "epoch, by gold trees and by the parsers' consistent ones, in percent of the edges there, observed words included.",
    "p_value is of the two-sided sign test over words without punctuation, ours against fixed; nothing is corrected "
    "for the number of comparisons.",
]


def together(env: Environment) -> Results:
    """Fixed bonuses against learnt ones, in lightly supervised parsing and, but for a quick run, between domains."""
    rows, tested, adapted = [], [], () if env.quick else texts.domain_texts(env)
    languages, why = texts.languages(env)
    for language in languages:
        tested.append(texts.language_texts(env, language))
        sizes, few = texts.sizes(env, tested[-1].train)
        rows += [_row(env, tested[-1].sized(size)) for size in sizes]
        rows += [unanswered(f"{language.name} {size}", reason) for size, reason in few.items()]
    rows += [_row(env, pair) for pair in adapted]
    rows += [unanswered(f"{name} {size}", reason) for name, reason in why.items() for size in texts.sizes(env)[0]]
    sizes = texts.size_note([*tested, *adapted])
    data = [*texts.DATA, *(DOMAINS if adapted else ())]
    return Results(rows, env.notes(data, PARSER, texts.SCORING, texts.SETTINGS, *NOTES, sizes))


def _row(env, pair):
    """A line of one training and test text."""

    def new_parser():
        return MSTParser(order=2, labels=False, tags=pair.tags)

    def parsed(parser, settings=None):
        return parse_consistently(parser, pair.train, pair.test, settings, tags=pair.tags)

    def uas(treebank):
        return attachment_scores(pair.test, treebank, punctuation=False).uas

    alone = new_parser().fit(pair.train)
    learnt = learn_deltas(new_parser(), pair.train, learning=LEARNING, tags=pair.tags)
    fixed, moved, ours = parsed(alone), parsed(alone, learnt.settings), parsed(learnt.parser, learnt.settings)
    test = sign_test(pair.test, fixed.treebank, ours.treebank, punctuation=False)
    row = {"name": pair.name, "base": uas(pair.test.with_heads(fixed.base_heads.values)), "fixed": uas(fixed.treebank)}
    row |= {"learnt_deltas": uas(moved.treebank), "ours": uas(ours.treebank), "paper": None}
    row |= {"ours_alone": uas(pair.test.with_heads(ours.base_heads.values)), "p_value": test.p_value}
    row |= {"error_reduction": error_reduction(row["fixed"], row["ours"])}
    row |= {"words_better": test.only_second, "words_worse": test.only_first}
    row |= {name: getattr(learnt.settings, name) for name in ("delta1", "delta2", "delta3")}
    last = learnt.epochs[-1]
    for name, edges in (("gold_same", last.gold), ("predicted_same", last.predicted)):
        row[name] = 100 * edges[0] / last.edges if last.edges else None
    env.say(f"{pair.name}: {row['fixed']:.2f} with fixed bonuses, {row['ours']:.2f} with learnt ones")
    return row
