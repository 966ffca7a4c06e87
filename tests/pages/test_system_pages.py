"""The page of every system: its button, a run that stopped, an undone choice, a text that it cannot read."""

from functools import partial
from types import SimpleNamespace

import pytest

from core.workspace.constraints.plan import choose_learner
from core.workspace.parses import load_parse, offers_of
from core.workspace.registry import SYSTEMS, Systems, kind_name
from core.workspace.runs.list import main_figure
from tests.filled import filled
from tests.pages.conftest import copied
from tests.pages.reading import pressed, said, waited
from tests.patience import ended
from tests.workspace.test_systems import CASES, texts_of_cases

PANELS = {  # kind -> how keys of its panel begin, the button that begins a run, what is said of a text without tags
    "ge": ("ge", "ge_train", "bare.txt has no tags yet; tag its words on the Corpus page"),
    "grammar": ("ge", "ge_train", "bare.txt has no tags yet; tag its words on the Corpus page"),
    "advised": ("advice_train", "advice_train_start", "bare.txt has no tags yet; tag its words on the Corpus page"),
    "consensus": ("cs", "cs_start", "bare.txt: no word has a tag; tag the text first"),
    "consensus-tags": ("ct", "ct_start", "bare.txt: no word has a tag; tag the text first"),
    "induction": ("ind", "ind_train", "bare.txt: no word has a tag; tag the text first"),
    "joint": ("jt", "jt_start", "bare.txt has no trees, so no parser can learn from it; choose a text with trees"),
    "scl": ("scl", "scl_start", "bare.txt has no trees to learn from; open a text with trees"),
}


def prepared(kind, workspace):
    """Small texts, one of them with the system's plan of a moment."""
    texts = texts_of_cases(workspace)
    if kind in ("ge", "grammar"):
        choose_learner(workspace.store, texts["one"], kind)
    Systems(workspace)[kind].save(texts["one"], "choosing", **CASES[kind](texts))


PREPARED = {system.kind: partial(prepared, system.kind) for system in SYSTEMS}


@pytest.fixture(params=PREPARED)
def home(request, tmp_path, monkeypatch, made):
    """The folder of the pages' data, of a system."""
    return copied(made(PREPARED[request.param]), tmp_path, monkeypatch)


@pytest.fixture
def case(request, home, workbench, project, open_page):
    """A system, its text and plan, the keys of its panel; ``open()`` its page."""
    kind = request.node.callspec.params["home"]
    systems = Systems(workbench)
    system, (key, start, refused) = systems[kind], PANELS[kind]
    corpus = next(each for each in workbench.store.corpora(project) if each.name == "one.conllu")

    def opened(corpus=corpus):
        state = {"advice_open": kind == "advised", "cs_task": "tags" if kind == "consensus-tags" else "heads"}
        return open_page(system.page, state, corpus=corpus.name)

    return SimpleNamespace(
        systems=systems, system=system, corpus=corpus, plan=system.plan(corpus), open=opened, start=start,
        resume=f"{key}_resume", refused=refused, number=list(CASES[kind](texts_by_name(workbench, project)))[-1],
    )  # fmt: skip


def texts_by_name(workbench, project):
    return {each.name.removesuffix(".conllu"): each for each in workbench.store.corpora(project)}


def test_its_button_makes_a_run_of_the_plan_which_other_pages_offer(case, open_page, workbench):
    app = case.open()
    run = waited(pressed(app, case.start), workbench, case.system.kind)
    assert type(case.plan).from_dict(run.settings) == case.plan and not app.error
    app = open_page("runs", corpus="one.conllu")
    row = app.dataframe[0].value.iloc[0]
    assert (row["run"], row["kind"]) == (run.id, kind_name(run)) and main_figure(run) in row["figure"]
    parsed = workbench.store.corpus(run.settings.get("target") or case.corpus.id)
    offers = offers_of(case.systems, parsed, run)
    for offer in offers[:1] if case.system.kind == "consensus-tags" else filled(offers)[:1]:  # which leaves no trees
        app = open_page("compare", {"parses": [offer.key]}, corpus=parsed.name)
        if case.system.kind == "advised":  # it is trained on all that is known
            assert said(app.error).startswith(f"Nothing is left to score: r{offer.name[1:]} trained on all")
        else:
            assert not said(app.error) and app.dataframe[0].value["parse"].tolist() == [offer.name]
        place = int(load_parse(case.systems, parsed, offer.key).picks[0]) + 1
        app = open_page("annotate", {"ann_proposal": offer.key, "sentence": place}, corpus=parsed.name)
        assert not said(app.error)
        assert app.selectbox(key="ann_proposal").value == offer.key


def test_a_run_that_stopped_says_how_and_from_where_it_goes_on(case, workbench):
    store, system = workbench.store, case.system
    inputs, plan = system.prepared(system.inputs(case.corpus, case.plan), case.plan)
    for status, kept, words, told in (
        ("interrupted", b"kept", "was interrupted", "Continue from its last checkpoint"),
        ("failed", None, "failed: no room is left", "it begins again"),
    ):
        number = store.create_run(
            case.corpus.project, system.kind, system.recorded(inputs, plan), data_hash=inputs.hash,
            constraint_text=inputs.constraint_text,
        )  # fmt: skip
        store.start_run(number)
        if kept is not None:
            store.checkpoint(number, kept, 1)
        store.finish_run(number, status, error="no room is left" if status == "failed" else "")
        app = case.open()
        button = app.button(key=case.resume)
        assert f"Run {number} {words}" in said(app.markdown) and button.label == "Resume" and told in button.help
    pressed(app, case.resume)
    assert ended(workbench, number).figures


def test_a_choice_is_undone_on_its_page(case):
    changed = case.plan.values()[case.number] + 1
    case.system.save(case.corpus, "setting a number", **{case.number: changed})
    app = case.open()
    assert case.system.plan(case.corpus).values()[case.number] == changed
    pressed(app, "shared_undo")
    assert case.system.plan(case.corpus) == case.plan


def test_a_text_without_tags_or_trees_is_one_sentence_and_begins_nothing(case, add, workbench):
    bare = add("bare.txt", "what is it ?\nwho was there ?\n")
    if case.system.kind == "joint":  # which else takes the built-in texts
        case.system.save(bare, "choosing", treebanks=(f"corpus-{bare.id}", f"corpus-{case.corpus.id}"))
    app = case.open(bare)
    assert case.refused in said(app.error)
    assert all(button.disabled for button in app.button if button.key == case.start)
    assert not workbench.store.runs(case.corpus.project)
