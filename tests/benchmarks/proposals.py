"""How much of spoilt answers can be used, and whether their trees are changed as little as can be.

    python -m tests.benchmarks.proposals [--answers 200] [--sentences 10] [--seed 1]

makes answers of the trees of six treebanks: each a CoNLL-U text of a few sentences, spoilt in one of ten ways and,
every other one, in a second way besides. Prints for each kind the sentences, those that get a tree, those of them that
are valid as trees, the words with a head as before, and the changes. Of sentences of at most six words all trees are
listed: none may keep more of the heads that were proposed.
"""

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Callable
from unittest.mock import patch

import numpy as np

from core.annotation import SentenceAnnotation
from core.annotation.label_inventories import LabelInventories
from core.annotation.validation import problems
from core.proposals import adopt, adopting, read_answer
from core.treebank import Treebank, read_conllu
from tests.conftest import SHARED
from tests.oracles.proposals import most_kept

TREEBANKS = ("bg_btb", "de_gsd", "es_gsd", "ja_gsd", "nl_alpino", "tr_imst")
OF_TREES = frozenset({"no head", "no relation", "root relation", "several roots", "cycle", "no root"})
LISTED = 6  # words of the sentences whose trees are all listed
Row = list[str]  # number, form, tag, head, relation
Rows = list[list[Row]]


def rows_of(text: Treebank) -> Rows:
    """The sentences of a treebank."""
    return [[[str(k), s.forms[k], s.upos[k] or "_", str(s.heads[k]), s.deprels[k]] for k in range(1, len(s) + 1)]
            for s in text]  # fmt: skip


def as_conllu(sentences: Rows, chance: random.Random) -> str:
    """As asked for."""
    lines = ["\n".join("\t".join((n, f, "_", t, "_", "_", h, r, "_", "_")) for n, f, t, h, r in s) for s in sentences]
    return "\n\n".join(lines) + "\n"


def in_prose(sentences, chance):
    return f"Sure! Here are {len(sentences)} trees in 1 block:\n\n```conllu\n{as_conllu(sentences, chance)}```\n\nBye."


def with_blanks(sentences, chance):
    return as_conllu(sentences, chance).replace("\t", " " * chance.randint(1, 4))


def as_table(sentences, chance):
    head = "| ID | Word | Head | Relation |\n|----|------|:----:|---|\n"
    return "\n\n".join(head + "\n".join(f"| {n} | {f.replace('|', chr(92) + '|')} | {h} | `{r}` |"
                                        for n, f, _, h, r in s) for s in sentences)  # fmt: skip


def as_json(sentences, chance):
    words = [[{"id": int(n), "form": f, "head": int(h) if h.isdecimal() else None, "deprel": r}
              for n, f, _, h, r in s] for s in sentences]  # fmt: skip
    return json.dumps(words, ensure_ascii=False, indent=chance.choice((None, 1))).replace("}]", "},]")


def as_list(sentences, chance):
    return "\n\n".join("\n".join(f"{n}. {f}/{t} -> {h} {r}" for n, f, t, h, r in s) for s in sentences)


def losing(sentences, chance):
    return [_numbered(kept) if chance.random() < 0.5 else kept for s in sentences
            for kept in [[row for row in s if len(s) < 4 or chance.random() > 0.08]] if kept]  # fmt: skip


def adding(sentences, chance):
    for sentence in sentences:
        for _ in range(chance.randint(1, 2)):
            at = chance.randint(0, len(sentence))
            sentence.insert(at, ["", chance.choice(("the", "very", "''", "xyz")), "X", "1", "dep"])
    return [_numbered(sentence) for sentence in sentences]


def two_roots(sentences, chance):
    for sentence in sentences:
        chance.choice(sentence)[3:] = ["0", "root"]
    return sentences


def cycles(sentences, chance):
    for sentence in sentences:
        one, two = chance.choice(sentence), chance.choice(sentence)
        one[3], two[3] = two[0], one[0]
    return sentences


def other_labels(sentences, chance):
    changes: tuple[Callable[[str], str | None], ...] = (
        str.upper, lambda r: r.replace(":", "_") + "x", {"obj": "dobj", "obl": "nmod:prep", "flat": "name"}.get,
        lambda r: "blob", str.title,
    )  # fmt: skip
    for sentence in sentences:
        for row in sentence:
            if chance.random() < 0.3:
                row[4] = chance.choice(changes)(row[4]) or "_"
    return sentences


def respelling(sentences, chance):
    """Other capitals, letters lost, words joined, sentences in another order."""
    for sentence in sentences:
        row = chance.choice(sentence)
        row[1] = row[1].swapcase() if chance.random() < 0.5 or len(row[1]) < 4 else row[1][:-1]
        if len(sentence) > 3 and chance.random() < 0.5:
            at = chance.randrange(len(sentence) - 1)
            sentence[at][1] += sentence.pop(at + 1)[1]
    chance.shuffle(sentences)
    return [_numbered(sentence) for sentence in sentences]


def out_of_range(sentences, chance):
    for sentence in sentences:
        chance.choice(sentence)[3] = chance.choice(("99", "_", "-3"))
    return sentences


def _numbered(sentence):
    """The rows numbered anew, as a model does that counts what it has written."""
    new = {row[0]: str(k) for k, row in enumerate(sentence, 1) if row[0]}
    for k, row in enumerate(sentence, 1):
        row[3] = new.get(row[3], row[3]) if row[0] else row[3]
        row[0] = str(k)
    return sentence


LAYOUTS = {"code fence and prose": in_prose, "blanks for tabs": with_blanks, "table": as_table, "JSON": as_json,
           "list with arrows": as_list}  # fmt: skip
DAMAGE = {"words lost": losing, "words added": adding, "two roots and cycles": lambda s, c: cycles(two_roots(s, c), c),
          "other relations": other_labels, "respelt, joined, reordered": respelling}  # fmt: skip
KINDS = (*LAYOUTS, *DAMAGE)


def spoilt(text: Treebank, kind: str, chance: random.Random, second: bool) -> str:
    """An answer with the trees of a text, spoilt in one way or two."""
    sentences = rows_of(text)
    damage = [kind] if kind in DAMAGE else []
    damage += [chance.choice(sorted(DAMAGE))] if second and not damage else []
    for each in damage:
        sentences = DAMAGE[each](sentences, chance)
    if second and damage:
        sentences = out_of_range(sentences, chance)
    layout = kind if kind in LAYOUTS else chance.choice(sorted(LAYOUTS)) if second else None
    return as_conllu(sentences, chance) if layout is None else LAYOUTS[layout](sentences, chance)


class Checked:
    """Stands for ``fewest_changes``, and compares its trees with all trees of short sentences."""

    def __init__(self, draw):
        self.draw, self.listed, self.worse = draw, 0, 0

    def __call__(self, proposed, suggested=None, at_hand=None):
        heads = self.draw(proposed, suggested, at_hand)
        if len(heads) - 1 <= LISTED:
            self.listed += 1
            self.worse += int((heads == proposed)[1:].sum()) < most_kept(proposed)
        return heads


def measure(answers: int, size: int, seed: int) -> None:
    """Print the table."""
    banks = {name: read_conllu(SHARED / "ud" / f"{name}-test.conllu") for name in TREEBANKS}
    chance, rows = random.Random(seed), defaultdict(lambda: np.zeros(6, int))
    inventories = {name: LabelInventories.of(bank) for name, bank in banks.items()}
    checked = Checked(adopting.fewest_changes)
    with patch.object(adopting, "fewest_changes", checked):
        for number in range(answers):
            kind, name = KINDS[number % len(KINDS)], TREEBANKS[number % len(TREEBANKS)]
            bank, begin = banks[name], chance.randrange(len(banks[name]) - size)
            answer = spoilt(bank[begin : begin + size], kind, chance, number // len(KINDS) % 2 == 1)
            around = bank[max(begin - 20, 0) : begin + size + 20]
            adopted = adopt(around, read_answer(answer), inventories=inventories[name])
            found = _figures(adopted, around, min(begin, 20), size, inventories[name])
            for group in (kind, name, "all"):
                rows[group] += found
    print("kind, sentences, with a tree, valid, % of words with the head as before, changes a sentence")
    for group in (*KINDS, *TREEBANKS, "all"):
        sentences, used, valid, words, same, changes = rows[group].tolist()
        share = 100 * same / max(words, 1)
        print(f"{group:28} {sentences:5} {used:5} {valid:5} {share:6.1f} {changes / sentences:5.1f}")
    print(f"{checked.listed} sentences of at most {LISTED} words: {checked.worse} keep fewer heads than a tree could")


def _figures(adopted, text, first, size, inventories):
    wanted = range(first, first + size)
    used = [index for index in adopted.used.tolist() if index in wanted]
    valid = words = same = 0
    for index in used:
        sentence = adopted.treebank[index]
        faults = problems(SentenceAnnotation.of(sentence), inventories)
        valid += not any(fault.grave or fault.kind in OF_TREES for fault in faults)
        words += len(sentence)
        same += int((sentence.heads == text[index].heads)[1:].sum())
    return np.array([size, len(used), valid, words, same, len(adopted.changes)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=200)
    parser.add_argument("--sentences", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    measure(options.answers, options.sentences, options.seed)


if __name__ == "__main__":
    main()
