"""Beyond spitkovsky2010: mark-up as features of a supervised second-order parser (section 9 names them)."""

from collections.abc import Sequence

from core.evaluation import attachment_scores, sign_test
from core.experiments.experiment import Environment
from core.markup import sample_markup
from core.parsers import MSTParser
from core.parsers.self_training import concatenate, cross_parse
from core.treebank import Treebank
from core.treebank.retag import with_values
from core.trees.brackets import Bracket

FOLDS, EPOCHS = 10, 5
PARTS = "sample", "questions"
PLACES = {(True, True): "alone", (True, False): "first", (False, True): "last", (False, False): "inside"}
KINDS = {"element and place": "{tag} {place}", "element": "{tag}", "whether it is marked": "marked"}
NOTE = (
    "Mark-up as features: ten folds of the sample and its questions, second-order MIRA, 5 epochs, no relations, gold "
    "XPOS. Each template that reads a word's tag reads beside it what marks the word: the element, and whether the "
    "word is its first, its last, its only one or inside. A template that reads the tag alone stands beside it. "
    "Heads of words without punctuation; the sign test is against the parser that reads the tag alone twice."
)


def with_marks(treebank: Treebank, brackets: Sequence[Sequence[Bracket]], kind: str = "{tag} {place}") -> Treebank:
    """A text whose XPOS says how a word is marked by the shortest bracket around it, and whose UPOS is its XPOS.

    A parser that reads two tag columns then has features of both, and of the tag alone. ``kind`` is what is said, with
    ``{tag}`` and ``{place}``.
    """
    bank = treebank.to_conllu()
    plain = bank.xpos.strings()
    marked = plain.copy()
    for begin, marks in zip(bank.offsets.tolist(), brackets, strict=False):
        for mark in sorted(marks, key=len, reverse=True):
            for word in range(mark.start, mark.end):
                place = PLACES[word == mark.start, word == mark.end - 1]
                marked[begin + word] = f"{plain[begin + word]} {kind.format(tag=mark.tag, place=place)}"
    return with_values(with_values(bank, "upos", plain), "xpos", marked)


def marked_feature_rows(env: Environment) -> list[dict]:
    """Percent of heads right without mark-up and with it, and the sign test between the two."""
    parts = [sample_markup(part) for part in PARTS]
    text, brackets = concatenate(*(part.treebank for part in parts)), [row for part in parts for row in part.brackets]
    if env.quick:
        text, brackets = text.limit(60), brackets[:60]
    scored, folds = text.is_word & ~text.punctuation(), 3 if env.quick else FOLDS

    def parsed(bank: Treebank) -> Treebank:
        heads = cross_parse(
            lambda trees: MSTParser(2, labels=False, bits=20).fit(trees, epochs=EPOCHS), bank, folds
        ).heads
        return text.with_heads(heads)

    about, plain = f"{len(text)} sentences, {folds} folds", parsed(with_marks(text, [()] * len(text)))
    rows = [_row(f"{about}, without mark-up", text, plain, scored)]
    for name, kind in KINDS.items():
        marked = parsed(with_marks(text, brackets, kind))
        test = sign_test(text, plain, marked, punctuation=scored)
        row = _row(f"{about}, {name} as features", text, marked, scored)
        rows.append(row | {"lost": test.only_first, "won": test.only_second, "p_value": test.p_value})
        env.say(f"{row['name']}: {row['ours']:.2f}, without {rows[0]['ours']:.2f}")
    return rows


def _row(name, text, parsed, scored):
    return {"name": name, "ours": attachment_scores(text, parsed, punctuation=scored).uas, "paper": None}
