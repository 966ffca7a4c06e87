"""Which sentences a number speaks of, in words."""

from core.treebank import Treebank
from core.workspace.scope import scope
from core.workspace.wording import amount


def treebank(*lengths):
    return Treebank.from_sentences([{"forms": ["w"] * n, "upos": ["X"] * n} for n in lengths])


def test_a_part_says_of_how_many_which_and_what_all_of_them_cost():
    whole = treebank(1, 2, 9)
    found = scope(whole, whole.max_length(2), 2)
    assert found.words == "2 of 3 sentences (at most 2 words)" and not found.is_all
    assert found.cost == (4 + 9 + 100) / 13
    assert "all 3 sentences" in found.cost_of_all and "about 9 times as long" in found.cost_of_all
    assert scope(whole, whole.max_length(1), 1).words == "1 of 3 sentences (at most 1 word)"


def test_the_whole_says_how_much_it_is():
    whole = treebank(1)
    assert scope(whole, whole, 20).words == "1 sentence" and scope(whole, whole, 20).is_all


def test_nouns_follow_their_number():
    assert [amount(number, "line") for number in (0, 1, 1684)] == ["0 lines", "1 line", "1,684 lines"]
    assert amount(2, "die", "dice") == "2 dice"
