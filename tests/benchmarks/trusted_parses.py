"""What other parses add beside the universal parser, once some sentences are checked.

    python -m tests.benchmarks.trusted_parses [--checked 25] [--tested 350]

For each of six treebanks the universal parser, without answers on word order, learns from checked sentences; it does so
alone and beside another parse of the text. That is one of a parser trained on 100 other sentences, or gold trees of
which 30 or 80 of a hundred heads, and as many relations, were redrawn at random and the heads mended to trees. Prints
heads right in percent, punctuation left out, in sentences that are not checked: alone, and the difference beside each
parse and all of them, with what they are trusted with in nats. Then the same of heads with relations (LAS), and what of
its difference comes from the trusts in relations. Means over three draws of the checked sentences.
"""

import argparse
from dataclasses import replace

import numpy as np

from core.evaluation import attachment_scores
from core.parsers import MSTParser
from core.parsers.universal.learning import BesideParses
from core.parsers.universal.parser import UniversalParser
from core.proposals.trees import fewest_changes
from core.treebank import Treebank, read_conllu
from tests.benchmarks.proposals import TREEBANKS
from tests.conftest import SHARED

DRAWS, TAUGHT, LONGEST = 3, 100, 40  # draws of checked sentences; sentences of the other parser; words of a sentence
REDRAWN = (0.3, 0.8)


def redrawn(text: Treebank, share: float, seed: int) -> Treebank:
    """Gold trees with a share of heads drawn anew, mended by the fewest changes, and of relations, from the text's."""
    chance, heads, relations = np.random.default_rng(seed), text.heads.copy(), text.deprel.strings().copy()
    for begin, end in zip(text.offsets[:-1], text.offsets[1:], strict=True):
        words = np.flatnonzero(chance.random(end - begin - 1) < share) + 1
        drawn = heads[begin:end]
        for word in words if end - begin > 2 else ():
            drawn[word] = chance.choice(np.delete(np.arange(end - begin), word))
        heads[begin:end] = fewest_changes(drawn)
    words = np.flatnonzero(text.is_word)
    chosen = words[chance.random(len(words)) < share]
    relations[chosen] = chance.choice(relations[words], len(chosen))
    return text.with_heads(heads, relations.tolist())


def other_parses(name: str, text: Treebank) -> dict[str, Treebank]:
    """The parses by name."""
    train = read_conllu(next((SHARED / "ud").glob(f"{name}-train*.conllu")))
    parser = MSTParser(order=2)
    parser.fit(train.select(np.random.default_rng(7).permutation(len(train))[:TAUGHT]))
    drawn = {f"{round(100 * share)} % redrawn": redrawn(text, share, 1) for share in REDRAWN}
    return {f"a parser of {TAUGHT}": parser.parse(text)} | drawn


def measure(name: str, universal: UniversalParser, checked: int, tested: int) -> np.ndarray:
    """float64 (parses + 2, 3): heads right alone, then what each parse and all of them add; heads with relations.

    The last column is what the trusts in relations add to these. Printed with trusts.
    """
    text = read_conllu(SHARED / "ud" / f"{name}-test.conllu").max_length(LONGEST).limit(DRAWS * checked + tested)
    parser, parses = universal.for_text(text), other_parses(name, text)
    counted = np.repeat(np.arange(len(text)) >= DRAWS * checked, text.lengths + 1) & ~text.punctuation()
    beside = {key: [parse] for key, parse in parses.items()} | {"all": list(parses.values())}

    def right(taught):
        scores = attachment_scores(text, taught.parse(text), punctuation=counted)
        return np.array([scores.uas or 0.0, scores.las or 0.0])

    rows, trusts = [], {key: [] for key in beside}
    for draw in range(DRAWS):
        known = text.select(np.arange(draw * checked, (draw + 1) * checked))
        alone = right(parser.adapted(known))
        row = [[*alone, 0.0]]
        for key, some in beside.items():
            learnt = BesideParses(parser, some).adapted(known)
            others = learnt.others
            heads_alone = right(learnt.beside(replace(others, relation_trusts=np.zeros(len(some)))))
            both = right(learnt)
            trusts[key].append([*others.trusts, *others.relation_trusts])
            row.append([*(both - alone), both[1] - heads_alone[1]])
        rows.append(row)
    mean = np.mean(rows, axis=0)
    print(f"{name}: alone {mean[0, 0]:.1f}, with relations {mean[0, 1]:.1f}")
    for (key, some), (heads, both, relations) in zip(beside.items(), mean[1:], strict=True):
        nats = " ".join(f"{trust:.1f}" for trust in np.mean(trusts[key], axis=0))
        own = attachment_scores(text, some[0], punctuation=counted).uas
        print(f"  {key}: {heads:+.2f}, with relations {both:+.2f}, of it {relations:+.2f} by trusts in relations; "
              f"trusts {nats}; right by itself {own:.1f}", flush=True)  # fmt: skip
    return mean


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checked", type=int, default=25)
    parser.add_argument("--tested", type=int, default=350)
    options = parser.parse_args()
    universal = UniversalParser.load()
    means = [measure(name, universal, options.checked, options.tested) for name in TREEBANKS]
    print("mean:", np.mean(means, axis=0).round(2).tolist())


if __name__ == "__main__":
    main()
