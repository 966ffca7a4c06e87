"""Ask me: questions where the trees are least sure, a key each answer, examples; training that follows every change."""

import pytest

from core.constraints.authoring.questions import ANSWERS, ArcQuestions
from core.workspace.constraints.constraint_set import constraint_text
from core.workspace.constraints.grammar import GrammarSystem
from core.workspace.constraints.interview import Interview, next_questions, not_known
from core.workspace.wording import question
from tests.advising import correct, finished, short_sentences, written_bare
from tests.pages.reading import keys, pressed, said, shown

SET = "DET <- NOUN per modifier = 0.0 weight 1\n"


@pytest.fixture
def source(workbench, corpus, text):
    """The set that ships."""
    return constraint_text(workbench.store, corpus, text.treebank)


@pytest.fixture
def found(text, ge, source):
    """The questions under it."""
    return next_questions(ge, text.with_set(ge.workspace, source), ge.outcome(text), ())


@pytest.fixture
def app(open_page):
    return shown(open_page("constraints"), ge_view="ask")


@pytest.fixture
def grammar(workbench):
    return GrammarSystem(workbench)


@pytest.fixture
def bare(add):
    """A text without trees, over which the universal parser reads, with a set."""
    return lambda lines="": add("bare.conllu", written_bare(short_sentences()), lines)


def asked(app):
    return next(markdown.value for markdown in app.markdown if markdown.value.startswith("**Of"))


def answer_keys(app):
    return [key for key in keys(app.button) if key.startswith("ge_answer_")]


def answered(app, word):
    return pressed(app, answer_keys(app)[ANSWERS.index(word)])


def chosen(app):
    """The answers that stand out."""
    answers = [app.button(key=key) for key in answer_keys(app)]
    return [button.label for button in answers if button.proto.type == "primary"]


def test_questions_are_about_what_the_trees_are_least_sure_of_and_not_in_the_set(ge, text, source, found):
    assert len(found) == 5 and found[0].variance == max(ask.variance for ask in found)
    for ask in found:
        assert ask.constraint.per == "modifier" and len(ask.examples) == 3
        assert ask.of == text.matcher.counts([ask.constraint])[0].denominator
        edited = text.with_set(ge.workspace, f"{source}\n{ask.name} = 0.5\n")
        assert ask.name not in {other.name for other in next_questions(ge, edited, ge.outcome(text), ())}
    again = next_questions(ge, text, ge.outcome(text), [ask.name for ask in found])
    assert not {ask.name for ask in again} & {ask.name for ask in found}


def test_a_long_text_is_asked_about_by_a_part_of_it(ge, text, monkeypatch):
    monkeypatch.setattr("core.workspace.constraints.interview.MOST_ARCS", 2000)
    none = text.treebank.lengths < 0
    few = Interview.of(text, none)
    assert 2 < len(few.sentences) < len(text.treebank) / 2
    marginals = ge.outcome(text).marginals
    for ask in few.questions(marginals, (), None, marginals):
        assert ask.of == text.matcher.counts([ask.constraint])[0].denominator
        assert {sentence for sentence, _, _ in ask.examples} <= set(few.sentences.tolist())
    checked = none.copy()
    checked[[1, 3]] = True
    assert {1, 3} <= set(Interview.of(text, checked).sentences.tolist())


def test_a_click_on_an_answer_is_a_confirmed_constraint_and_the_next_question(
    workbench, project, source, found, app, lines
):
    first = asked(app)
    assert first == f"**{question(found[0].constraint, found[0].of)}**"
    assert len([markdown for markdown in app.markdown if ":blue[" in markdown.value]) == 3
    assert not chosen(app) and "the trees are least sure here" in said(app.caption)
    assert asked(answered(app, "rarely")) == f"**{question(found[1].constraint, found[1].of)}**"
    assert lines() == f"{source.rstrip()}\n{found[0].name} = 0.12..0.3 weight 1\n"
    assert not workbench.store.runs(project, "ge")
    assert asked(pressed(app, "ge_ask_back")) == first and chosen(app) == ["rarely"]
    answered(app, "always")
    assert lines().splitlines()[-1] == f"{found[0].name} = 0.97..1.0 weight 1"
    pressed(app, "shared_undo")
    assert chosen(pressed(app, "ge_ask_back")) == ["rarely"]
    assert asked(answered(app, "rarely")) == first and lines() == source and not chosen(app)
    assert asked(pressed(app, "ge_ask_next")) != first


def test_what_nobody_knows_is_not_asked_again(workbench, corpus, ge, text, found, app, source):
    first = asked(app)
    assert asked(pressed(app, "ge_ask_unknown")) != first and not_known(workbench.store, corpus) == [found[0].name]
    rest = next_questions(ge, text.with_set(ge.workspace, source), ge.outcome(text), ())
    assert found[0].name not in {ask.name for ask in rest}
    pressed(app, "shared_undo")
    assert not_known(workbench.store, corpus) == []


def test_skipped_questions_are_asked_again_at_the_end(app, found, monkeypatch):
    monkeypatch.setattr(ArcQuestions, "ranked", lambda index, marginals, passed, *_, **__: [
        ask for ask in found[:2] if ask.name not in passed
    ])  # fmt: skip
    app = shown(app, ge_view="table")
    del app.session_state["ge_interview"]
    app = shown(app, ge_view="ask")
    pressed(pressed(app, "ge_ask_next"), "ge_ask_next")
    assert "No more questions" in said(app.info) and not answer_keys(app)
    assert asked(pressed(app, "ge_ask_again")) == f"**{question(found[0].constraint, found[0].of)}**"


def test_hints_come_from_the_trees_of_a_chosen_text_and_are_marked(app, add, text, found):
    assert "Hint" not in said(app.markdown)
    app.toggle(key="ge_hints").set_value(True).run()
    coverage = text.matcher.counts([found[0].constraint])[0]
    edges, known = coverage.edges, coverage.known_denominator
    hint = f":violet-badge[Hint] {edges:,} of {known:,} in the trees of sample: {edges / known:.0%}"
    assert hint in said(app.markdown)
    other = add("tagged.txt", "a/DET cat/NOUN\n")
    app.run().selectbox(key="ge_hints_from").set_value(other.id).run()
    assert "has no such words or no trees" in said(app.markdown)


def test_trees_that_were_checked_by_hand_decide_what_is_asked_first(workbench, grammar, bare):
    corpus = bare()
    before = next_questions(grammar, grammar.text(corpus), grammar.outcome(grammar.text(corpus)), ())
    correct(workbench, corpus, short_sentences(), range(25))
    text = grammar.text(corpus)
    after = next_questions(grammar, text, grammar.outcome(text), ())
    assert not any(ask.gap for ask in before) and after[0].gap > 0
    assert after[0].gap == max(ask.gap for ask in after)


def test_above_the_universal_parser_every_answer_turns_the_trees(open_page, workbench, project, bare):
    bare()
    app = shown(open_page("constraints", corpus="bare.conllu"), ge_view="ask")
    assert not workbench.store.runs(project, "grammar")
    answered(app, "never")
    first = finished(workbench, workbench.store.runs(project, "grammar")[0].id)
    assert first.figures["costliest"] and "arcs moved" in said(app.run().markdown)
    assert f"`{first.figures['costliest'][0][0]}`" in said(app.caption)
    pressed(app, "shared_undo")
    second = finished(workbench, workbench.store.runs(project, "grammar")[0].id)
    app.run()
    assert second.id > first.id and not second.constraint_text.strip()
    assert len(workbench.store.runs(project, "grammar")) == 2


@pytest.mark.parametrize(
    ("judge", "stands", "end"),
    [
        (
            "ge_wrong",
            "DET <- NOUN per modifier = 0.0 weight 4",
            "0 of 10 words, so 0% to 28% of all: the constraint is",
        ),
        ("ge_right", "", "10 of 10 words, so 72% to 100% of all: the parser is right"),
    ],
)
def test_ten_examples_settle_what_the_parser_contradicts(
    open_page, workbench, project, grammar, bare, judge, stands, end
):
    corpus = bare(SET)
    app = shown(open_page("constraints", corpus="bare.conllu"), ge_view="ask")
    run = finished(workbench, workbench.store.runs(project, "grammar")[0].id)
    assert run.figures["disputed"]["DET <- NOUN per modifier"] > 0.8
    assert "You say 0% to 5%, the parser" in said(app.run().markdown)
    pressed(app, "ge_look")
    words = set()
    for number in range(1, 11):
        assert f"Word {number} of 10" in said(app.caption) and not answer_keys(app)
        words.add(next(markdown.value for markdown in app.markdown if ":blue[" in markdown.value))
        pressed(app, judge)
    assert len(words) == 10 and grammar.source(corpus).strip() == stands and end in said(app.toast)
    app.run()
    assert "ge_look" not in keys(app.button) and answer_keys(app)
    pressed(app, "shared_undo")
    assert grammar.source(corpus) == SET
    finished(workbench, workbench.store.runs(project, "grammar")[0].id)
    assert "ge_look" in keys(app.run().button)


def test_training_follows_every_change_once_where_that_is_chosen(open_page, workbench, project, ge, sixty):
    source = "DET <- NOUN per modifier = 0.9\n"
    text = ge.text(sixty(source))
    assert ge.is_behind(text, source)
    app = shown(open_page("constraints", corpus="sixty.conllu"), ge_view="ask")
    app.toggle(key="ge_follow").set_value(True).run()
    first = finished(workbench, workbench.store.runs(project, "ge")[0].id)
    app.run()
    assert len(workbench.store.runs(project, "ge")) == 1 and ge.follow(text, source) is None
    answered(app, "mostly")
    second = finished(workbench, workbench.store.runs(project, "ge")[0].id)
    assert second.id > first.id and second.settings["start"] == first.id
    assert second.constraint_text.splitlines()[-1].endswith("= 0.7..0.88 weight 1")
    with pytest.raises(ValueError, match="NUON"):
        ge.follow(text, "DET <- NUON = 0.9\n")
