"""A run of a kind beside its system's own is found again as it was recorded; and figures described for a paper."""

import pytest

from core.errors import WorkbenchError
from core.markup.selectors import PageSelectors
from core.treebank import conllu_text, load_sample
from core.workspace.adaptation.plan import AdaptationPlan
from core.workspace.consensus.plan import ConsensusPlan
from core.workspace.constraints.plan import TrainingSettings
from core.workspace.induction.plan import InductionPlan
from core.workspace.joint.plan import JointPlan
from core.workspace.markup.pages import add_pages
from core.workspace.registry import Systems
from core.workspace.runs.methods import figure_table, latex_table, markdown_table, methods_paragraph
from tests.filled import filled

SET = "DET <- NOUN = 0.9\n"
WORDS = load_sample().limit(12)


@pytest.fixture
def systems(workspace):
    return Systems(workspace)


@pytest.fixture
def corpus(add):
    return add("small.conllu", conllu_text(WORDS.to_conllu()))


@pytest.fixture
def other(add):
    return add("other.conllu", conllu_text(load_sample("questions").limit(8).to_conllu()))


@pytest.fixture
def twin(add):
    return add("twin.conllu", conllu_text(load_sample("function-heads").limit(12).to_conllu()))


@pytest.fixture
def made(workspace, ge, systems, corpus, other, twin):
    """made(kind, hash=None, **figures) -> a finished Run of that kind, on the sentences that are here."""

    plans = {
        "ge": TrainingSettings("upos"),
        "induction": InductionPlan.of(level="none"),
        "consensus": ConsensusPlan(first=6),
        "joint": JointPlan((f"corpus-{corpus.id}", f"corpus-{twin.id}")),
        "scl": AdaptationPlan(target=other.id, few=2),
    }

    def plan_and_hash(kind):
        plan = plans[kind]
        if kind == "ge":
            return plan.as_dict() | {"start": None}, ge.text(corpus, plan).hash
        return plan.as_dict(), systems[kind].inputs(corpus, plan).hash

    def made(kind, hash=None, **figures):
        settings, own = plan_and_hash(kind.partition("-")[0])
        if kind == "ge-worth":
            settings = {"of": made("ge").id}
        text = SET if kind.startswith("ge") else ""
        number = workspace.store.create_run(
            corpus.project, kind, settings | {"corpus": corpus.id}, constraint_text=text, data_hash=hash or own
        )
        workspace.store.start_run(number)
        workspace.store.finish_run(number, "done", figures | {"code": "1.0+ab"})
        return workspace.store.run(number)

    return made


@pytest.mark.parametrize("kind", ["ge-version", "ge-worth", "induction-grid"])
def test_a_run_of_a_further_kind_is_found_again_with_the_sizes_of_its_texts(workspace, systems, made, kind):
    run = made(kind)
    work, texts = systems.of(run).repeated(run)
    assert callable(work) and systems.can_repeat(run)
    paragraph = methods_paragraph(systems, run)
    for name, bank in filled(texts.items()):
        plural = "s" if len(bank) > 1 else ""
        assert f"{name}: {len(bank)} sentence{plural}, {bank.token_count:,} words" in paragraph
    assert "version 1.0+ab of the code" in paragraph and "Reference: " in paragraph
    assert ("Figures: " in paragraph) is False  # this one recorded none
    assert ("There were 1 constraint " in paragraph) == kind.startswith("ge")


@pytest.mark.parametrize("kind", ["ge-version", "induction-grid"])
def test_a_run_on_other_sentences_is_refused_and_its_sizes_are_not_told(workspace, systems, made, kind):
    run = made(kind, hash="0" * 64)
    count = len(workspace.store.runs(run.project))
    with pytest.raises(WorkbenchError, match=f"run {run.id} "):
        systems.of(run).again(run)
    assert len(workspace.store.runs(run.project)) == count
    assert " sentences, " not in methods_paragraph(systems, run)


def test_a_removed_text_and_a_fetch_are_refused_in_a_sentence(workspace, systems, made):
    run = made("ge")
    workspace.store.remove_corpus(run.settings["corpus"])
    with pytest.raises(WorkbenchError):
        systems.of(run).again(run)
    number = workspace.store.create_run(run.project, "fetch", {"name": "x"})
    fetch = workspace.store.run(number)
    assert not systems.can_repeat(fetch)
    with pytest.raises(WorkbenchError, match="made by no system"):
        systems.of(fetch)
    with pytest.raises(WorkbenchError, match="computes nothing"):
        methods_paragraph(systems, fetch)


def test_figures_have_numerator_and_denominator_and_what_is_unknown_is_left_out(workspace, systems, made):
    consensus = made("consensus", model={"right": 41, "words": 50, "uas": 82.0}, base={"right": 40, "words": 50},
                     p_value=0.5, corrected=3, harmed=2, sentences=6, certified_sentences=5)  # fmt: skip
    paragraph = methods_paragraph(systems, consensus)
    assert "UAS, with punctuation 82.0% (41 of 50); UAS of the baseline, with punctuation 80.0% (40 of" in paragraph
    assert "sign test p = 0.500, 3 words corrected, 2 harmed" in paragraph
    assert "sentences proved optimal 83.3% (5 of 6)" in paragraph
    adapted = made("scl", model={"right": 7, "words": 8}, base={})
    table = figure_table(systems, [consensus, adapted])
    assert table["UAS, with punctuation"] == ["82.0% (41 of 50)", "87.5% (7 of 8)"]
    assert table["UAS of the baseline, with punctuation"] == ["80.0% (40 of 50)", "–"]
    assert markdown_table(table).splitlines()[2].startswith(f"| {consensus.id} | consistent parsing | small.conllu |")
    latex = latex_table(table)
    assert r"82.0\% (41 of 50)" in latex and r"small.conllu $\rightarrow$ other.conllu" in latex
    assert latex.count(r"\\") == 3


def test_what_the_paper_does_otherwise_is_named_and_nothing_else(workspace, systems, made):
    joint = methods_paragraph(systems, made("joint"))
    learnt = "learnt on training (paper: development)"
    assert f"Different from the paper: stages 2 (paper: 1); conjoined ours (paper: baseline); {learnt}; a can" in joint
    ge = methods_paragraph(systems, made("ge"))
    assert all(said in ge for said in ("minimum count 2 (paper: 1)", "decoding projective (paper: best)"))
    assert "strength 10 (paper: 1)" in ge
    assert " variance " not in ge.partition("Different")[2]
    consensus = methods_paragraph(systems, made("consensus"))
    assert all(said in consensus for said in ("start 0.3 (paper: 0)", "decay decision (paper: all)", "is a minus"))
    assert "threshold 1" not in consensus.partition("Different")[2]
    assert (
        "init from the text itself (paper: the WSJ); adapt to nothing (paper: the WSJ); tear is"
        in methods_paragraph(systems, made("induction"))
    )
    adapted = methods_paragraph(systems, made("scl"))
    assert "decide tags (paper: words); standardize on (paper: off); scale 0.3 (paper: 1)" in adapted


def test_a_run_that_has_not_ended_well_is_not_told(workspace, systems, made, corpus):
    number = workspace.store.create_run(corpus.project, "ge", {"corpus": corpus.id})
    with pytest.raises(WorkbenchError, match="is queued"):
        methods_paragraph(systems, workspace.store.run(number))


def test_what_was_read_of_web_pages_is_part_of_the_paragraph(workspace, systems):
    store, page = workspace.store, [("page", "<p>The <b>old man</b> came home.")]
    for selectors, words in (
        (PageSelectors(), "Of the web pages of page: page furniture is left out."),
        (PageSelectors("p", "i", "b"), "only p is read; page furniture is kept; i is left out; b is a mark."),
    ):
        number, _ = add_pages(store, store.default_project(), page, reader="nothing", selectors=selectors)
        run = store.create_run(store.default_project(), "induction", {"corpus": number})
        store.start_run(run)
        store.finish_run(run, "done", {})
        assert words in methods_paragraph(systems, store.run(run))
