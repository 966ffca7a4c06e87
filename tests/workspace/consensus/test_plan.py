"""What the Consensus page runs is what the command runs."""

import pytest

from core.__main__ import command_parser
from core.commandline.options import settings_of
from core.consistency import ConsistencySettings
from core.workspace.consensus.plan import ConsensusPlan


@pytest.mark.parametrize("close_tags", ["", "NN NNS"])
def test_the_plan_and_the_command_have_the_same_settings(close_tags):
    options = command_parser().parse_args(["consistency", "parse", "a.conllu", "b.conllu"])
    settings = ConsensusPlan(close_tags=close_tags).checked()
    assert settings == settings_of(options, ConsistencySettings()) == ConsistencySettings()
    assert settings.presolve is True  # sentences that no consensus changes are found before the search


def test_plans_that_call_groups_of_tags_otherwise_open():
    stored = ConsensusPlan().as_dict()
    del stored["close_tags"]
    assert ConsensusPlan.from_dict(stored | {"close": "NN NNS"}) == ConsensusPlan(close_tags="NN NNS")
