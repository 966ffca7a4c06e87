"""Training on shards: as on the whole text in memory, and the same to the last bit wherever the shards are."""

import shutil

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.markup.comments import treebank_brackets
from core.parsers import DMV, DMVSettings
from core.parsers.dmv.corpus import DMVPreprocessing, TrainingText
from core.parsers.sharded import Annotation, annotate_shards
from core.shards import LocalEngine, Parts, Shard, Shards, write_shard
from core.shards.shard import Interned
from core.treebank import Treebank, conllu_text
from core.treebank.layouts import SEVERAL_ROOTS_CONLLU
from core.treebank.source import ScannedText
from core.trees.brackets import PackedBrackets, level_number
from tests.shards.crawl import extract, folder, sample_pages

SETTINGS = {
    "em from harmonic": DMVSettings("harmonic", algorithm="em", max_iterations=6),
    "viterbi from uniform, trimmed": DMVSettings("uniform", level="loose", trim=True, max_iterations=6),
    "adhoc, sprawl, in stages": DMVSettings("adhoc", lengths=(10, 20), level="sprawl", max_iterations=4),
    "leapfrog": DMVSettings(schedule="leapfrog", lengths=(20,), level="strict", max_iterations=2),
    "baby steps by tear": DMVSettings(schedule="baby-steps", lengths=(5,), level="tear", max_iterations=2),
    "restarts": DMVSettings(restarts=2, lengths=(12,), max_iterations=3, seed=7),
}


@pytest.fixture(scope="module")
def tagged(tmp_path_factory):
    """The sample's pages as tagged shards."""
    place = tmp_path_factory.mktemp("tagged")
    plain = extract([folder(place / "pages", sample_pages())], place / "plain", part_size=12_000).shards
    found = annotate_shards(plain, place / "tagged", Annotation("tag", "english"))
    assert len(found) > 3
    return found


@pytest.fixture(scope="module")
def whole(tagged):
    """(treebank, brackets) of all of its sentences."""
    treebank = Treebank(ScannedText.scanned(conllu(tagged), SEVERAL_ROOTS_CONLLU))
    return treebank, treebank_brackets(treebank)


def conllu(shards):
    return "".join(conllu_text(piece.treebank()) for piece in shards).encode()


def objectives(model):
    return [state.objective for state in model.history]


def figures(model):
    """What does not change with the order of additions."""
    states = [(state.stage, state.iteration, state.fallbacks) for state in model.history]
    return states, model.column, model.tags, model.skipped, model.fallbacks, model.status


def bits(model):
    return [array.tobytes() for array in model.parameters.arrays], objectives(model), figures(model)


@pytest.mark.parametrize("name", SETTINGS)
def test_shards_train_as_the_whole_text_does_wherever_they_are(request, tagged, whole, name):
    settings = SETTINGS[name]
    model, expected = DMV(settings).fit(tagged, engine=LocalEngine()), DMV(settings).fit(*whole)
    assert figures(model) == figures(expected) and len(model.history) > 1
    np.testing.assert_allclose(objectives(model), objectives(expected), rtol=1e-9)
    for mine, other in zip(model.parameters.arrays, expected.parameters.arrays, strict=True):
        np.testing.assert_allclose(mine, other, atol=1e-9)
    assert bool(model.fallbacks) == (settings.level != "none")
    if name == "leapfrog":  # some brackets hold at no tree of the level asked for: there is something to remember
        assert sum(count for level, count in model.fallbacks.items() if level != "strict") > 0
    elsewhere = request.getfixturevalue("cluster" if name == "leapfrog" else "apart")
    for options in ({"engine": elsewhere}, {"threads": 1}, {"threads": 2}):
        assert bits(DMV(settings).fit(tagged, **options)) == bits(model)


def test_words_without_a_tag_leave_their_sentences_out(tagged, cluster, tmp_path):
    shutil.copytree(tagged.folder, tmp_path, dirs_exist_ok=True)
    shard = Shard(tmp_path / tagged.rows[1]["file"])
    columns = shard.columns()
    ids = columns.others["xpos"].ids.copy()
    ids[: columns.lengths[0] + 1] = len(columns.others["xpos"].values)  # the first sentence, and a word of the second
    columns.others["xpos"] = Interned([*columns.others["xpos"].values, ""], ids)
    write_shard(shard.path, columns, {})
    text = Treebank(ScannedText.scanned(conllu(Shards(tmp_path)), SEVERAL_ROOTS_CONLLU))
    settings = SETTINGS["em from harmonic"]
    expected = DMV(settings, tags="xpos").fit(text)
    for engine in (LocalEngine(), cluster):
        model = DMV(settings, tags="xpos").fit(Shards(tmp_path), engine=engine)
        assert model.skipped == expected.skipped == 2 and model.tags == expected.tags
        np.testing.assert_allclose(objectives(model), objectives(expected), rtol=1e-9)


def test_a_text_in_shards_counts_as_the_whole_text_does(tagged, whole):
    treebank, brackets = whole
    tags = tuple(sorted(set(treebank.xpos.values) - {""}))
    parts = Parts.of(treebank, brackets=PackedBrackets.from_lists(brackets)), Parts.of(tagged)
    for level, trim, longest in (
        ("none", False, None),
        ("loose", True, None),
        ("strict", False, 9),
        ("tear", True, 15),
    ):
        preprocessing = DMVPreprocessing("xpos", tags, level_number(level), trim)
        expected, found = (TrainingText(each, preprocessing).shortened(longest) for each in parts)
        assert found.lengths == expected.lengths and found.sentence_count > 20
        assert found.token_count == expected.token_count
        assert found.fallbacks() == expected.fallbacks()
        assert found.unmarked().lengths == expected.unmarked().lengths and found.unmarked().fallbacks() == {}
        for mine, other in zip(found.harmonic(len(tags)).arrays, expected.harmonic(len(tags)).arrays, strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-12)


def test_bits_per_token_of_shards_are_those_of_the_text(tagged, whole, cluster):
    model = DMV(SETTINGS["em from harmonic"]).fit(tagged)
    assert model.cross_entropy(tagged) == pytest.approx(model.cross_entropy(whole[0]), rel=1e-12)
    assert model.cross_entropy(tagged) == model.cross_entropy(tagged, engine=cluster)


def test_training_can_be_cancelled_between_iterations(tagged):
    model = DMV(SETTINGS["em from harmonic"])
    model.fit(tagged, cancel=lambda: len(model.history) >= 0 and model.parameters is not None)
    assert model.status == "cancelled" and len(model.history) == 1


def test_what_cannot_be_trained_on_is_one_sentence(tagged):
    plain = Shards(tagged.folder.parent / "plain")
    with pytest.raises(WorkbenchError, match=r"plain: no word has a tag; tag the shards first"):
        DMV().fit(plain)
    with pytest.raises(WorkbenchError, match=r"plain: no word has a tag in upos; tag the shards first"):
        DMV(tags="upos").fit(plain)
    with pytest.raises(WorkbenchError, match="no sentence is left to train on; allow longer ones, or do not trim"):
        DMV(DMVSettings(lengths=(1,), trim=True)).fit(tagged)


def test_a_damaged_shard_is_one_sentence(tagged, cluster, tmp_path):
    shutil.copytree(tagged.folder, tmp_path, dirs_exist_ok=True)
    bad = tmp_path / tagged.rows[1]["file"]
    bad.write_bytes(bad.read_bytes()[:-100])
    for engine in (LocalEngine(), cluster):
        with pytest.raises(WorkbenchError, match=rf"{bad.name}: this is no shard, or a damaged one"):
            DMV().fit(Shards(tmp_path), engine=engine)
