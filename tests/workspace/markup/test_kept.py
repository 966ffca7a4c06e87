"""Mark-up that a learner respects is respected by all trees that it draws, and each page counts the same sentences."""

from dataclasses import replace

import numpy as np
import pytest

from core.markup.comments import format_brackets
from core.trees.brackets import Bracket, satisfies
from core.workspace.induction.plan import InductionPlan
from core.workspace.induction.run import WHOLE_TEXT
from core.workspace.induction.views import course
from core.workspace.kept_markup import KeptMarkup, with_marks_attached
from core.workspace.markup.brackets import MarkupRoom
from core.workspace.registry import Systems
from tests.filled import filled
from tests.workspace.running import ended

TAGS = ("DET", "NOUN", "VERB", "ADJ", "ADP", "PUNCT")
CONSTRAINTS = "NOUN <- VERB = 0.9\nDET <- NOUN = 0.9\nROOT -> VERB = 0.9\n"


def sentences(count=30, seed=3):
    """CoNLL-U without trees: tags at random, two brackets each that are nested or apart, marks at their edges too."""
    random, lines = np.random.default_rng(seed), []
    for _ in range(count):
        length = int(random.integers(6, 11))
        tags = random.choice(TAGS, length, p=(0.2, 0.25, 0.2, 0.1, 0.1, 0.15))
        tags[int(random.integers(length))] = "VERB"
        middle = int(random.integers(2, length))
        first, last = Bracket(1, middle + 1, "b"), Bracket(middle + 1, length + 1, "i")
        inner = Bracket(first.start, first.start + max(1, len(first) - 1), "a")
        brackets = sorted(
            {first, last if len(last) < length else inner}, key=lambda mark: (mark.start, -mark.end)
        )  # fmt: skip
        lines.append(format_brackets(brackets))
        for number, tag in enumerate(tags.tolist(), 1):
            form = "," if tag == "PUNCT" else f"{tag.lower()}{number % 3}"
            lines.append(f"{number}\t{form}\t_\t{tag}" + "\t_" * 6)
        lines.append("")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def marked(module_add):
    return module_add("marked.conllu", sentences())


@pytest.fixture(scope="module")
def systems(module_workspace):
    return Systems(module_workspace)


@pytest.fixture(scope="module")
def runs(systems, marked):
    """The finished run of each learner that respects mark-up: {kind: Run}."""
    induction, done = systems["induction"], {}
    plan = InductionPlan.of(init="harmonic", stages="", max_iterations=3, level="loose")
    done["induction"] = ended(induction, induction.start(induction.inputs(marked, plan), plan))
    for kind in ("grammar", "ge"):
        learner = systems[kind]
        plan = replace(learner.plan(marked), brackets="loose", max_length=None)
        done[kind] = ended(learner, learner.train(learner.text(marked, plan), CONSTRAINTS))
    return done


@pytest.mark.parametrize("kind", ["induction", "grammar", "ge"])
def test_each_drawn_tree_keeps_its_markup_and_the_markup_page_counts_the_same(systems, marked, runs, kind):
    run, system = runs[kind], systems[kind]
    outcome, brackets = system.load(run), systems.workspace.brackets(marked)
    text = MarkupRoom(systems.workspace).under_parse(
        marked, ("kept", run.id), f"run {run.id}", lambda: outcome.parses[""]
    )
    assert text.kept("loose") == KeptMarkup("loose", 30, 30, 30)
    assert text.kept("loose").words == "30 of 30 sentences with mark-up keep it at *loose*"
    assert text.agreement.all.hits["loose"] == len(text.marks)
    for index, marks in enumerate(filled(brackets)):
        assert all(satisfies(text.treebank[index].heads, mark, "loose") for mark in marks)


def test_previews_and_what_is_measured_start_from_the_trees_that_are_drawn(systems, runs):
    for kind in ("grammar", "ge"):
        arcs, outcome = systems[kind].arcs(runs[kind]), systems[kind].load(runs[kind])
        nothing = np.zeros(len(outcome.marginals.values))
        assert np.array_equal(arcs.heads(nothing), outcome.heads)
        some = np.array([4, 7])
        assert np.array_equal(
            arcs.select(some).heads(np.zeros(len(outcome.marginals[4].ravel()) + len(outcome.marginals[7].ravel()))),
            np.concatenate([outcome.heads[slice(*outcome.inputs.treebank.offsets[i : i + 2])] for i in (4, 7)]),
        )


def test_without_the_level_trees_may_break_it(systems, marked):
    induction = systems["induction"]
    plan = InductionPlan.of(init="harmonic", stages="", max_iterations=3, level="none")
    free = induction.load(ended(induction, induction.start(induction.inputs(marked, plan), plan)))
    text = MarkupRoom(systems.workspace).under_parse(marked, "free", "free", lambda: free.parses[""])
    assert 0 < text.kept("loose").kept < text.kept("loose").judged == 30


def test_a_curve_ends_where_the_heading_says(systems, runs):
    run = runs["induction"]
    iterations, bits, _, stages = course(systems.workspace.jobs.trace(run.id))
    assert stages[-1] == WHOLE_TEXT and iterations[-1] == run.figures["iterations"] + 1
    assert bits[-1] == pytest.approx(systems["induction"].load(run).cross_entropy)
    for kind in ("grammar", "ge"):
        trace = systems.workspace.jobs.trace(runs[kind].id)
        assert [entry["objective"] for entry in trace if "objective" in entry][-1] == runs[kind].figures["objective"]


def test_sentences_without_a_tree_are_counted_apart():
    assert KeptMarkup("tear", 1, 1, 2).words == "1 of 1 sentence with mark-up keeps it at *tear*; 1 has no tree"
    assert KeptMarkup("loose", 4, 7, 7).words == "4 of 7 sentences with mark-up keep it at *loose*"


def test_marks_are_attached_only_where_all_words_have_heads(workspace, add):
    row = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_\n"
    words = [("a", "DET", 2, "det"), ("b", "NOUN", 0, "root"), (",", "PUNCT", "_", "_"), ("c", "NOUN", 2, "dep")]
    begun = [*words[:3], ("c", "NOUN", "_", "_")]
    rows = ["".join(row.format(number, *word) for number, word in enumerate(each, 1)) for each in (words, begun)]
    bank = workspace.treebank(add("t.conllu", "\n".join(rows) + "\n"))
    whole = with_marks_attached(bank, [[Bracket(3, 5)], []])
    assert whole[0].heads.tolist()[1:] == [2, 0, 4, 2] and whole[0].deprels[3] == "punct"
    assert whole[1].heads.tolist()[1:] == [2, 0, -1, -1]
    assert with_marks_attached(whole.select(np.array([0])), [[]])[0].heads.tolist()[1:] == [2, 0, 4, 2]
