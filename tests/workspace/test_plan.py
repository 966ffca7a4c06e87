"""Plans: what they keep is what was always kept, byte for byte, and nothing in them is said twice."""

import json
import lzma
from pathlib import Path

import pytest

from core.consistency import ConsistencySettings
from core.errors import WorkbenchError
from core.settings import choices, descriptions
from core.store.schema import canonical_json
from core.workspace.adaptation.plan import AdaptationPlan
from core.workspace.consensus.plan import ConsensusPlan
from core.workspace.constraints.plan import AdvicePlan, GrammarPlan, TrainingSettings
from core.workspace.induction.plan import InductionPlan
from core.workspace.joint.plan import JointPlan
from core.workspace.registry import SYSTEMS
from tests.filled import filled

STORES = Path(__file__).parents[1] / "store" / "stores"
KEPT = (  # what plans that nobody changed were kept as when they named each setting themselves
    (InductionPlan(), '{"adapt_to":0,"algorithm":"viterbi","init":"adhoc","init_from":0,"level":"loose",'
     '"max_iterations":40,"punctuation":false,"restarts":1,"schedule":"plain","seed":0,"smoothing":1.0,'
     '"stages":"15, 45","tags":"","trim":false}'),
    (ConsensusPlan(first=1), '{"branches":1000,"close_tags":"","decay":"decision","delta1":0.1,"delta2":0.07,'
     '"delta3":0.06,"epochs":5,"first":1,"iterations":200,"last":false,"lazy":true,"minimum_count":1,"order":2,'
     '"parser":null,"patience":20,"prefer_inside":true,"presolve":true,"prune":0.3,"release":true,"start":0.3,'
     '"step":0.02,"tags":null,"threshold":1.0,"trees":null,"unit":"margin","width":4}'),
    (JointPlan(), '{"candidates":16,"conjoined":"ours","epochs":5,"learnt_on":"training","order":2,"own":1,"rounds":4,'
     '"stages":2,"treebanks":["",""]}'),
    (AdaptationPlan(), '{"between":0,"decide":"tags","dimensions":0,"directed":false,"distance":false,"edges":200000,'
     '"epochs":4,"few":10,"frequent":0,"language":"en","lowercase":false,"minimum_count":1,"pivots":"","rounds":1,'
     '"scale":0.3,"seed":0,"standardize":true,"tags":false,"target":0,"unlabelled":0}'),
    (TrainingSettings("upos"), '{"brackets":"none","brackets_weight":1.0,"complete_weight":1.0,"corrections":false,'
     '"covariance":"exact","decoding":"projective","features":"full","marked":[],"max_length":null,"minimum_count":2,'
     '"partial_weight":1.0,"projective":false,"score":"squared","strength":10.0,"tags":"upos","trees":null,'
     '"variance":10.0,"warm":true}'),
    (TrainingSettings("upos").with_preset("paper"), '{"brackets":"none","brackets_weight":1.0,"complete_weight":1.0,'
     '"corrections":false,"covariance":"exact","decoding":"best","features":"full","marked":[],"max_length":null,'
     '"minimum_count":1,"partial_weight":1.0,"projective":false,"score":"squared","strength":1.0,"tags":"upos",'
     '"trees":null,"variance":10.0,"warm":true}'),
    (GrammarPlan("upos"), '{"bound":6.0,"brackets":"none","corrections":false,"keep_all":false,"kin":[],'
     '"marked":[],"max_length":45,"price":1.0,"prior":"none","rules":"","second_order":false,"stacked":true,"tags":"upos",'
     '"together":false,"trust":0.2,"warm":true,"word_order":"","words":"auto"}'),
    (AdvicePlan(), '{"line":5.0,"minutes":1.5,"sentences":20,"text":10.0,"texts":[],"treebank":15.0}'),
)  # fmt: skip


def stored_plans():
    """(plan class, stored JSON text) of all plans and runs of the recorded stores."""
    of_documents = {system.document: system.plan_class for system in SYSTEMS}
    of_runs = {system.kind: system.plan_class for system in SYSTEMS}
    for path in STORES.glob("*.json.xz"):
        rows = json.loads(lzma.decompress(path.read_bytes()))["rows"]
        for table, column, classes in (("documents", "value", of_documents), ("runs", "settings", of_runs)):
            yield from ((classes[row["kind"]], row[column]) for row in rows[table] if row["kind"] in classes)


@pytest.mark.parametrize(("plan", "text"), KEPT, ids=[type(plan).__name__ for plan, _ in KEPT])
def test_a_plan_is_kept_as_it_always_was(plan, text):
    assert canonical_json(plan.as_dict()) == text
    assert type(plan).from_dict(json.loads(text)) == plan and hash(type(plan).from_dict(json.loads(text))) == hash(plan)


def test_stored_plans_and_settings_of_runs_are_read_and_written_alike():
    seen = set()
    for plan_class, text in filled(stored_plans()):
        values = json.loads(text)
        kept = plan_class.from_dict(values).as_dict()
        own = {name: value for name, value in values.items() if name not in plan_class.extra_fields}
        now = json.loads(canonical_json(plan_class.renewed(own)))
        assert {name: kept[name] for name in now} == now, plan_class
        assert plan_class.from_dict(kept) == plan_class.from_dict(values)
        seen.add(plan_class)
    assert seen >= {InductionPlan, ConsensusPlan, JointPlan, AdaptationPlan, TrainingSettings, GrammarPlan}


def test_plans_of_earlier_versions_are_read():
    pair, settings = {"one": "corpus-3", "other": "function-heads"}, {"own": 0, "rounds": 2}
    plan = JointPlan.of(treebanks=("corpus-3", "function-heads"), **settings)
    assert JointPlan.from_dict(pair | settings) == JointPlan.from_dict(plan.as_dict()) == plan
    assert JointPlan.from_dict({"other": "corpus-3"}).treebanks == ("", "corpus-3")
    assert JointPlan.from_dict({"treebanks": []}).treebanks == ("", "")
    with pytest.raises(WorkbenchError, match="their treebanks cannot be what is there"):
        JointPlan.from_dict({"one": 3, "other": "corpus-3"})
    assert ConsensusPlan.from_dict({"close": "NOUN PROPN"}) == ConsensusPlan(close_tags="NOUN PROPN")


@pytest.mark.parametrize("plan", [plan for plan, _ in KEPT], ids=lambda plan: type(plan).__name__)
def test_each_value_is_changed_by_its_name_and_by_no_other(plan):
    for name, value in plan.values().items():
        changed = plan.with_values(**{name: value})
        assert changed == plan and changed.values()[name] == value
    if (settings := getattr(plan, "settings", None)) is not None:
        for name in filled(choices(type(settings))):
            assert not hasattr(plan, name), "would mean two things"
    with pytest.raises(TypeError):
        plan.with_values(of_a_later_version=3)


def test_values_that_do_not_go_together_are_kept_and_refused_where_they_are_used():
    plan = ConsensusPlan.of(delta1=0.01)
    assert ConsensusPlan.from_dict(plan.as_dict()) == plan
    with pytest.raises(WorkbenchError, match="delta1 >= delta2 >= delta3"):
        plan.checked()
    assert plan.with_values(delta1=0.1).checked() == ConsistencySettings()


def test_a_setting_of_the_algorithm_that_no_page_offers_is_none_of_a_plan():
    with pytest.raises(WorkbenchError, match="no setting observed"):
        ConsensusPlan.from_dict({"observed": "all"})
    with pytest.raises(WorkbenchError, match="no setting settings"):
        ConsensusPlan.from_dict({"settings": {}})
    with pytest.raises(WorkbenchError, match="their width cannot be what is there"):
        ConsensusPlan.from_dict({"width": "wide"})


@pytest.mark.parametrize("plan", [plan for plan, _ in KEPT], ids=lambda plan: type(plan).__name__)
def test_what_a_page_offers_of_an_algorithm_has_a_description_and_lies_in_its_range(plan):
    settings = plan.settings
    for name, field in filled(choices(type(settings)).items()):
        assert descriptions(type(settings))[name] and field.metadata["label"]
        if (within := field.metadata.get("within")) is not None:
            assert within[0] <= getattr(settings, name) <= within[1], name
            assert {type(bound) for bound in within} == {type(getattr(settings, name))}, name
