"""What tests of advice and lines share: a small text, sentences corrected by hand, and runs waited for to their end."""

import numpy as np

from core.annotation import SentenceAnnotation
from core.treebank import conllu_text, load_sample
from core.workspace.annotations import Annotations
from tests.patience import ended

SET = "DET <- NOUN per modifier = 0.9..1\nROOT -> VERB per head = 0.8..1\n"


def short_sentences():
    """Forty sentences of the sample, of at most nine words."""
    return load_sample().max_length(9).limit(40)


def longer_sentences():
    """Thirty-seven others, of ten to twelve words."""
    bank = load_sample().max_length(12)
    return bank.select(bank.lengths > 9)


def written(treebank):
    """CoNLL-U."""
    return conllu_text(treebank.to_conllu())


def written_bare(treebank):
    """CoNLL-U without trees."""
    return written(treebank.with_heads(np.full(len(treebank.heads), -1)))


def correct(workspace, corpus, gold, sentences):
    """Give some sentences their trees by hand, and mark them done."""
    annotations = Annotations(workspace, corpus)
    for index in sentences:
        annotations.write(
            index, SentenceAnnotation.of(gold[index]), annotations.get(index)[1], f"step-{index}", "correcting"
        )
        annotations.set_status(index, "done")


def finished(workspace, number):
    """The Run of that id once it is done."""
    return ended(workspace, number)


def ask(advised, corpus, **changes):
    """The Estimate under a plan with some changes."""
    plan = advised.plan(corpus).with_values(**changes)
    run = finished(advised.workspace, advised.advice.start(advised.inputs(corpus, plan), plan))
    found, of, newest = advised.advice.latest(corpus)
    assert of == newest == run
    return found
