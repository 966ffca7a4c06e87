"""The Decomposition page plays runs under rules: a sentence whose tree breaks one, round by round."""

import pytest

from core.workspace.decomposition import ruled
from core.workspace.registry import Systems
from core.workspace.rules import save_rules
from tests.filled import filled
from tests.pages.reading import keys, pressed, said, shown

RULES = "VERB has at most 1 {nsubj obj obl}"


@pytest.fixture
def app(open_page, workbench, corpus):
    save_rules(workbench.store, corpus, RULES, workbench.treebank(corpus))
    return open_page("decomposition", corpus="sample", dd_problem_view="Rules")


@pytest.fixture
def text(workbench, corpus):
    return ruled.broken_text(Systems(workbench), corpus, "english")


def test_a_run_is_played_on_a_sentence_that_breaks_a_rule(app, text):
    index = next(iter(text.names))
    run = ruled.ruled_run(text, index)
    assert ruled.verdict(run)[1] in said(app.caption)
    assert ruled.round_words(run, 1) in said(app.markdown)
    assert "of the first 300 break your rules" in app.selectbox(key="dd_sentence").help
    pressed(app, "dd_step")
    assert app.slider(key="dd_iteration").value == 2
    assert ruled.round_words(run, 2) in said(app.markdown)
    pressed(app, "dd_play")
    assert "dd_pause" in keys(app.button)


def test_bounds_fall_to_the_tree_that_is_proved_and_no_tree_is_said(text):
    verdicts = []
    for index in filled(list(text.names)[:12]):
        run = ruled.ruled_run(text, index)
        bounds = [each.bound for each in run.rounds]
        assert bounds == sorted(bounds, reverse=True)
        assert ruled.broken_table(run, 1)["word"]
        verdicts.append(ruled.verdict(run))
        if run.found.certified:
            last = run.columns
            assert last["best_dual"][-1] == pytest.approx(last["best_primal"][-1])
            assert not ruled.broken_table(run, len(run.rounds))["word"]
    assert any(words.startswith("Proved after") for _, words in verdicts)


def test_rules_that_clash_are_named(open_page, workbench, corpus):
    save_rules(workbench.store, corpus, "VERB has at least 1 nsubj\nVERB has no nsubj", workbench.treebank(corpus))
    app = open_page("decomposition", corpus="sample", dd_problem_view="Rules")
    words = said(app.caption)
    assert (
        "No tree of this sentence keeps the rules; these clash: VERB has at least 1 nsubj; VERB has no nsubj" in words
    )
    assert not app.exception


def test_a_text_that_keeps_its_rules_says_so_and_one_without_tags_too(open_page, workbench, corpus):
    save_rules(workbench.store, corpus, "NOUN has no root", workbench.treebank(corpus))
    app = open_page("decomposition", corpus="sample", dd_problem_view="Rules")
    assert "No tree of the first 300 sentences breaks your rules." in said(app.info)
    shown(app, dd_problem_view="consistency")
    assert not app.exception
