"""What a page runs is what the command runs under the same choices, system by system."""

from types import SimpleNamespace

import pytest

from core.__main__ import command_parser
from core.commandline import dmv, ge, grammar, scl
from core.commandline.options import settings_of
from core.consistency import ConsistencySettings
from core.consistency.tagging import TAGGING
from core.joint import JointSettings
from core.treebank import load_sample
from core.workspace.adaptation.plan import AdaptationPlan
from core.workspace.consensus.plan import ConsensusPlan
from core.workspace.consensus.tags_plan import TagsPlan
from core.workspace.constraints.plan import default_plan, default_settings
from core.workspace.induction.plan import InductionPlan
from core.workspace.joint.plan import JointInputs, JointPlan
from core.workspace.registry import SYSTEMS


@pytest.fixture(scope="module")
def sample():
    return load_sample()


def of_ge(sample):
    return default_settings(sample).ge_settings(), lambda options: settings_of(options, ge.PRESETS[options.preset])


def of_ge_without_trees(sample):
    bare = sample.with_heads(sample.heads * 0 - 1)
    return default_settings(bare).ge_settings(), lambda options: settings_of(options, ge.PRESETS[options.preset])


def of_grammar(sample):
    return default_plan(sample).grammar_settings(), grammar.training_settings


def of_induction(_sample):
    return InductionPlan().dmv_settings(), dmv.training_settings


def of_consensus(_sample):
    return ConsensusPlan().checked(), lambda options: settings_of(options, ConsistencySettings())


def of_tags(_sample):
    return TagsPlan().checked(), lambda options: settings_of(options, TAGGING)


def of_joint(sample):
    inputs = SimpleNamespace(trains=(sample, sample), tags="upos")
    return JointInputs.settings(inputs, JointPlan()), lambda options: settings_of(options, JointSettings())


def of_adaptation(sample):
    def chosen(correspondence):
        return correspondence.settings, correspondence.pivots

    return chosen(AdaptationPlan().correspondence()), lambda options: chosen(scl.correspondence(options, sample))


CHOICES = {  # what the page chooses where the command's default is another
    of_ge: ("ge", "ge train F --constraints C --tags upos"),
    of_ge_without_trees: ("ge", "ge train F --constraints C --tags upos --preset text"),
    of_grammar: ("grammar", "grammar train F --constraints C --tags upos --trees T --stacked"),
    of_induction: ("induction", "dmv train F --level loose --iterations 40"),
    of_consensus: ("consensus", "consistency parse A B"),
    of_tags: ("consensus-tags", "consistency tag A B"),
    of_joint: ("joint", "joint A B C D --tags upos --epochs 5 --folds 3 --table-bits 18 --bits 16"),
    of_adaptation: ("scl", "scl A B C"),
}


@pytest.mark.parametrize("of_system", CHOICES, ids=lambda each: each.__name__)
def test_the_same_choices_are_the_same_settings(sample, of_system):
    page, of_command = of_system(sample)
    assert of_command(command_parser().parse_args(CHOICES[of_system][1].split())) == page


def test_every_system_is_compared():
    assert {name for name, _ in CHOICES.values()} == {system.kind for system in SYSTEMS} - {"advised"}
