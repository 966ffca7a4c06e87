"""The Joint page: the sample stands with no control touched, a run is watched and opened, bad input is one sentence."""

import json

import numpy as np
import pytest

from core.__main__ import main
from core.constraints.ge.baselines import attach_left
from core.joint import JointParser, OneScheme
from core.store import Command
from core.treebank import Treebank, load_sample, write_conllu
from core.workspace.groups import by_sentences, groups, save_group
from core.workspace.joint import views
from core.workspace.joint.system import Joint
from core.workspace.parses import offers_of
from core.workspace.registry import Systems
from tests.advising import finished
from tests.filled import filled
from tests.pages.conftest import add_to
from tests.pages.reading import keep_group, pressed, said, shown, waited

QUICK = {"order": 1, "epochs": 1, "candidates": 3, "rounds": 2, "stages": 1}
SCORES = ("words", "inner", "roots", "sentences")


def schemes():
    """Both schemes of the same short sentences."""
    one, other = (load_sample(part) for part in ("sample", "function-heads"))
    short = np.flatnonzero(one.lengths <= 9)[:30]
    return one.select(short), other.select(short)


@pytest.fixture(scope="module")
def banks():
    return schemes()


def prepared(workspace):
    """Short sentences, planned for a quick run beside their twins in the other scheme; and that run."""
    desk, names = Joint(workspace), ("ud.conllu", "heads.conllu")
    one, other = (add_to(workspace, name, bank) for name, bank in zip(names, schemes(), strict=True))
    desk.save(one, "choosing", treebanks=(f"corpus-{one.id}", f"corpus-{other.id}"), **QUICK)
    run(desk, one)


def run(desk, corpus):
    texts = desk.inputs(corpus, desk.plan(corpus))
    finished(desk.workspace, desk.start(texts, desk.plan(corpus)))
    return desk.latest(texts)


@pytest.fixture
def desk(workbench):
    return Joint(workbench)


@pytest.fixture
def small(workbench, project):
    return workbench.store.corpora(project)[1]


@pytest.fixture
def outcome(desk, small):
    """What the prepared run left."""
    return desk.latest(desk.inputs(small, desk.plan(small)))


@pytest.fixture
def open_joint(open_page):
    return lambda corpus="ud.conllu", **query: open_page("joint", corpus=corpus, **query)


def test_the_sample_in_its_two_schemes_stands_with_no_control_touched(open_joint, desk, sample):
    texts, app = desk.inputs(sample, desk.plan(sample)), open_joint("sample")
    names, *counts = views.gold_agreement(texts)
    assert names == [*texts.names] and views.share(*counts) in said(app.markdown)
    assert f"every tenth ({len(texts.test):,}) is kept for parsing" in said(app.caption)
    assert app.button(key="jt_start").label == "Parse jointly" and app.get("bidi_component")


def test_every_stage_has_the_relations_that_its_parser_gives_its_own_heads(outcome, tmp_path):
    (tmp_path / "both.npz").write_bytes(outcome.parser)
    parsers = JointParser.load(tmp_path / "both.npz")
    for name, number in (("", 0), ("alone", 0), ("second-alone", 1)):
        parse = outcome.parses[name]
        column = OneScheme(parsers, str(number + 1)).label(parse, parse.heads)
        assert [each.deprels for each in parse] == [each.deprels for each in parse.with_heads(parse.heads, column)]
    assert (outcome.parses["second-alone"].heads != outcome.parses["second"].heads).any()
    whose = f"# tree = predicted by run {outcome.run.id}, {outcome.inputs.names[0]}, joint\n"
    assert outcome.files[0].data().count(whose) == len(outcome.inputs.test)


def test_a_run_begun_with_other_settings_shows_what_it_found(open_joint, desk, small, workbench):
    app = open_joint()
    app.number_input(key=f"jt_{small.id}_rounds").set_value(1).run()
    assert desk.plan(small).settings.rounds == 1
    assert waited(pressed(app, "jt_start"), workbench, Joint.kind).settings["rounds"] == 1
    outcome = desk.latest(desk.inputs(small, desk.plan(small)))
    scheme, test = outcome.run.figures["schemes"][0], outcome.inputs.test
    for number in (0, 1):
        assert views.verdict(outcome.run.figures["schemes"][number], len(test)) in said(app.markdown)
    tables = [table.value for table in app.dataframe]
    assert tables[0]["joint"][0].endswith(f"· {scheme['rounds'][-1]['right']}")
    certified = [each["certified"][name] for each in outcome.run.figures["schemes"] for name in SCORES]
    assert list(tables[0]["of"]) == certified
    assert list(tables[1]["posterior"]) == sorted(tables[1]["posterior"], reverse=True)
    assert tables[1]["posterior"].sum() == pytest.approx(1)
    shown(app, joint_view="sentences").selectbox(key="joint_list").set_value("differ").run()
    assert list(app.dataframe[1].value["sentence"]) == views.listed_sentences(outcome, "differ")[1]["sentence"]
    shown(app, joint_view="rounds")
    assert len(app.dataframe[1].value) == outcome.rounds + 1
    moved = views.changes(outcome, 0, 1) | views.changes(outcome, 1, 1)
    index = int(np.searchsorted(test.offsets, np.flatnonzero(moved)[0], side="right")) - 1
    words = np.flatnonzero(moved[slice(*test.offsets[index : index + 2])]).tolist()
    assert [span.start for span in views.sentence_drawings(outcome, index, 1)[0].spans] == words
    for stage in (0, 1, "certified"):
        shown(app, joint_stage=stage)
    pressed(app, "shared_undo")
    assert desk.plan(small).settings.rounds == 2


def test_a_link_opens_sentence_stage_and_list(open_joint, outcome):
    view = {"joint_view": "Sentences", "joint_list": "Changed in the stage shown"}
    app = open_joint(joint_sentence="2", joint_stage="Round 1", **view)
    assert (app.session_state["joint_sentence"], app.session_state["joint_stage"]) == (2, 1)
    assert app.selectbox(key="joint_list").value == "changed"
    wrong = f"{views.WRONG['inner']}, {outcome.inputs.names[0]}"
    app = open_joint(joint_list=wrong, joint_view="Sentences", joint_stage="Alone")
    indices, table = views.listed_sentences(outcome, ("inner", 0), 0)
    assert indices and list(app.dataframe[-1].value["sentence"]) == table["sentence"]
    assert app.selectbox(key="joint_list").value == "inner-1"


def test_texts_that_cannot_teach_are_one_clear_sentence(open_joint, desk, small, banks, workbench, add):
    bare = Treebank.from_sentences([{"forms": s.forms[1:], "upos": s.upos[1:]} for s in banks[0]])
    untagged = Treebank.from_sentences([{"forms": s.forms[1:], "heads": s.heads[1:]} for s in banks[0]])
    bare, untagged = (f"corpus-{add(name, bank).id}" for name, bank in (("bare", bare), ("untagged", untagged)))
    one, other = desk.plan(small).treebanks
    for treebanks, message in (
        ((one, ""), "Choose the second scheme"),
        ((one, one), "is chosen twice"),
        ((one, other, other), "is chosen twice"),
        ((one, other, "corpus-999"), "Choose the third scheme"),
        ((one, bare), "has no trees, so no parser can learn from it"),
        ((one, other, bare), "has no trees, so no parser can learn from it"),
        ((untagged, other), "has no tags, which the parsers need"),
        ((one, other) * 6, "12 treebanks are chosen"),
    ):
        desk.save(small, "choosing", treebanks=treebanks)
        app = open_joint()
        assert message in said(app.error) and app.button(key="shared_undo")
        workbench.store.undo(small.project)
    assert len(desk.runs(small.project)) == 1


def test_other_tags_and_other_words_are_told_and_the_rest_goes_on(open_joint, desk, small, banks, add):
    foreign = Treebank.from_sentences(
        [{"forms": ["".join(s.forms[1:3]), *s.forms[3:]], "upos": [f"t{tag}" for tag in s.upos[2:]],
          "heads": [0, *[1] * (len(s) - 2)]} for s in banks[1]]
    )  # fmt: skip
    one, other = desk.plan(small).treebanks
    third = f"corpus-{add('foreign.conllu', foreign).id}"
    desk.save(small, "choosing", treebanks=(one, other, third))
    assert all(f"words of {name} are two" not in said(open_joint().caption) for name in ("ud", "heads"))
    desk.save(small, "choosing", treebanks=(one, third))
    app = open_joint()
    told = said(app.caption)
    assert "The tag sets differ" in told and "Tokenization differs" in told
    outcome = run(desk, small)
    assert outcome.inputs.gold[1] is None and outcome.inputs.recut == len(outcome.inputs.test)
    assert "rounds" not in outcome.run.figures["schemes"][1]
    app.run()


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
    app = open_joint()
    assert "found no tree for this sentence; the other one continued without it" in said(app.caption)
    app.session_state["joint_sentence"] = 2
    app.run()
    assert "Only 1 trees exist" not in said(app.caption) and "Only 1 tree exists" in said(app.caption)


def test_sentences_of_a_group_are_walked_through_and_a_list_is_kept_as_one(open_joint, workbench, small, outcome):
    found = views.listed_sentences(outcome, "differ")[0]
    numbers = sorted(int(outcome.inputs.test.picks[index]) + 1 for index in found)
    few = numbers[: len(numbers) // 2]
    save_group(workbench, small, "few", by_sentences(few))
    app = open_joint(group="few")
    assert f"Sentence {few[0]:,} " in said(app.caption)
    shown(app, joint_view="sentences").selectbox(key="joint_list").select("differ").run()
    assert sorted(app.dataframe[-1].value["sentence"]) == few
    keep_group(app, "jt_group")
    assert groups(workbench.store, small)[-1].definition == by_sentences(few)


def test_scores_open_the_sentences_that_they_count_as_wrong(outcome):
    for number, scheme in enumerate(filled(outcome.run.figures["schemes"])):
        stages = {"alone": scheme["rounds"][0], "joint": scheme["rounds"][-1], "certified": scheme["certified"]}
        for system, scores in stages.items():
            for measure, (right, whole) in views.MEASURES.items():
                what = views.MISSED[measure], number
                indices, table = views.listed_sentences(outcome, what, views.stage_of(outcome, system))
                found = sum(table["words"]) if measure in ("uas", "da") else len(indices)
                assert found == scores[whole] - scores[right], (measure, system)


def test_one_switch_sets_the_papers_settings(open_joint, desk, small):
    before, app, key = desk.plan(small), open_joint(), f"jt_{small.id}"
    paper = shown(app, **{f"{key}_preset": "paper"})
    plan = desk.plan(small)
    assert (plan.settings.stages, plan.settings.conjoined, plan.settings.learnt_on) == (1, "baseline", "development")
    assert not plan.departures()
    assert plan.settings.epochs == before.settings.epochs and plan.treebanks == before.treebanks
    assert "4 differences from the paper" in [each.label for each in paper.expander]
    shown(app, **{f"{key}_preset": "best"})
    assert not {each.name for each in desk.plan(small).departures()} - {"stages", "conjoined", "learnt_on"}


def test_three_schemes_have_the_figures_of_the_command(
    open_joint, desk, small, banks, add, workbench, tmp_path, capsys
):
    third = f"corpus-{add('left.conllu', attach_left(banks[0])).id}"
    app = open_joint()
    app.multiselect(key=f"jt_{small.id}_further").select(third).run()
    inputs = desk.inputs(small, desk.plan(small))
    assert inputs.names == ("ud.conllu", "heads.conllu", "left.conllu")
    before = open_joint()
    assert "the same in the trees of ud.conllu, heads.conllu and left.conllu" in said(before.markdown)
    assert "in ud.conllu, above, and in heads.conllu and left.conllu, below" in said(before.caption)
    run = waited(pressed(app, "jt_start"), workbench, Joint.kind)
    assert main(command_on(inputs, desk.plan(small), tmp_path)) == 0
    of_command = json.loads(capsys.readouterr().out)["schemes"]
    for scheme, other in zip(filled(run.figures["schemes"]), of_command, strict=True):
        for scores, system in ((scheme["rounds"][0], "baseline"), (scheme["rounds"][-1], "joint")):
            same = scores.keys() - {"by_hand", "against"}
            assert {name: scores[name] for name in same} == {name: other["systems"][system][name] for name in same}
        assert 100 * scheme["rounds"][1]["right"] / scheme["rounds"][1]["words"] == pytest.approx(other["rounds"][1])
    require_three(app, desk, desk.load(run))


def require_three(app, desk, outcome):
    """The page shows a row, a column, a list or a picture for each of three schemes of a run, and no proof."""
    names, (scores, *lists) = outcome.inputs.names, [table.value for table in app.dataframe]
    assert list(dict.fromkeys(scores["scheme"])) == [*names] and "certified" not in scores
    assert "The certified search is for two schemes" in said(app.caption)
    counts = [len(views.list_of(outcome, number, -1).trees[0][0]) for number in (0, 1, 2)]
    assert [len(table["posterior"]) for table in lists] == counts
    drawings = views.sentence_drawings(outcome, 0)
    assert [(drawing.above, drawing.below) for drawing in drawings] == [(names[0], names[1]), (names[0], names[2])]
    assert [each.key for each in app.get("bidi_component")][-2:] == ["jt_tree", "jt_tree_3"]
    assert app.segmented_control(key="joint_stage").options[-1] == "Round 2"
    shown(app, joint_view="sentences").selectbox(key="joint_list").select("differ").run()
    heads = [outcome.heads(number) for number in (0, 1, 2)]
    differ = sum((heads[0] != heads[1]) | (heads[0] != heads[2]))
    assert sum(app.dataframe[1].value["words"]) == differ > sum(heads[0] != heads[1])
    table = shown(app, joint_view="rounds").dataframe[1].value
    assert "same head in all" in table and f"changed, {names[2]}" in table
    offered = [offer.key for offer in offers_of(Systems(desk.workspace), outcome.inputs.corpus, outcome.run)]
    parts = ("", "-alone", "-second", "-second-alone", "-third", "-third-alone")
    assert offered == [f"run-{outcome.run.id}{part}" for part in parts]


def command_on(inputs, plan, folder):
    """The words of the command ``joint`` on the same texts under the same settings."""
    paths = []
    for number, texts in enumerate(zip(inputs.trains, inputs.gold, strict=True)):
        paths.append([str(folder / f"{role}-{number}") for role in ("train", "test")])
        for text, path in zip(texts, paths[-1], strict=True):
            write_conllu(text, path)
    (train_a, test_a), (train_b, test_b), *further = paths
    also = [word for pair in further for word in ("--also", *pair)]
    settings, names = inputs.settings(plan), (*QUICK, "folds", "table_bits", "bits")
    chosen = [word for name in names for word in (f"--{name.replace('_', '-')}", str(getattr(settings, name)))]
    return ["joint", train_a, train_b, test_a, test_b, *also, *chosen, "--no-baselines", "--json"]


def test_a_plan_of_an_earlier_version_opens_its_run(open_joint, desk, small, outcome):
    plan = desk.plan(small).as_dict()
    one, other = plan.pop("treebanks")
    was = desk.workspace.store.document(small.project, desk.document, str(small.id))
    old = Command(desk.document, str(small.id), was, plan | {"one": one, "other": other})
    desk.workspace.store.execute(small.project, old, label="choosing")
    assert desk.plan(small).treebanks == (one, other)
    assert f"{outcome.run.figures['certified_sentences']:,} of" in said(open_joint().caption)
