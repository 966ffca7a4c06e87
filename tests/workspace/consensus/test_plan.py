"""What the Consensus page runs is what the command runs."""

from dataclasses import asdict, dataclass

import pytest

from core.__main__ import command_parser
from core.commandline.options import settings_of
from core.consistency import ConsistencySettings
from core.settings import settings_from
from core.workspace.consensus.plan import ConsensusPlan


@pytest.mark.parametrize("close_tags", ["", "NN NNS"])
def test_the_plan_and_the_command_have_the_same_settings(close_tags):
    options = command_parser().parse_args(["consistency", "parse", "a.conllu", "b.conllu"])
    settings = ConsensusPlan(close_tags=close_tags).settings()
    assert settings == settings_of(options, ConsistencySettings()) == ConsistencySettings()
    assert settings.close is True  # sentences that no consensus changes are found before the search


def test_plans_that_call_groups_of_tags_otherwise_open():
    stored = asdict(ConsensusPlan())
    del stored["close_tags"]
    assert ConsensusPlan.from_dict(stored | {"close": "NN NNS"}) == ConsensusPlan(close_tags="NN NNS")


def test_a_name_of_two_types_is_not_taken_over():
    @dataclass(frozen=True)
    class Chosen:
        close: str = ""

    with pytest.raises(TypeError, match="close of Chosen and of ConsistencySettings"):
        settings_from(ConsistencySettings, Chosen())
    assert settings_from(ConsistencySettings, Chosen(), close=False).close is False
