"""One score: all places that score a parser on the same sentences say the same number, or under which others."""

import json
from dataclasses import replace

import pytest

from core.__main__ import main
from core.treebank import conllu_text, load_sample
from core.workspace.adaptation.plan import AdaptationPlan
from core.workspace.annotate.check import accuracies, draw
from core.workspace.annotations import Annotations
from core.workspace.applied import AvailableParse
from core.workspace.compare.scoring import conditions_said, denominators, score_table
from core.workspace.compare.side_by_side import side_by_side
from core.workspace.consensus.plan import ConsensusPlan
from core.workspace.corrections import CountedCorrections, choose_counted
from core.workspace.joint.plan import JointPlan
from core.workspace.joint.system import BUILT_IN
from core.workspace.next_step import progress_on_sample, progress_words
from core.workspace.parses import add_parse, load_parse
from core.workspace.registry import Systems
from core.workspace.runs.list import main_figure
from core.workspace.runs.methods import methods_paragraph, run_figures
from core.workspace.scored_text import scored_text
from core.workspace.scoring import recorded_accuracy, recorded_conditions
from tests.workspace.running import ended
from tests.workspace.test_one_truth import untreed

SENTENCES = [f"el/DET gat/NOUN ja/ADV {verb}/VERB ./PUNCT" for verb in ("dorm", "menja", "corre", "salta", "mira")]
HEADS, RELATIONS = [2, 4, 4, 0, 4], ["det", "nsubj", "advmod", "root", "punct"]
OTHER = [2, 3, 0, 3, 3]  # of another sentence, so that not all are alike
LINES = "DET <- NOUN = 0.9\nNOUN <- VERB = 0.9\n"
BASIS = "in 3 sentences corrected by hand, drawn at random from 5"


class Judge:
    """Asks each place for its score of one run: right words and words, without punctuation, and the conditions."""

    def __init__(self, workspace, corpus, run):
        self.workspace, self.systems, self.corpus, self.run = workspace, Systems(workspace), corpus, run
        self.learner = self.systems.learner(corpus)
        self.offer = AvailableParse(f"run-{run.id}", "mine")

    def check(self):
        (row,) = accuracies(self.systems, self.corpus, [self.offer])
        found = row.heads.estimate
        assert found.share == pytest.approx(100 * row.heads.share)
        return (found.right, found.words), row.heads.conditions.text

    def compare(self):
        parses = side_by_side(self.systems, self.corpus, [self.offer, AvailableParse("left", "attach left")])
        right = int(score_table(parses)["UAS, no punct."][0].rpartition(" · ")[2])
        ((words,),) = [
            [int(part.rpartition(" of ")[2].partition(" ")[0])]
            for part in denominators(parses).split(" · ")
            if "UAS, no punct." in part
        ]
        basis, *doubts = conditions_said(parses)
        own = [line.removeprefix("mine: ") for line in doubts if line.startswith("mine: ")]
        return (right, words), "; ".join([f"Without punctuation, in {basis}", *own])

    def next_step(self):
        text = self.learner.text(self.corpus)
        change = self.learner.change(text, self.run)
        before, now = progress_on_sample(self.learner, text, change)
        found, elsewhere = now.estimate, replace(now, conditions=replace(now.conditions, sentences=9))
        said, interval = progress_words(change, before, elsewhere), progress_words(change, before, now)
        assert interval == f"In the whole text {found.low:.1f} to {found.high:.1f}% (95% interval)."
        assert f"**{100 * now.hits / now.words:.1f}%** now" in said and said.endswith(f"{elsewhere.conditions.phrase}.")
        return (now.hits, now.words), now.conditions.text

    def training(self):
        score = self.learner.change(self.learner.text(self.corpus), self.run).score_after
        return (score.hits, score.words), score.conditions.text

    def errors(self):
        text = self.learner.text(self.corpus)
        outcome = self.learner.load(self.run)
        tables = self.learner.mistakes(self.learner.unseen(self.learner.known(text), outcome), outcome).tables
        score = self.learner.score(text, outcome)
        assert (tables.correct, tables.words) == (score.hits, score.words)
        return (tables.correct, tables.words), score.conditions.text

    def places(self):
        return [self.check(), self.compare(), self.next_step(), self.training(), self.errors()]

    def command(self, tmp_path, capsys):
        gold, parse = tmp_path / "gold.conllu", tmp_path / "parse.conllu"
        drawn = self.workspace.settled(self.corpus)
        gold.write_text(conllu_text(drawn.treebank.select(drawn.by_hand).to_conllu()))
        bank = load_parse(self.systems, self.corpus, self.offer.key)
        parse.write_text(conllu_text(bank.select(drawn.by_hand).to_conllu()))
        main(["evaluate", str(gold), str(parse), "--json"])
        scores = json.loads(capsys.readouterr().out)["without_punctuation"]
        return scores["heads"], scores["words"]


@pytest.fixture
def text(workspace, add):
    """Five sentences of which three were drawn at random."""
    corpus = add("gat.conllu", untreed(SENTENCES))
    draw(workspace.store, corpus, len(SENTENCES), 3)
    return corpus


def corrected(workspace, corpus, **columns):
    """Give the sentences drawn their trees by hand, the last with other heads, and mark them done."""
    version = Annotations(workspace, corpus)
    sentences = workspace.store.document(corpus.project, "annotation-check", str(corpus.id))["sentences"]
    for index in sentences:
        annotation, was = version.get(index)
        heads = OTHER if index == sentences[-1] else HEADS
        values = {"heads": heads, "deprels": RELATIONS} | columns
        version.write(index, annotation.with_values(values), was, f"c{index}", "correcting")
        version.set_status(index, "done")
    return sentences


def trained(workspace, corpus):
    learner = Systems(workspace).learner(corpus)
    return ended(learner, learner.train(learner.text(corpus), LINES))


def test_all_places_say_the_same_score_of_a_parser(workspace, text, tmp_path, capsys):
    first = trained(workspace, text)
    corrected(workspace, text)
    judge = Judge(workspace, text, first)
    counts, conditions = judge.check()
    assert judge.places() == [(counts, f"Without punctuation, {BASIS}")] * 5 and conditions.endswith(BASIS)
    assert counts[1] == 12 and 0 < counts[0] < 12  # of five words each, one a mark
    assert judge.command(tmp_path, capsys) == counts
    second = trained(workspace, text)
    judge = Judge(workspace, text, second)
    counts, _ = judge.check()
    assert [each for each, _ in judge.places()] == [counts] * 5
    right, words = counts
    recorded = "in 3 sentences corrected by hand"
    assert main_figure(second) == f"UAS {right / words:.1%} · {right} of {words}, without punctuation, {recorded}"
    said = f"{right / words:.1%} ({right} of {words}, {recorded})"
    assert run_figures(judge.systems, second)["UAS, no punctuation"] == said
    assert f"UAS, no punctuation {said}" in methods_paragraph(judge.systems, second)
    bare = {name: value for name, value in second.figures.items() if name != "model"}
    assert judge.learner.with_score(replace(second, figures=bare)).figures["model"] == second.figures["model"]


def test_other_conditions_stand_in_the_sentence(workspace, text):
    run = trained(workspace, text)
    corrected(workspace, text, upos=["DET", "NOUN", "NOUN", "VERB", "PUNCT"])
    judge = Judge(workspace, text, run)
    (counts, said), *others = judge.places()
    assert said == f"Without punctuation, {BASIS}; 3 tags have changed since it parsed them"
    assert others == [(counts, said)] * 4
    now = Judge(workspace, text, trained(workspace, text))
    (_, said), *others = now.places()
    assert said.endswith("; 3 tags corrected by hand here: expect less elsewhere")
    assert [each for _, each in others] == [said] * 4


def test_a_parser_that_reads_the_text_as_it_stands_is_scored_alike(workspace, text):
    run = trained(workspace, text)
    corrected(workspace, text, upos=["DET", "NOUN", "NOUN", "VERB", "PUNCT"])
    judge = Judge(workspace, text, run)
    judge.offer = AvailableParse("universal", "mine")
    counts, said = judge.check()
    assert judge.compare() == (counts, said)
    assert said == f"Without punctuation, {BASIS}; 3 tags corrected by hand here: expect less elsewhere"


def test_a_run_above_the_universal_parser_is_scored_too_high_where_trees_began_from_that_parsers(workspace, text):
    corrected(workspace, text)
    version, store = Annotations(workspace, text), workspace.store
    annotation, was = version.get(0)
    version.write(0, annotation.with_values({"heads": [*HEADS[:3], 0, 3]}), was, "x", "correcting", "universal")
    version.set_status(0, "done")
    above, beside = (
        store.create_run(text.project, "grammar", {"prior": prior, "corpus": text.id}) for prior in ("nearest", "none")
    )
    known = scored_text(workspace, text)
    began = {key: known.conditions(known.before, key).began for key in (f"run-{above}", f"run-{beside}", "universal")}
    assert began == {f"run-{above}": 1, f"run-{beside}": 0, "universal": 1}


def test_sentences_are_not_called_drawn_where_the_whole_text_was(workspace, text):
    corrected(workspace, text)
    known = scored_text(workspace, text)
    some = known.before.select(known.settled.by_hand)
    assert known.conditions(some).drawn_from == 5
    draw(workspace.store, text, len(SENTENCES), len(SENTENCES))
    assert scored_text(workspace, text).conditions(some).drawn_from is None


def test_no_parser_is_scored_on_what_it_learnt(workspace, text):
    sentences = corrected(workspace, text)
    learner = Systems(workspace).learner(text)
    plan = learner.plan(text).with_values(marked=(sentences[0] + 1,))
    run = ended(learner, learner.train(learner.text(text, plan), LINES))
    judge = Judge(workspace, text, run)
    (counts, said), (compared, told), *others = judge.places()
    basis = f"Without punctuation, {BASIS.replace('3', '2')}, without 1 sentence learnt from"
    assert (said, told) == (basis, f"{basis} by mine") and counts[1] == 8
    assert compared == counts and others == [(counts, said)] * 3


def test_a_word_is_counted_once_where_gold_and_parse_have_other_content_words(workspace, text):
    corrected(workspace, text)
    bank = workspace.treebank(text)
    relations = [{"advmod": "case"}.get(name, name) for name in bank.deprel.strings()]
    other = conllu_text(bank.with_heads(bank.heads, relations).to_conllu()).encode()
    mine = AvailableParse(add_parse(workspace, text, "other.conllu", other), "other")
    parses = side_by_side(Systems(workspace), text, [mine, AvailableParse("left", "attach left")])
    assert score_table(parses, "conll2018")["CLAS"][0] == " 80.0% · 6"  # 2 * 6 / (9 + 6)
    assert "CLAS, MLAS, BLEX: F1 of 9 gold words and 6 of other" in denominators(parses, "conll2018")


def test_punctuation_is_counted_where_a_score_says_so(workspace, text):
    corrected(workspace, text)
    offers = [AvailableParse("left", "attach left"), AvailableParse("right", "attach right")]
    parses = side_by_side(Systems(workspace), text, offers)
    assert denominators(parses) == "UAS of 15 words · UAS, no punct. of 12 words"
    table = score_table(parses)
    (row,) = accuracies(Systems(workspace), text, offers[:1])
    assert table["UAS, no punct."][0] == row.heads.text != table["UAS"][0]


def test_runs_of_every_kind_record_whose_trees_they_scored(workspace, add):
    """Consensus, Joint and Adaptation name the sentences corrected by hand, those only begun, and another's trees."""
    corpus, source = add("mine.conllu", untreed(SENTENCES)), add("its.conllu", conllu_text(load_sample().limit(20)))
    ours = Annotations(workspace, corpus)
    for index in range(4):
        annotation, was = ours.get(index)
        values = {"heads": OTHER if index % 2 else HEADS, "deprels": RELATIONS}
        ours.write(index, annotation.with_values(values), was, str(index), "correcting")
        if index < 3:
            ours.set_status(index, "done")
    choose_counted(workspace.store, corpus, CountedCorrections(begun=True))
    systems = Systems(workspace)
    consensus = systems["consensus"].inputs(corpus, ConsensusPlan(first=2))
    assert consensus.marked == {"by_hand": 2, "only_begun": 1}
    adaptation = systems["scl"].inputs(source, AdaptationPlan.of(target=corpus.id, few=0))
    assert adaptation.conditions == {"sentences": 4, "by_hand": 4, "only_begun": 1}
    joint = systems["joint"].inputs(corpus, JointPlan((f"corpus-{source.id}", BUILT_IN), own=1))
    assert joint.conditions == ({"by_hand": 4, "only_begun": 1}, {})
    joint = systems["joint"].inputs(source, JointPlan((f"corpus-{source.id}", BUILT_IN)))
    assert joint.conditions == ({"by_hand": 0, "only_begun": 0}, {"against": "trees of sample: function heads"})
    recorded = {"right": 3, "words": 4} | recorded_conditions(4, joint.conditions[1])
    assert recorded_accuracy(recorded) == "75.0% (3 of 4, in 4 sentences, against trees of sample: function heads)"
    recorded = {"right": 3, "words": 4} | adaptation.conditions
    words = "in 4 sentences corrected by hand, 1 of them only begun"
    assert recorded_accuracy(recorded) == f"75.0% (3 of 4, {words})"
