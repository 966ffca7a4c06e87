"""The Joint page: the sample stands with no control touched, a run is watched and opened, bad input is one sentence."""

import numpy as np
import pytest

from core.errors import Cancelled
from core.treebank import Treebank, conllu_text, load_sample
from core.workspace import add_corpus
from core.workspace.groups import by_sentences, groups, save_group
from core.workspace.joint.system import Joint
from core.workspace.joint.views import (
    MEASURES,
    MISSED,
    WRONG,
    changes,
    gold_agreement,
    listed_sentences,
    sentence_drawing,
    share,
    stage_of,
)
from tests.pages.reading import said

QUICK = {"order": 1, "epochs": 1, "candidates": 3, "rounds": 2, "stages": 1}


@pytest.fixture(scope="module")
def banks():
    """Both schemes of the same short sentences."""
    one, other = (load_sample(part) for part in ("sample", "function-heads"))
    short = np.flatnonzero(one.lengths <= 9)[:30]
    return one.select(short), other.select(short)


@pytest.fixture
def add(workbench):
    """add(name, treebank) -> its Corpus."""

    def add(name, treebank):
        project, data = workbench.store.default_project(), conllu_text(treebank.to_conllu()).encode()
        return workbench.store.corpus(add_corpus(workbench.store, project, name, data)[0])

    return add


@pytest.fixture
def desk(workbench):
    return Joint(workbench)


@pytest.fixture
def small(banks, add, desk):
    """A Corpus of short sentences, planned for a quick run beside its twin in the other scheme."""
    one, other = (add(f"{name}.conllu", bank) for name, bank in zip(("ud", "heads"), banks, strict=True))
    desk.save(one, "choosing", one=f"corpus-{one.id}", other=f"corpus-{other.id}", **QUICK)
    return one


@pytest.fixture
def open_joint(open_page):
    def open_joint(corpus=None, **query):
        app = open_page(**({} if corpus is None else {"corpus": corpus.name}), **query)
        app.switch_page("pages/joint.py").run()
        assert not app.exception, app.exception
        return app

    return open_joint


def run(desk, corpus):
    texts = desk.inputs(corpus, desk.plan(corpus))
    snapshot = desk.workspace.jobs.wait(desk.start(texts, desk.plan(corpus)), timeout=120)
    assert snapshot.status == "done", snapshot.error
    return desk.latest(texts)


def test_the_sample_in_its_two_schemes_stands_with_no_control_touched(open_joint, desk, workbench):
    corpus = workbench.store.corpora(workbench.store.default_project())[0]
    texts = desk.inputs(corpus, desk.plan(corpus))
    app = open_joint()
    assert share(*gold_agreement(texts)) in said(app.markdown)
    assert f"{len(texts.test):,} in all, is parsed" in said(app.caption)
    assert app.button(key="jt_start").label == "Parse jointly"
    assert app.get("bidi_component")


def test_a_run_begun_on_the_page_shows_scores_rounds_candidates_and_sentences(open_joint, desk, small, workbench):
    app = open_joint(small)
    app.button(key="jt_start").click().run()
    assert not app.exception
    made = Joint(workbench).runs(small.project)[0]
    assert workbench.jobs.wait(made.id, timeout=120).status == "done"
    app.run()
    assert not app.exception
    outcome = desk.latest(desk.inputs(small, desk.plan(small)))
    scheme = outcome.run.figures["schemes"][0]
    assert (
        f"{scheme['helped']:,} of {len(outcome.inputs.test)} sentences improved, {scheme['hurt']:,} got worse"
        in said(app.markdown)
    )
    tables = [table.value for table in app.dataframe]
    assert tables[0]["joint"][0].endswith(f"· {scheme['rounds'][-1]['right']}")
    assert list(tables[0]["of"]) == [scheme["certified"][name] for name in ("words", "inner", "roots", "sentences")]
    assert list(tables[2]["posterior"]) == sorted(tables[2]["posterior"], reverse=True)
    assert tables[2]["posterior"].sum() == pytest.approx(1)
    app.segmented_control(key="joint_view").set_value("sentences").run()
    app.selectbox(key="joint_list").set_value("differ").run()
    assert not app.exception
    assert list(app.dataframe[2].value["sentence"]) == listed_sentences(outcome, "differ")[1]["sentence"]
    app.segmented_control(key="joint_view").set_value("rounds").run()
    assert len(app.dataframe[2].value) == outcome.rounds + 1
    moved = changes(outcome, 0, 1) | changes(outcome, 1, 1)
    index = int(np.searchsorted(outcome.inputs.test.offsets, np.flatnonzero(moved)[0], side="right")) - 1
    words = np.flatnonzero(moved[slice(*outcome.inputs.test.offsets[index : index + 2])]).tolist()
    assert [span.start for span in sentence_drawing(outcome, index, 1).spans] == words
    for stage in (0, 1, "certified"):
        app.segmented_control(key="joint_stage").set_value(stage).run()
        assert not app.exception


def test_settings_are_kept_undone_and_used_by_the_next_run(open_joint, desk, small, workbench):
    app = open_joint(small)
    app.number_input(key=f"jt_{small.id}_rounds").set_value(1).run()
    assert not app.exception and desk.plan(small).rounds == 1
    app.button(key="jt_start").click().run()
    made = Joint(workbench).runs(small.project)[0]
    assert made.settings["rounds"] == 1
    assert workbench.jobs.wait(made.id, timeout=120).status == "done"
    app.button(key="shared_undo").click().run()
    assert not app.exception and desk.plan(small).rounds == 2


def test_a_link_opens_sentence_stage_and_list(open_joint, desk, small):
    run(desk, small)
    shown = {"joint_view": "Sentences", "joint_list": "Changed in the stage shown"}
    app = open_joint(small, joint_sentence="2", joint_stage="Round 1", **shown)
    assert app.session_state["joint_sentence"] == 2
    assert app.session_state["joint_stage"] == 1
    assert app.selectbox(key="joint_list").value == "changed"
    assert not app.exception


def test_a_run_stands_among_the_runs_and_can_be_compared(open_joint, open_page, desk, small):
    made = run(desk, small).run
    app = open_page("runs")
    assert "joint inference" in set(app.dataframe[0].value["kind"])
    assert (
        f"UAS {made.figures['model']['right'] / made.figures['model']['words']:.1%}"
        in app.dataframe[0].value["figure"].iloc[0]
    )
    parses = [f"run-{made.id}", f"run-{made.id}-alone"]
    app = open_page("compare", state={"parses": parses}, corpus=small.name)
    assert not app.exception
    assert "joint" in str(app.dataframe[0].value["parse"].iloc[0])
    app = open_page("annotate", state={"ann_proposal": parses[0], "sentence": 10}, corpus=small.name)
    assert not app.exception and not app.error and app.selectbox(key="ann_proposal").value == parses[0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"other": ""}, "choose the second scheme"),
        ({"other": "same"}, "is chosen twice"),
        ({"other": "bare"}, "has no trees, so no parser can learn from it"),
        ({"one": "untagged"}, "has no tags, which the parsers need"),
    ],
)
def test_texts_that_cannot_teach_are_one_clear_sentence(open_joint, desk, small, banks, add, changes, message):
    bare = Treebank.from_sentences([{"forms": s.forms[1:], "upos": s.upos[1:]} for s in banks[0]])
    untagged = Treebank.from_sentences([{"forms": s.forms[1:], "heads": s.heads[1:]} for s in banks[0]])
    named = {"": "", "same": desk.plan(small).one}
    for name, bank in (("bare", bare), ("untagged", untagged)):
        named[name] = f"corpus-{add(f'{name}.conllu', bank).id}"
    desk.save(small, "choosing", **{name: named[value] for name, value in changes.items()})
    app = open_joint(small)
    assert message in said(app.error)
    assert app.button(key="shared_undo") and not desk.runs(small.project)


def test_other_tags_and_other_words_are_told_and_the_rest_goes_on(open_joint, desk, small, banks, add):
    foreign = Treebank.from_sentences(
        [{"forms": ["".join(s.forms[1:3]), *s.forms[3:]], "upos": [f"t{tag}" for tag in s.upos[2:]],
          "heads": [0, *[1] * (len(s) - 2)]} for s in banks[1]]
    )  # fmt: skip
    other = add("foreign.conllu", foreign)
    desk.save(small, "choosing", other=f"corpus-{other.id}")
    app = open_joint(small)
    told = said(app.caption)
    assert "The tag sets differ" in told and "Tokenization differs" in told
    outcome = run(desk, small)
    assert outcome.inputs.gold[1] is None and outcome.inputs.recut == len(outcome.inputs.test)
    assert "rounds" not in outcome.run.figures["schemes"][1]
    app.run()
    assert not app.exception


def test_a_parser_that_fails_on_a_sentence_and_short_lists_are_told(open_joint, desk, small, monkeypatch):
    from core.parsers import MSTParser

    kbest = MSTParser.kbest

    def failing(self, treebank, *arguments, **options):
        trees = kbest(self, treebank, *arguments, **options)
        if len(treebank) == 3:  # the text to parse, every tenth of thirty sentences
            trees.counts[0], trees.values[0] = 0, -np.inf
            trees.counts[1], trees.values[1, 1:] = 1, -np.inf
        return trees

    monkeypatch.setattr(MSTParser, "kbest", failing)
    outcome = run(desk, small)
    assert (outcome.heads(0)[1 : outcome.inputs.test.offsets[1]] == -1).all()
    app = open_joint(small)
    assert "found no tree for this sentence; the other one continued without it" in said(app.caption)
    app.session_state["joint_sentence"] = 2
    app.run()
    assert not app.exception
    assert "Only 1 trees exist" not in said(app.caption) and "Only 1 tree exists" in said(app.caption)


def test_a_run_stopped_half_way_goes_on_with_its_parsers(open_joint, desk, small, monkeypatch):
    from core.workspace.joint import run as module

    whole = run(desk, small)
    texts, plan = desk.inputs(small, desk.plan(small)), desk.plan(small)
    monkeypatch.setattr(module, "AT_ONCE", 1)

    class Stopping:  # asks to stop once the first sentence is parsed
        resumed, run, iteration, kept = None, 0, 0, None

        def report(self, iteration, fraction=None, figures=None, message=""):
            self.iteration, self.message = iteration, message

        def checkpoint(self, data):
            self.kept = data() if callable(data) else data

        def cancelled(self):
            return getattr(self, "message", "").startswith("Parsing jointly")

    job = Stopping()
    with pytest.raises(Cancelled):
        module.joint_work(texts, plan)(job)
    store = desk.store
    number = store.create_run(small.project, Joint.kind, whole.run.settings, data_hash=texts.hash)
    store.start_run(number)
    store.finish_run(number, "cancelled")
    app = open_joint(small)
    assert "it begins again" in app.button(key="jt_resume").help
    store.checkpoint(number, job.kept, 1)
    app.run()
    assert app.button(key="jt_resume").label == "Resume"
    assert app.button(key="jt_resume").help == "Continue from its last checkpoint"
    app.button(key="jt_resume").click().run()
    assert desk.workspace.jobs.wait(number, timeout=120).status == "done"
    finished = desk.load(store.run(number))
    for scheme in (0, 1):
        assert finished.heads(scheme).tolist() == whole.heads(scheme).tolist()
        assert finished.heads(scheme, "certified").tolist() == whole.heads(scheme, "certified").tolist()


def test_sentences_of_a_group_are_walked_through_and_a_list_is_kept_as_one(open_joint, workbench, desk, small):
    outcome = run(desk, small)
    found = listed_sentences(outcome, "differ")[0]
    numbers = sorted(int(outcome.inputs.test.picks[index]) + 1 for index in found)
    few = numbers[: len(numbers) // 2]
    save_group(workbench, small, "few", by_sentences(few))
    app = open_joint(small, group="few")
    assert f"Sentence {few[0]:,} " in said(app.caption)
    app.segmented_control(key="joint_view").set_value("sentences").run()
    app.selectbox(key="joint_list").select("differ").run()
    assert sorted(app.dataframe[-1].value["sentence"]) == few
    app.text_input(key="jt_group_name").set_value("kept").run()
    app.button(key="jt_group_keep").click().run()
    assert not app.exception
    assert groups(workbench.store, small)[-1].definition == by_sentences(few)


def test_scores_open_the_sentences_that_they_count_as_wrong(open_joint, desk, small):
    outcome = run(desk, small)
    for number, scheme in enumerate(outcome.run.figures["schemes"]):
        for system, scores in (("alone", scheme["rounds"][0]), ("joint", scheme["rounds"][-1]),
                               ("certified", scheme["certified"])):  # fmt: skip
            for measure, (right, whole) in MEASURES.items():
                what = MISSED[measure], number
                indices, table = listed_sentences(outcome, what, stage_of(outcome, system))
                found = sum(table["words"]) if measure in ("uas", "da") else len(indices)
                assert found == scores[whole] - scores[right], (measure, system)
    app = open_joint(
        small, joint_list=f"{WRONG['inner']}, {outcome.inputs.names[0]}", joint_view="Sentences", joint_stage="Alone"
    )
    indices, table = listed_sentences(outcome, ("inner", 0), 0)
    assert indices and list(app.dataframe[-1].value["sentence"]) == table["sentence"]
    assert app.selectbox(key="joint_list").value == "inner-1"
