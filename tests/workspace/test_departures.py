"""What differs from the papers: each setting beside what the paper's text says of it, and nothing in silence."""

from dataclasses import fields, replace

import pytest

from core.adaptation.settings import CorrespondenceSettings
from core.consistency import ConsistencySettings
from core.constraints import GESettings
from core.errors import WorkbenchError
from core.experiments.druck2009.figures import short_settings
from core.experiments.shimizu2007.figures import correspondence
from core.joint import JointSettings
from core.parsers.dmv.training import DMVSettings
from core.settings import Departure, departures, of_paper, option, paper_values, value_text
from core.workspace.adaptation.plan import AdaptationPlan
from core.workspace.consensus.plan import ConsensusPlan
from core.workspace.consensus.tags_plan import TagsPlan
from core.workspace.constraints.plan import TrainingSettings
from core.workspace.induction.plan import InductionPlan
from core.workspace.joint.plan import JointPlan
from core.workspace.registry import SYSTEMS
from tests.filled import filled

# What each paper states of a setting, and where, read off its text; under it what differs when nobody has chosen.
PAPERS = {
    ConsistencySettings: {
        "threshold": 1.0,  # rush2012, section 7: predict the head POS with probability 1
        "minimum_count": 1,  # 7: no count is asked for
        "width": 4,  # 7: s - r < 4
        "prefer_inside": True,  # 7: we favour the contexts where the head is inside
        "unit": "score",  # 4: theta is added to the scores
        "iterations": 200,  # 8: K = 200
        "lazy": True,  # 9: lazy decoding
        "release": False,  # 6 and Figure 2: return the values from the last iteration
        "decay": "all",  # 8: following Koo et al. (2010), one rate for the whole
        "patience": 0,  # Figure 2: for k = 1 to K
        "start": 0.0,  # Figure 2: u = 0
        "presolve": False,  # Figure 2
        "branches": 0,  # Figure 2
        "last": True,  # Figure 2: return (Y(K), z(K))
    },
    CorrespondenceSettings: {
        "between": 0,  # shimizu2007, section 3: three classifiers, prep, det and hv
        "frequent": 0,
        "tags": False,  # Table 2: words alone
        "distance": False,
        "lowercase": False,
        "standardize": False,  # 3: U^T f as it is
        "scale": 1.0,
        "directed": False,
    },
    JointSettings: {
        "candidates": 16,  # zhou2013, section 3
        "rounds": 4,
        "stages": 1,  # 2: one joint parser for each baseline parser
        "conjoined": "baseline",  # 2.3: we extend the baseline features by conjoining with the consensus-based ones
        "learnt_on": "development",  # Parameter Estimation: to maximize performance on the development set
        "learner": "perceptron",  # Parameter Estimation
    },
    GESettings: {
        "projective": False,  # druck2009, section 3.2
        "covariance": "exact",  # 3.3: we use the O(n^5) exact method
        "decoding": "best",  # 3.2
        "minimum_count": 1,  # 5: all features; footnote 10 of section 6 drops those below 10
        "variance": 10.0,  # footnote 3
        "strength": 1.0,  # 3: the sum of GE terms and prior
        "score": "squared",  # equation 1
    },
    DMVSettings: {  # spitkovsky2010, Table 8: BLOGt-best
        "init": "adhoc",
        "lengths": (15, 45),
        "level": "loose",
        "trim": True,
        "adapt": True,
        "algorithm": "viterbi",
        "schedule": "plain",
        "smoothing": 1.0,
    },
}
OF_PLANS = {
    ConsensusPlan: {"order": 2},
    TagsPlan: {},
    AdaptationPlan: {"decide": "words", "epochs": 4},
    InductionPlan: {"stages": "15, 45", "punctuation": False},
    TrainingSettings: {"brackets": "none"},
    JointPlan: {},
}
DIFFER = (
    (ConsensusPlan(), ["unit", "release", "decay", "patience", "start", "presolve", "branches", "last"]),
    (TagsPlan(), ["unit", "iterations", "release", "decay", "start", "presolve", "branches", "last"]),
    (AdaptationPlan(), ["decide", "standardize", "scale"]),
    (JointPlan(), ["stages", "conjoined", "learnt_on"]),
    (TrainingSettings("upos"), ["decoding", "minimum_count", "strength"]),
    (InductionPlan(), ["trim", "init_from", "adapt_to"]),
)  # fmt: skip


@pytest.mark.parametrize("kind", PAPERS, ids=lambda kind: kind.__name__)
def test_the_papers_values_are_those_of_its_text(kind):
    assert paper_values(kind) == PAPERS[kind]
    assert departures(of_paper(kind())) == []


@pytest.mark.parametrize(("plan", "names"), DIFFER, ids=lambda each: type(each).__name__)
def test_what_differs_by_default_is_listed_with_a_reason(plan, names):
    listed = plan.departures()
    assert [each.name for each in listed] == names
    assert all(each.why and each.why[0].islower() and not each.why.endswith(".") for each in filled(listed))
    assert {type(plan).paper()[name] for name in OF_PLANS[type(plan)]} == set(OF_PLANS[type(plan)].values())


@pytest.mark.parametrize("kind", PAPERS, ids=lambda kind: kind.__name__)
def test_a_default_that_moves_from_the_paper_is_noticed(kind):
    """Only fields that differ somewhere say why, so one that begins to differ has no reason to give."""
    differing = {name for plan, names in DIFFER for name in names} | {"level", "adapt"}
    reasons = {item.name for item in fields(kind) if item.metadata.get("why")}
    assert reasons and reasons <= differing
    assert {each.name for each in departures(kind())} <= reasons


@pytest.mark.parametrize("plan", [plan for plan, _ in DIFFER], ids=lambda plan: type(plan).__name__)
def test_a_preset_sets_all_that_the_paper_states_and_nothing_else(plan):
    paper = plan.under("paper", plan)
    assert [each.name for each in paper.departures()] == ["init_from", "adapt_to"] * isinstance(plan, InductionPlan)
    stated = type(plan).paper()
    changed = {name for name, value in paper.values().items() if value != plan.values()[name]}
    assert changed <= stated.keys() and paper.under("best", plan) == plan


def test_every_system_with_a_paper_of_its_own_says_what_differs_beside_its_settings():
    with_paper = {system for system in SYSTEMS if system.plan_class.paper()}
    assert {system.plan_class for system in filled(with_paper)} == set(OF_PLANS)
    assert all(system.beside_settings for system in with_paper)


def test_a_departure_is_read_as_a_sentence_would_have_it():
    assert Departure("first_step", "First step", 0.25, 2, "").text == "first step 0.25 (paper: 2)"
    assert [value_text(value) for value in (True, False, None, "a")] == ["on", "off", "None", "a"]


def test_settings_of_a_paper_are_checked_like_others():
    assert replace(of_paper(ConsistencySettings()), delta1=1.0).start == 0.0
    with pytest.raises(WorkbenchError, match="patience must be 0"):
        replace(ConsistencySettings(), patience=-1)
    assert option(1, "of it", paper=2).metadata["paper"] == 2


def test_what_reproduces_a_table_takes_the_same_presets():
    assert correspondence("paper").settings == of_paper(CorrespondenceSettings())
    assert correspondence("best").settings == CorrespondenceSettings()
    assert short_settings()["paper"] == of_paper(GESettings())
