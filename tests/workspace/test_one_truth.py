"""What is corrected in one place counts in all: after each correction all that shows trees, tags or scores is asked."""

from dataclasses import replace

import numpy as np
import pytest

from core.evaluation.learnt import has_heads
from core.search.match import search
from core.search.reading import parse_request
from core.treebank import conllu_text, read_conllu
from core.workspace.annotate.check import checked, draw
from core.workspace.annotations import Annotations
from core.workspace.compare.side_by_side import references, side_by_side
from core.workspace.constraints.other_words import former_trees
from core.workspace.constraints.results import tags_changed
from core.workspace.corrections import CountedCorrections, choose_counted
from core.workspace.outliers import text_outliers
from core.workspace.parses import BASELINES, available_trees
from core.workspace.random_sample import drawn
from core.workspace.registry import Systems
from core.workspace.relations import BY_HAND, relations
from tests.filled import filled
from tests.workspace.running import ended

SENTENCES = [f"el/DET gat/NOUN {verb}/VERB" for verb in ("dorm", "menja", "corre", "salta", "mira", "beu")]
TREE = {"heads": [2, 3, 0], "deprels": ["det", "nsubj", "root"]}


def untreed(sentences):
    lines = []
    for sentence in sentences:
        for number, word in enumerate(sentence.split(), 1):
            form, tag = word.split("/")
            lines.append(f"{number}\t{form}\t_\t{tag}" + "\t_" * 6)
        lines.append("")
    return "\n".join(lines) + "\n"


class Linguist:
    """Corrects sentences of one text, and remembers what should then be seen and what should count."""

    def __init__(self, workspace, corpus):
        self.workspace, self.systems, self.corpus = workspace, Systems(workspace), corpus
        self.shown, self.done, self.counts = {}, {}, CountedCorrections()

    def correct(self, index, **columns):
        version = Annotations(self.workspace, self.corpus)
        annotation, was = version.get(index)
        version.write(index, annotation.with_values(columns), was, f"{index} {columns}", "correcting")
        self.shown = self.shown | {index: annotation.with_values(columns)}
        if index in self.done:
            self.done = self.done | {index: self.shown[index]}

    def finish(self, index):
        Annotations(self.workspace, self.corpus).set_status(index, "done")
        self.done = self.done | {index: self.shown[index]}

    def count(self, counts):
        choose_counted(self.workspace.store, self.corpus, counts)
        self.counts = counts

    def learner(self):
        return self.systems.learner(self.corpus)

    def ask(self):
        """Ask every place, and see that it says what was corrected."""
        workspace, corpus, learner = self.workspace, self.corpus, self.learner()
        shown = workspace.standing(corpus).treebank
        _agrees(shown, self.shown)
        with_trees = [index for index, annotation in self.shown.items() if annotation.complete]
        assert workspace.statistics(corpus).with_heads == len(with_trees)
        _agrees(read_conllu(conllu_text(shown).encode()), self.shown)  # what Corpus takes away
        hits = search(shown, parse_request("NOUN -[det]-> DET"))
        assert sorted(set(hits.sentences.tolist())) == sorted(
            index for index, annotation in self.shown.items() if annotation.deprels[1] == "det"
        )
        if with_trees:
            _agrees(text_outliers(workspace, corpus).treebank, self.shown)
        # what counts: scores, errors, training, relations
        counted = self.shown if self.counts.begun else self.done
        gold = {index: annotation for index, annotation in counted.items() if max(annotation.heads) >= 0}
        text = learner.text(corpus)
        known = learner.known(text)
        assert (known.sentences if known else 0) == len(gold)
        assert ("own" in references(workspace, corpus)) == bool(gold)
        if gold:
            _agrees(workspace.treebank(corpus), counted)
            offers = [offer for offer in available_trees(self.systems, corpus) if offer.key in BASELINES]
            compared = side_by_side(self.systems, corpus, offers)
            assert compared.sentences == len(gold) and compared.is_gold
            plan = replace(learner.plan(corpus), corrections=True)
            taught = learner.known_trees(learner.text(corpus, plan))
            assert len(taught.treebank) == len(gold) and taught.begun == len(gold.keys() - self.done.keys())
            only = f", {taught.begun} of them only begun" if taught.begun else ""
            assert known.source.endswith(f"{only}") and bool(only) == ("only begun" in known.source)
            assert relations(workspace, corpus, BY_HAND).problem == ""
            consensus = self.systems["consensus"].inputs(corpus, self.systems["consensus"].usual_plan(corpus))
            assert has_heads(consensus.train).sum() == len(gold) and not has_heads(consensus.test).any()
        if sample := drawn(workspace.store, corpus):
            right = checked(Annotations(workspace, corpus), sample)
            assert sorted(right) == sorted(index for index in counted if index in sample["sentences"])


def _agrees(treebank, corrected):
    for index in filled(range(len(treebank))):
        sentence = treebank[index]
        if index in corrected:
            assert sentence.heads[1:].tolist() == list(corrected[index].heads[1:])
            assert sentence.deprels[1:] == corrected[index].deprels[1:]
            assert sentence.upos[1:] == corrected[index].upos[1:]
        else:
            assert (sentence.heads < 0).all()


@pytest.fixture
def linguist(workspace, add):
    return Linguist(workspace, add("gat.conllu", untreed(SENTENCES)))


def test_after_each_correction_all_places_agree(linguist):
    workspace, corpus = linguist.workspace, linguist.corpus
    linguist.ask()
    draw(workspace.store, corpus, len(SENTENCES), 2)
    linguist.correct(0, **TREE)
    linguist.ask()
    linguist.finish(0)
    linguist.ask()
    for index in (1, 2):
        linguist.correct(index, **TREE)
        linguist.finish(index)
        linguist.ask()
    before = linguist.shown, linguist.done
    linguist.correct(1, upos=["DET", "PROPN", "VERB"])
    linguist.ask()
    linguist.correct(1, deprels=["det", "obj", "root"])
    linguist.ask()
    for _ in range(2):
        workspace.store.undo(corpus.project)
    linguist.shown, linguist.done = before
    linguist.ask()
    hers = Annotations(workspace, corpus, "Ann")
    annotation, was = hers.get(4)
    hers.write(4, annotation.with_values(TREE), was, "hers", "correcting")
    hers.set_status(4, "done")
    linguist.ask()
    theirs = workspace.of_version("Ann").standing(corpus).treebank
    assert np.flatnonzero(has_heads(theirs)).tolist() == [4]


def test_trees_that_are_begun_count_by_choice_everywhere(linguist):
    """The choice is one for all that learns and scores, undone as any; what a run had learnt stays what it was."""
    workspace, corpus = linguist.workspace, linguist.corpus
    linguist.correct(0, **TREE)
    linguist.finish(0)
    linguist.correct(1, **TREE)
    linguist.correct(2, heads=[2, -1, -1], deprels=["det", "", ""])
    linguist.ask()
    linguist.count(CountedCorrections(begun=True))
    linguist.ask()
    learner = linguist.learner()
    run = ended(learner, learner.train_on_corrections(corpus))
    assert run.settings["begun_trees"] and run.figures["trees"]["begun"] == 2
    assert learner.parts(run)[""].endswith("3 trees, 2 only begun")
    Annotations(workspace, corpus).set_status(2, "doubtful")
    doubtful, linguist.shown = linguist.shown, {index: linguist.shown[index] for index in (0, 1)}
    settled = workspace.settled(corpus)
    assert settled.by_hand.tolist() == [0, 1] and settled.only_begun.tolist() == [1]
    workspace.store.undo(corpus.project)
    linguist.shown = doubtful
    linguist.ask()
    linguist.count(CountedCorrections())
    linguist.ask()
    then = linguist.learner().as_of(run)
    assert len(then.known_trees(then.inputs_of(run)[0]).treebank) == 3
    workspace.store.undo(corpus.project)
    linguist.counts = CountedCorrections(begun=True)
    linguist.ask()
    again = ended(learner, learner.again(run))
    assert again.figures["trees"] == run.figures["trees"]


def test_begun_trees_of_a_persons_version_count_by_the_same_choice(linguist):
    workspace, corpus = linguist.workspace, linguist.corpus
    hers = Annotations(workspace, corpus, "Ann")
    annotation, was = hers.get(4)
    hers.write(4, annotation.with_values(TREE), was, "hers", "correcting")
    assert "layer-Ann" not in references(workspace, corpus)
    linguist.count(CountedCorrections(begun=True))
    assert "layer-Ann" in references(workspace, corpus)
    assert workspace.of_version("Ann").settled(corpus).by_hand.tolist() == [4]
    assert not len(workspace.settled(corpus).by_hand)


def test_a_corrected_tag_leaves_the_trained_parser_on_screen(linguist):
    learner, corpus = linguist.learner(), linguist.corpus
    text = learner.text(corpus)
    run = ended(learner, learner.train(text, "DET <- NOUN = 0.9\nNOUN <- VERB = 0.9\n"))
    linguist.correct(0, **TREE)
    linguist.finish(0)
    linguist.correct(0, upos=["DET", "PROPN", "VERB"])
    text = linguist.learner().text(corpus)
    change = linguist.learner().change(text, linguist.learner().newest(text))
    assert change.after.run.id == run.id and tags_changed(text, change.after) == 1
    linguist.ask()
    again = ended(learner, learner.train(text, "DET <- NOUN = 0.9\nPROPN <- VERB = 0.9\n"))
    assert again.status == "done" and again.settings["start"] is None  # a tag that the former grammar never saw
    linguist.correct(1, **TREE)
    linguist.finish(1)
    third = ended(learner, learner.train(linguist.learner().text(corpus), "DET <- NOUN = 0.9\n"))
    assert third.settings["start"] == again.id


def test_a_run_whose_words_dropped_out_keeps_its_trees_of_other_sentences(linguist):
    learner, corpus = linguist.learner(), linguist.corpus
    run = ended(learner, learner.train(learner.text(corpus), "DET <- NOUN = 0.9\nNOUN <- VERB = 0.9\n"))
    assert former_trees(learner, learner.text(corpus)) is None
    before = learner.load(run)
    linguist.correct(0, **TREE)
    linguist.finish(0)
    linguist.correct(0, upos=["PUNCT", "NOUN", "VERB"])
    learner = linguist.learner()
    assert learner.newest(learner.text(corpus)) is None
    former = former_trees(learner, learner.text(corpus))
    assert former.text.startswith(f"Since run {run.id} a corrected tag made 1 word in 1 sentence punctuation")
    bank = former.outcome.inputs.treebank
    assert bank.picks[former.places].tolist() == [1, 2, 3, 4, 5]  # all but the corrected sentence
    np.testing.assert_array_equal(former.outcome.heads, before.heads)


def test_a_second_text_of_the_same_words_has_no_run_of_the_first(linguist, add):
    learner, corpus = linguist.learner(), linguist.corpus
    ended(learner, learner.train(learner.text(corpus), "DET <- NOUN = 0.9\nNOUN <- VERB = 0.9\n"))
    linguist.correct(0, upos=["DET", "PROPN", "VERB"])
    linguist.finish(0)
    assert learner.newest(learner.text(corpus)) is not None
    second = add("gat 2.conllu", untreed([sentence.replace("gat/NOUN", "gat/PROPN") for sentence in SENTENCES]))
    assert learner.newest(learner.text(second)) is None
