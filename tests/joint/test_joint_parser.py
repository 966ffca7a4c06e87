"""Joint parsers from training to scores, on a few sentences of the sample in its two schemes."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.__main__ import main
from core.errors import Cancelled, WorkbenchError
from core.joint import KINDS, JointParser, JointSettings
from core.joint.comparison import ComparisonSettings, compare_systems
from core.joint.measures import effect, joint_scores, segmentation
from core.joint.tags import UniversalTags, foreign_tags, same_tag_set, shared_tags
from core.joint.training import HeldOut, candidates, consensus, fit_baseline, fit_consensus, largest_fold
from core.parsers.mst.model import NO_TREE
from core.parsers.mst.training import TreeTrainer
from core.treebank import Treebank, load_sample, read_conllu, write_conllu
from tests.filled import filled

SMALL = {"epochs": 2, "candidates": 4, "rounds": 2, "folds": 2, "table_bits": 14, "bits": 12}


@pytest.fixture(scope="module")
def banks():
    """Both schemes: (training text, the first from other sentences than the second; one text to parse)."""
    one, other = (load_sample(part) for part in ("sample", "function-heads"))
    short = np.flatnonzero(one.lengths <= 12)
    return [one.select(short[:20]), other.select(short[20:40])], [one.select(short[40:48]), other.select(short[40:48])]


@pytest.fixture(scope="module")
def parser(banks):
    return JointParser(JointSettings(**SMALL)).fit(banks[0])


def test_all_rounds_are_kept_and_come_out_the_same(banks, parser):
    trains, tests = banks
    parses = parser.parse(tests[0])
    assert len(parses) == 2 and len(parses.seconds) == 3 and not len(parses.failed[0])
    again = JointParser(JointSettings(**SMALL)).fit(trains)
    assert [each.joint_temperatures for each in again.schemes] == [each.joint_temperatures for each in parser.schemes]
    other = again.parse(tests[0])
    for number in (0, 1):
        for round_ in range(3):
            np.testing.assert_array_equal(parses.heads(number, round_), other.heads(number, round_))
    baseline = parser.schemes[0].baseline
    np.testing.assert_array_equal(parses.heads(0, 0), baseline.kbest(tests[0], 1).heads)
    assert parses.changed(0, 1).sum() == (parses.heads(0, 1) != parses.heads(0, 0)).sum()
    tree = parses.treebank(1)
    assert set(tree[0].deprels[1:]) <= set(parser.schemes[1].baseline.model.relations)
    assert 0 < parses.agreement().sum() < len(tests[0].heads)
    none = parser.parse(tests[0], rounds=0)
    np.testing.assert_array_equal(none.heads(1), parses.heads(1, 0))


def test_with_what_the_other_knows_a_parser_learns_what_its_words_cannot_tell():
    """In the second scheme arcs are those of the first the other way round, at random as far as tags can tell."""
    random = np.random.default_rng(0)
    plain = {"forms": ["x", "y"], "upos": ["X", "X"]}
    marked = {"forms": ["x", "z"], "upos": ["X", "X"]}
    first = [{**plain, "heads": [0, 1]}, {**marked, "heads": [2, 0]}]
    second = [{"forms": [f"w{random.integers(1 << 30)}", form], "upos": ["X", "X"], "heads": heads}
              for form, heads in (("y", [2, 0]), ("z", [0, 1]))]  # fmt: skip
    trains = [Treebank.from_sentences(first * 6), Treebank.from_sentences(second * 6)]
    settings = JointSettings(**{**SMALL, "epochs": 5}, labels=False, kinds=KINDS)
    parses = JointParser(settings).fit(trains, trains).parse(trains[1])
    np.testing.assert_array_equal(parses.heads(1), trains[1].heads)


def test_three_parsers_and_first_order(banks):
    trains, tests = banks
    settings = JointSettings(**SMALL, order=1, learner="mira", stages=1)
    assert settings.kinds == ("edge", "root")
    parser = JointParser(settings).fit([*trains, tests[0]], [tests[0], tests[1], tests[0]], names="abc")
    parses = parser.parse(tests[0], rounds=1)
    assert [len(each) for each in parses.lists] == [3, 3]
    with pytest.raises(WorkbenchError, match="joins two parsers, got 3"):
        parser.parse_certified(tests[0], 1.0)


def test_training_sentences_are_parsed_by_parsers_that_never_saw_them(banks):
    text = banks[0][0]
    settings, asked = JointSettings(**SMALL), []

    def fit(indices):
        asked.append(set(indices.tolist()))
        return fit_baseline(text.select(indices), settings)

    parser = fit_baseline(text, settings)
    held = HeldOut(parser, text, settings, fit)
    lists = held.candidates(text)
    assert len(asked) == 2 and not asked[0] & asked[1] and asked[0] | asked[1] == set(range(len(text)))
    for fold, indices in enumerate(asked):
        inside = np.array(sorted(set(range(len(text))) - indices))
        alone = held.folds[fold].kbest(text.select(inside), settings.candidates)
        np.testing.assert_allclose(lists.trees.values[inside], alone.values)
    asked.clear()
    fresh = HeldOut(parser, text, settings, fit)
    fresh.candidates(banks[0][1])
    assert not asked  # no common sentence


def test_a_sentence_without_candidates_is_reported_and_the_rest_goes_on(banks, parser, monkeypatch):
    text, whole = banks[1][0], parser.parse(banks[1][0])
    baseline, kbest = parser.schemes[1].baseline, parser.schemes[1].baseline.kbest

    def failing(*arguments, **options):
        trees = kbest(*arguments, **options)
        trees.counts[2], trees.values[2] = 0, -np.inf
        return trees

    monkeypatch.setattr(baseline, "kbest", failing)
    parses = parser.parse(text)
    assert parses.lists[0][1].failed.tolist() == [2]
    rows = slice(*text.offsets[2:4])
    assert (parses.heads(1, 0)[rows] == -1).all() and (parses.heads(0, 1)[rows][1:] >= 0).all()
    others = np.delete(np.arange(len(text.heads)), np.arange(rows.start, rows.stop))
    np.testing.assert_array_equal(parses.heads(0)[others], whole.heads(0)[others])


def test_systems_are_compared(banks, parser):
    trains, tests = banks
    found = compare_systems(parser, trains, tests, settings=ComparisonSettings(certified=True, reward=0.0))
    for number, scheme in enumerate(filled(found.schemes)):
        systems = scheme["systems"]
        assert list(systems) == ["baseline", "concatenation", "stacking", "joint", "certified"]
        assert systems["certified"]["certified"] == 100 and systems["joint"]["uas"] == systems["joint"]["uas_40"]
        assert len(scheme["rounds"]) == 3 and scheme["rounds"][-1] == pytest.approx(systems["joint"]["uas"])
        assert found.parses[number].text is tests[number]
    assert parser.best_reward(tests, (0.0, 0.001), most=3) in (0.0, 0.001)
    assert parser.best_reward(None, (0.001, 0.0), most=3, after=True) in (0.0, 0.001)


def test_where_nothing_is_rewarded_the_certified_search_is_one_more_parse(banks, parser):
    text = banks[1][0]
    parses, further = parser.parse(text), parser.parse(text, rounds=3)
    alone, after = parser.parse_certified(text, 0.0), parser.parse_certified(text, 0.0, after=parses)
    for number in (0, 1):
        np.testing.assert_array_equal(alone.heads[number], parses.heads(number, 0))
        np.testing.assert_array_equal(after.heads[number], further.heads(number, 3))
    assert after.certified.all() and after.primal == pytest.approx(after.dual)
    shared = parser.parse_certified(text, 50.0, after=parses)  # so much that all is shared
    np.testing.assert_array_equal(shared.heads[0][shared.certified.repeat(text.lengths + 1)],
                                  shared.heads[1][shared.certified.repeat(text.lengths + 1)])  # fmt: skip


def test_scores_by_hand():
    gold = Treebank.from_sentences(
        [
            {"forms": ["a", "b", "."], "upos": ["X", "X", "PUNCT"], "heads": [2, 0, 2]},
            {"forms": ["c", "d"], "upos": ["X", "X"], "heads": [0, 1]},
        ]
    )
    heads = np.array([-1, 2, 0, 1, -1, 2, 0])
    scores = joint_scores(gold, heads)
    assert (scores.uas, scores.da, scores.ra, scores.cm) == (50, 50, 50, 50) and scores.words == 4
    assert joint_scores(gold, heads, punctuation=True).uas == 40
    assert joint_scores(gold, heads, longest=2).uas == 0 and joint_scores(gold, heads, longest=1).uas is None
    found = effect(gold, heads, gold.heads)
    assert found.helped.tolist() == [1] and not len(found.hurt) and (found.words_helped, found.words_hurt) == (2, 0)
    assert found.p_value == 0.5
    with pytest.raises(WorkbenchError, match="the trees have 2 rows and the gold text 7"):
        joint_scores(gold, heads[:2])


def test_segmentation_is_told():
    one = Treebank.from_sentences([{"forms": ["ab", "c"]}, {"forms": ["c"]}, {"forms": ["q", "ac"]}])
    other = Treebank.from_sentences([{"forms": ["a", "b", "c"]}, {"forms": ["c"]}])
    found = segmentation(one, other)
    assert (found["same_sentences"], found["recut"]) == (1, 1) and found["recut_examples"] == [("ab c", "a b c")]
    assert found["unknown_words"] == pytest.approx(60) and found["cut_words"] == pytest.approx(40)


def test_one_tag_set_for_all(banks):
    one = banks[0][0]
    other = Treebank.from_sentences(
        [{"forms": s.forms[1:], "upos": [f"t{tag}" for tag in s.upos[1:]], "heads": s.heads[1:]} for s in banks[0][1]]
    )
    assert same_tag_set(banks[0]) and not same_tag_set([one, other], "upos")
    share, foreign = foreign_tags(one, other, "upos")
    assert share == 1.0 and "tNOUN" in foreign
    few = Treebank.from_sentences([{"forms": ["x"], "upos": ["VERB"], "heads": [0]}])
    assert shared_tags(banks[0]) == "both" and shared_tags(banks[0], [few]) == "upos"
    assert shared_tags(banks[0], [few], "xpos") is None and shared_tags([one, other]) is None
    layer = UniversalTags(one, "upos")
    texts = [layer(one), layer(other)]
    assert same_tag_set(texts, "upos")
    np.testing.assert_array_equal(texts[1].heads, other.heads)
    tagger = layer.folds[layer.keys[0] % 5]
    assert tagger.tag(one, column="upos")[0].upos == texts[0][0].upos and tagger is not layer.tagger


@pytest.fixture(scope="module")
def files(banks, tmp_path_factory):
    folder = tmp_path_factory.mktemp("joint")
    texts = dict(zip(("train-a", "train-b", "test-a", "test-b"), (*banks[0], *banks[1]), strict=True))
    for name, text in texts.items():
        write_conllu(text, folder / f"{name}.conllu")
    untagged = Treebank.from_sentences([{"forms": s.forms[1:], "heads": s.heads[1:]} for s in banks[0][1]])
    write_conllu(untagged, folder / "untagged.conllu")
    return folder


def test_the_command_tells_all(files, capsys):
    names = [str(files / f"{name}.conllu") for name in ("train-a", "train-b", "test-a", "test-b")]
    out = [str(files / "a.conllu"), str(files / "b.conllu")]
    arguments = ["joint", *names, "--epochs", "1", "--rounds", "1", "--candidates", "3", "--stages", "1"]
    assert main([*arguments, "--no-baselines", "--json", "--out", *out]) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data["systems"]) == ["baseline", "joint"] and data["uas"] == data["systems"]["joint"]["uas"]
    assert data["scored_on"] == names[2:] and not data["tags"]["universal"] and len(data["schemes"]) == 2
    assert {"helped", "hurt", "p_value"} <= set(data["systems"]["joint"]["against_baseline"])
    assert len(read_conllu(out[1])) == 8
    names[1] = str(files / "untagged.conllu")
    assert main(["joint", *names, *arguments[5:], "--no-baselines"]) == 0
    printed = capsys.readouterr()
    assert "tags: all texts tagged like" in printed.out and "the tag sets differ" in printed.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--consensus", "cousin"], "no consensus feature called 'cousin'"),
        (["--order", "1", "--consensus", "sibling"], "at least one consensus feature that their order has parts for"),
        (["--candidates", "2", "--max-length", "1"], "no sentence is left after --max-length"),
    ],
)
def test_bad_input_is_one_line(files, capsys, options, message):
    names = [str(files / f"{name}.conllu") for name in ("train-a", "train-b", "test-a", "test-b")]
    assert main(["joint", *names, "--epochs", "1", *options, "--no-baselines"]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_refusals(banks, parser):
    with pytest.raises(WorkbenchError, match="two treebanks or more, got 1"):
        JointParser().fit(banks[0][:1])
    with pytest.raises(WorkbenchError, match="need as many development texts"):
        JointParser().fit(banks[0], banks[1][:1])
    with pytest.raises(WorkbenchError, match="not been trained yet"):
        JointParser().parse(banks[1][0])
    with pytest.raises(WorkbenchError, match="rounds must be 0 or more"):
        parser.parse(banks[1][0], rounds=-1)
    with pytest.raises(Cancelled):
        parser.parse(banks[1][0], cancel=lambda: True)
    with pytest.raises(Cancelled):
        parser.parse_certified(banks[1][0], 0.1, cancel=lambda: True)
    with pytest.raises(Cancelled):
        JointParser(JointSettings(**SMALL)).fit(banks[0], cancel=lambda: True)
    for bad, message in (
        ({"order": 3}, "order must be 1 or 2"),
        ({"folds": 1}, "at least 2 folds"),
        ({"candidates": 0}, "candidates must be at least 1"),
        ({"learner": "x"}, "no learner"),
    ):
        with pytest.raises(WorkbenchError, match=message):
            JointSettings(**bad)


LEARNT = {**SMALL, "learnt_on": "development"}


@pytest.mark.parametrize("stages", [1, 2])
@pytest.mark.parametrize("given", [True, False])
def test_on_development_text_consensus_is_learnt_above_a_baseline_that_stays(banks, parser, given, stages):
    trains, tests = banks
    joint = JointParser(JointSettings(**LEARNT, stages=stages)).fit(trains, tests if given else None, like=parser)
    for scheme, own, alone in zip(joint.schemes, joint.fixed_baselines, parser.schemes, strict=True):
        assert len(scheme.joints) == stages and scheme.baseline is alone.baseline
        assert (own is scheme.baseline) == given
        for one in scheme.joints:
            model, below = one.trained(), scheme.baseline.trained()
            np.testing.assert_array_equal(model.weights[: model.first_extra], below.weights[: below.first_label])
            assert np.any(model.weights[model.first_extra :]) and not model.relations
    for number, part in enumerate(filled(joint.held_joints[-1])):
        held, text = part.fold()
        model, below = held.trained(), joint.fixed_baselines[number].trained()
        np.testing.assert_array_equal(model.weights[: model.first_extra], below.weights[: below.first_label])
        learnt_from = tests[number] if given else parser.held[number].fold(largest_fold(parser.held))[1]
        assert part.treebank.token_count == learnt_from.token_count and 0 < len(text) < len(learnt_from)
    parses = joint.parse(tests[0])
    np.testing.assert_array_equal(parses.heads(0, 0), parser.parse(tests[0], rounds=0).heads(0))
    assert joint.best_reward(tests if given else None, (0.001, 0.0), most=3, after=True) in (0.0, 0.001)


def test_what_only_development_text_tells_is_learnt_from_it():
    """The second parser knows neither y nor z; its arcs there are those of the first the other way round."""

    def scheme(forms, heads):
        pairs = zip(forms, heads, strict=True)
        rows = [{"forms": ["x", form], "upos": ["X", "X"], "heads": arcs} for form, arcs in pairs]
        return Treebank.from_sentences(rows * 6)

    there, back = ([0, 1], [2, 0]), ([2, 0], [0, 1])
    trains, dev = [scheme("yz", there), scheme("bc", back)], [scheme("yz", there), scheme("yz", back)]
    settings = JointSettings(**{**LEARNT, "epochs": 5}, labels=False, kinds=KINDS)
    for stages in filled((1, 2)):
        parses = JointParser(replace(settings, stages=stages)).fit(trains, dev).parse(dev[1])
        assert (parses.heads(1, 0) != dev[1].heads).any()
        np.testing.assert_array_equal(parses.heads(1), dev[1].heads)


def test_consensus_alone_is_learnt_by_the_perceptrons_rule(banks, parser):
    """One sentence, one pass: the step is the difference in consensus features of its gold and its predicted tree."""
    text, settings = banks[1][0], JointSettings(**{**LEARNT, "epochs": 1, "order": 1})
    baseline = fit_baseline(banks[0][0], settings)
    lists = {1: candidates(fit_baseline(banks[0][1], settings), text, settings)}
    wrong = [
        at for at in range(len(text)) if not np.array_equal(baseline.heads(text.select([at]))[1:], text[at].heads[1:])
    ]
    for at in filled(wrong):
        one, of_one = text.select([at]), {1: lists[1].select(np.array([at]))}
        extra = consensus(baseline, one, of_one, settings)
        learnt = fit_consensus(baseline, baseline, one, of_one, settings).trained()
        step, side = np.zeros(extra.count), len(one.heads)
        for heads, sign in ((one.heads, 1), (baseline.heads(one), -1)):
            for word in range(1, side):
                arc = heads[word] * side + word
                for place in range(extra.offsets[arc], extra.offsets[arc + 1]):
                    step[extra.ids[place]] += sign * extra.values[place]
        np.testing.assert_allclose(learnt.weights[learnt.first_extra :], step, atol=1e-5)
        np.testing.assert_array_equal(learnt.weights[: learnt.first_extra], baseline.trained().weights)


def test_miras_step_above_a_baseline_reaches_the_margin_or_is_none(banks):
    """The gold tree wins by as many units as heads were wrong, the baseline's scores included."""
    text, settings = banks[1][0], JointSettings(**{**LEARNT, "epochs": 1, "order": 1, "learner": "mira"})
    baseline = fit_baseline(banks[0][0], settings)
    lists = {1: candidates(fit_baseline(banks[0][1], settings), text, settings)}
    extra = consensus(baseline, text, lists, settings)
    model, moved = baseline.trained().with_extra(np.zeros(extra.count, np.float32)), 0
    trainer = TreeTrainer(model, text, "mira", np.inf, extra, first_learnt=model.first_extra)
    for at in range(len(text)):
        trainer.model.weights[model.first_extra :] = 0.0
        rows = text.offsets[at : at + 2]
        gold = NO_TREE._replace(heads=text.heads[rows[0] : rows[1]])
        scored = trainer.model.score(rows, trainer.fields, extra, at, gold)
        found, before = scored.decode(threads=1).values, scored.arcs[0].copy()
        trainer.learn(at)
        if trainer.model.weights[model.first_extra :].any():
            after = trainer.model.score(rows, trainer.fields, extra, at, gold).arcs[0]
            words = np.arange(1, len(found))
            ahead = [arcs[gold.heads[1:], words].sum() - arcs[found[1:], words].sum() for arcs in (before, after)]
            assert ahead[0] < 0 and ahead[1] == pytest.approx(0, abs=1e-3)  # the loss is among the scores of the other
            moved += 1
    assert moved


def test_text_that_teaches_no_consensus_is_refused(banks, parser):
    trains, _ = banks
    crossed = {"forms": list("abcd"), "upos": ["NOUN"] * 4, "xpos": ["NN"] * 4, "heads": [3, 4, 0, 3]}
    dev = [Treebank.from_sentences([crossed] * 2)] * 2
    with pytest.raises(
        WorkbenchError, match=r"no consensus can be learnt from the 2 sentences .* \(2 non-projective\)"
    ):
        JointParser(JointSettings(**LEARNT)).fit(trains, dev, like=parser)
    with pytest.raises(WorkbenchError, match="learnt_on must be"):
        JointSettings(learnt_on="test")
    short = [trains[0].select(parser.held[0].fold_of == 0), trains[1].select(parser.held[1].fold_of == 1)]
    short = [bank.with_heads(bank.heads) for bank in short]
    with pytest.raises(WorkbenchError, match="is too short to hold a fold out"):
        JointParser(JointSettings(**{**LEARNT, "epochs": 1})).fit(short)
