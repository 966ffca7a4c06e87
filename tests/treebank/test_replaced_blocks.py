"""Sentences replaced in a scanned text: the arrays are those of a scan of the new text."""

import random

import numpy as np
import pytest

from core.treebank import load_sample
from core.treebank.replaced_blocks import with_blocks
from core.treebank.source import BOM, ScannedText
from tests.filled import filled

NAMES = ("form", "lemma", "upos", "feats", "deprel", "misc")
OTHERS = (
    b"# text = new\n1\tnew\tnew\tADJ\t_\t_\t0\troot\t0:root\t_\n\n",
    b"1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t2\tcase\t_\t_\n2\tel\t_\tDET\t_\t_\t0\troot\t_\tA=B\n\n\n",
)


def require_same(one, other):
    assert one.data == other.data
    for name in filled(("separators", "offsets", "blocks", "heads", "lines")):
        ours, scanned = getattr(one, name), getattr(other, name)
        assert ours.dtype == scanned.dtype and np.array_equal(ours, scanned), name
    for name in filled(NAMES):
        assert one.column(name).strings().tolist() == other.column(name).strings().tolist(), name
    assert one.has_graphs == other.has_graphs


@pytest.mark.parametrize("begin", [b"", BOM, b"\n\n"])
def test_replaced_sentences_are_as_a_scan_of_the_new_text_has_them(begin):
    sample, draws = load_sample().limit(12).to_conllu().source, random.Random(3)
    sample = ScannedText.scanned(begin + sample.block(0) + sample.block(1) + sample.block(2) * 9, sample.layout)
    blocks = [sample.block(index) for index in range(len(sample.blocks) - 1)]
    text = sample
    for _ in filled(range(40)):
        for name in draws.sample(NAMES, 2):
            text.column(name)  # interned before
        chosen = draws.sample(range(len(blocks) - 1), draws.randint(1, 4))
        new = {index: draws.choice((*OTHERS, sample.block(1))) for index in chosen}
        text = with_blocks(text, {index: ScannedText.scanned(data, text.layout) for index, data in new.items()})
        for index, data in new.items():
            blocks[index] = data
        whole = ScannedText.scanned(sample.data[: sample.blocks[0]] + b"".join(blocks), text.layout)
        require_same(text, whole)
