"""The Consensus page: thresholds answer at once, a run says what it changed, bad input is one sentence."""

import pytest

from core.workspace import add_corpus
from core.workspace.consensus.plan import format_groups, parse_groups
from core.workspace.consensus.system import Consensus
from core.workspace.consensus.votes import TEST, TRAIN, ballot, context_table, effect_table, vote_table, votes_of
from tests.pages.reading import said

TEACH = (
    "the/DT/3 old/JJ/3 dog/NN/4 barked/VBD/0",
    "the/DT/2 cat/NN/3 slept/VBD/0 on/IN/3 the/DT/6 mat/NN/4",
    "a/DT/3 small/JJ/3 boat/NN/4 sank/VBD/0",
    "we/PRP/2 saw/VBD/0 the/DT/5 tall/JJ/5 tower/NN/2",
    "birds/NNS/2 sang/VBD/0 in/IN/2 the/DT/5 tree/NN/3",
)
PARSE = (
    "the/DT/3 shy/JJ/3 girl/NN/4 laughed/VBD/0",
    "we/PRP/2 sang/VBD/0 in/IN/2 an/DT/6 old/JJ/6 boat/NN/3",
    "the/DT/2 mat/NN/3 sank/VBD/0 in/IN/3 the/DT/6 tree/NN/4",
)


def conllu(*sentences):
    """CoNLL-U bytes of sentences written ``form/TAG/head``."""
    blocks = []
    for sentence in sentences:
        words = [word.split("/") for word in sentence.split()]
        lines = [
            f"{number}\t{form}\t_\t_\t{tag}\t_\t{head}\t{'root' if head == '0' else 'dep'}\t_\t_"
            for number, (form, tag, head) in enumerate(words, 1)
        ]
        blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks).encode()


@pytest.fixture
def add(workbench):
    """add("tiny.conllu", bytes) -> its Corpus."""

    def add(name, data):
        project = workbench.store.default_project()
        return workbench.store.corpus(add_corpus(workbench.store, project, name, data)[0])

    return add


@pytest.fixture
def tiny(add):
    return add("tiny.conllu", conllu(*TEACH, *PARSE))


@pytest.fixture
def consensus(workbench):
    return Consensus(workbench)


@pytest.fixture
def open_consensus(open_page):
    """open_consensus(corpus) -> the page with that corpus open."""

    def open_consensus(corpus=None, page="consensus"):
        app = open_page(**({} if corpus is None else {"corpus": corpus.name}))
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception, app.exception
        return app

    return open_consensus


def run(consensus, corpus, **changes):
    """Parse consistently; returns the ConsensusOutcome."""
    if changes:
        consensus.save(corpus, "choosing", **changes)
    plan = consensus.plan(corpus)
    texts = consensus.inputs(corpus, plan)
    snapshot = consensus.workspace.jobs.wait(consensus.start(texts, plan), timeout=120)
    assert snapshot.status == "done", snapshot.error
    return consensus.latest(texts)


def test_the_sample_is_counted_with_no_control_touched(open_consensus, consensus, workbench):
    corpus = workbench.store.corpora(workbench.store.default_project())[0]
    plan = consensus.plan(corpus)
    texts = consensus.inputs(corpus, plan)
    found = consensus.selection(texts, plan).statistics()
    app = open_consensus()
    assert f"**{found['contexts']:,}** contexts cover **{found['words']:,}** of {found['tagged_words']:,}" in said(
        app.markdown
    )
    assert f"The first {len(texts.train):,} sentences" in said(app.caption)
    assert "sentence" in app.dataframe[1].value


def test_a_moved_threshold_changes_counts_and_votes_and_can_be_undone(open_consensus, consensus, workbench):
    corpus = workbench.store.corpora(workbench.store.default_project())[0]
    app = open_consensus()
    before = consensus.plan(corpus)
    app.slider(key="cs_threshold").set_value(0.8).run()
    assert not app.exception
    after = consensus.plan(corpus)
    assert after.threshold == 0.8
    texts = consensus.inputs(corpus, after)
    now, former = consensus.selection(texts, after), consensus.selection(texts, before)
    moves = former.changes(now)
    assert f"added {len(moves['added']):,} contexts and removed {len(moves['dropped']):,}" in said(app.caption)
    kinds, table, total = context_table(now, former)
    assert total == len(set(now.types) | set(former.types))
    place = table["change"].index("added")
    votes = votes_of(now, former, kinds[place])
    assert votes.count(TRAIN) == table["train"][place]
    assert votes.count(TEST) == table["test"][place]
    assert set(vote_table(texts.index, votes)["vote"]) == {"added"}
    app.segmented_control(key="cs_which").set_value("dropped").run()
    assert not app.exception
    assert set(app.dataframe[0].value["change"]) <= {"dropped"}
    assert context_table(now, former, "dropped")[2] == len(moves["dropped"])
    app.button(key="shared_undo").click().run()
    assert not app.exception
    assert app.slider[0].value == 1.0
    assert consensus.plan(corpus).minimum_count == before.minimum_count


def test_the_votes_of_a_context_are_those_of_the_selection(consensus, tiny):
    plan = consensus.plan(tiny)
    texts = consensus.inputs(tiny, plan)
    selection = consensus.selection(texts, plan)
    outcome = run(consensus, tiny)
    counted = selection.votes(outcome.heads)
    for number, kind in enumerate(selection.types.tolist()):
        votes = votes_of(selection, selection, kind)
        tally = ballot(texts.index, votes, outcome)
        names = texts.index.labels.names
        for tag, (trees, _, consistent) in tally.items():
            assert trees + consistent == counted[number, names.index(tag)]


def test_a_run_shows_scores_effects_and_its_file(open_consensus, consensus, tiny):
    outcome = run(consensus, tiny)
    app = open_consensus(tiny)
    app.segmented_control(key="cs_view").set_value("effects").run()
    assert not app.exception
    base, model = outcome.run.figures["base"], outcome.run.figures["model"]
    assert f"({model['right']:,} of {model['words']:,})" in said(app.markdown)
    assert f"for the parser alone ({base['right']:,})" in said(app.markdown)
    assert outcome.files[0].data().count("\n\n") == len(outcome.inputs.test)
    table = effect_table(outcome.effects)
    changed = int((outcome.heads != outcome.base_heads).sum())
    assert sum(table["changed"]) <= changed == outcome.run.figures["changed_words"]


def test_the_button_makes_a_run_from_other_trees(open_consensus, consensus, add, workbench):
    trees = add("trees.conllu", conllu(*TEACH))
    text = add("text.conllu", conllu(*PARSE))
    app = open_consensus(text)
    app.selectbox(key="cs_trees").set_value(trees.id).run()
    app.number_input(key="cs_epochs").set_value(2).run()
    app.button(key="cs_start").click().run()
    assert not app.exception
    made = consensus.runs(text.project)[0]
    assert workbench.jobs.wait(made.id, timeout=120).status == "done"
    app.run()
    assert not app.exception
    made = workbench.store.run(made.id)
    assert made.settings["trees"] == trees.id
    assert made.settings["epochs"] == 2
    assert made.figures["sentences"] == len(PARSE)


def test_deltas_out_of_order_are_said_and_nothing_is_lost(open_consensus, consensus, tiny):
    app = open_consensus(tiny)
    app.number_input(key="cs_delta2").set_value(2.0).run()
    assert not app.exception
    assert "delta1 >= delta2 >= delta3 >= 0" in said(app.error)
    assert consensus.plan(tiny).delta2 == 2.0
    assert "contexts cover" in said(app.markdown)
    app.button(key="cs_start").click().run()
    assert "put them in order" in said(app.error)
    assert not consensus.runs(tiny.project)


@pytest.mark.parametrize(
    ("sentences", "changes", "message"),
    [
        (TEACH[:1], {}, "has only one sentence"),
        ((*TEACH, "der/ART/2 Hund/NE/3 bellt/VVFIN/0"), {"first": 5}, "different tag sets"),
        (("a/DT/2 b/NN/0", "c/NN/2 d/DT/0"), {"first": 1, "width": 2, "minimum_count": 9}, "lower the threshold"),
        (TEACH, {"minimum_count": 20}, "lower the threshold or the minimum count"),
    ],
)
def test_texts_that_do_not_go_together_are_one_clear_sentence(
    open_consensus, consensus, add, sentences, changes, message
):
    corpus = add("odd.conllu", conllu(*sentences))
    consensus.save(corpus, "choosing", **changes)
    app = open_consensus(corpus)
    assert message in said(app.error)
    assert app.selectbox(key="cs_trees")


def test_close_tags_are_groups_that_read_back(consensus, workbench):
    corpus = workbench.store.corpora(workbench.store.default_project())[0]
    labels = consensus.inputs(corpus, consensus.plan(corpus)).index.labels
    groups = parse_groups(format_groups(labels))
    names = labels.names[1:]
    again = labels.with_close(groups)
    for one in range(1, len(names) + 1):
        for other in range(1, len(names) + 1):
            was, now = labels.close[one] == labels.close[other], again.close[one] == again.close[other]
            assert was == now
    with pytest.raises(ValueError, match="NN is in line 1 and in line 2; leave it in one group"):
        parse_groups("NN NNS\nNN VB")
