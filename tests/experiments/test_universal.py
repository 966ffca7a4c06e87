"""A parser of other languages on held-out genera: folds, and the shape of the tables on a few made-up treebanks."""

import numpy as np
import pytest

from core.experiments import run_experiment
from core.experiments.beyond import correcting, folds, statements, universal
from core.experiments.beyond.folds import Fold, Target, folds_of, targets_of
from core.treebank import Treebank, load_sample, write_conllu
from core.trees import PackedScores
from tests.filled import filled
from tests.oracles.trees import tree_scores, trees

ROW = "| {file} | {name} | Made-up / {genus} (East) |" + " x |" * 9
POOL = (
    ("a_one.conllu", "Aish", "Aic"), ("b_one.conllu", "Beish", "Beic"), ("c_pud.conllu", "Ceish", "Ceic"),
    ("d_pud.conllu", "Deish", "Aic"),
)  # fmt: skip
CLAUSE = {
    "forms": ["a", "b", "c"], "upos": ["ADP", "NOUN", "VERB"], "heads": [2, 3, 0],
    "deprels": ["case", "obl:x", "root"],
}  # fmt: skip


def test_languages_of_a_genus_are_tested_together_and_parallel_texts_apart():
    readme = "\n".join(ROW.format(file=file, name=name, genus=genus) for file, name, genus in POOL)
    targets = targets_of(readme)
    assert targets[0] == Target("Aish", "Aic", "ud-pool/a_one.conllu")
    assert {target.name for target in targets} == {"Aish", "Beish", "Ceish", "Deish", "English", "Spanish", "Dutch"}
    folds = folds_of(targets)
    tested = [target for fold in folds for target in fold.targets]
    assert sorted(target.name for target in tested) == sorted(target.name for target in targets)
    for fold in filled(folds):
        held_out = {target.genus for target in fold.targets}
        assert not held_out & {source.genus for source in fold.sources} and fold.sources
        assert len({target.is_parallel for target in fold.targets}) == 1
        if fold.targets[0].is_parallel:
            assert not any(source.is_parallel for source in fold.sources)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Where experiments keep the parser that is trained on the same sources for all of them."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def pool(tmp_path, home, monkeypatch):
    """A folder of treebanks: the first of one clause, many times, the others parts of the sample.

    Their sentences are of like length: a step of training is compiled for each of seven lengths.
    """
    clauses, sample = Treebank.from_sentences([CLAUSE] * 60), load_sample().to_conllu()
    words = sample.without_punctuation().lengths
    sample = sample.select(np.flatnonzero((words > 10) & (words < 19)))
    for number, file in enumerate([*(f"ud-pool/{file}" for file, *_ in POOL), *folds.FURTHER]):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        begin = 5 * (number - 1)
        write_conllu(sample.select(np.arange(begin, begin + 80)) if number else clauses, tmp_path / file)
    monkeypatch.setenv("WORKBENCH_HOME", str(home))
    readme = "\n".join(ROW.format(file=file, name=name, genus=genus) for file, name, genus in POOL)
    (tmp_path / "ud-pool" / "README.md").write_text(readme, encoding="utf-8")
    monkeypatch.setattr(folds, "FOLDS", {False: 1, True: 1})
    monkeypatch.setattr(folds, "folds_of", lambda targets: [Fold(tuple(targets[:1]), tuple(targets[1:]))])
    return tmp_path


def test_every_way_has_its_figures(pool):
    found = run_experiment("beyond-universal", pool, quick=True)
    mean, language = found["rows"]
    assert mean["name"] == "mean of 1 languages" and language["name"] == "Aish"
    for way in (*universal.WAYS, "six, rest"):
        assert all(0 <= language[f"{way} {measure}"] <= 100 for measure in ("uas", "las"))
    assert language["more las"] == 100  # all sentences are the same
    assert [row["name"] for row in found["tables"]["By genus"]] == ["Aic"]
    answers = {row["name"]: row for row in next(rows for title, rows in found["tables"].items() if "answer" in title)}
    assert "wrong uas" in answers["adposition"] and "alone uas" in answers["adposition"]
    assert set(answers["relative"]) == {"name"}  # these trees do not answer it


def test_statements_have_their_figures(pool):
    sample = load_sample().to_conllu()
    write_conllu(sample.select(np.arange(200, 300)), pool / "ud-pool" / POOL[0][0])
    found = run_experiment("beyond-statements", pool, quick=True)
    rows = {row["name"]: row for row in found["rows"]}
    assert list(rows) == list(statements.WAYS.values())
    (language,) = found["tables"]["Languages"]
    assert language["name"] == "Aish" and 0 < language["below uas"] < 100
    for key, title in statements.WAYS.items():
        below = key.rpartition(" on ")[2] if " on " in key else "below"
        assert rows[title]["uas"] == rows[title]["worst uas"] == language[f"{key} uas"] - language[f"{below} uas"]
    assert rows["40 answers in words"]["uas"] > 0


def test_word_lists_have_their_figures(pool):
    sample = load_sample().to_conllu()
    write_conllu(sample.select(np.arange(200, 300)), pool / "ud-pool" / POOL[0][0])
    found = run_experiment("beyond-word-lists", pool, quick=True)
    mean, language = found["rows"]
    assert mean["name"] == "mean of 1 languages" and language["name"] == "Aish"
    figures = {key: value for key, value in language.items() if isinstance(value, float)}
    assert {"100 alone", "200 words", "200 chosen", "400 words", "uas gold", "uas listed"} <= set(figures)
    assert all(0 < value <= 100 for value in figures.values())
    assert language["400 alone"] > language["200 alone"] > language["100 alone"]


def test_heads_to_change_are_counted_by_language(pool):
    found = run_experiment("beyond-corrections", pool, quick=True)
    mean, language = found["rows"]
    assert mean["name"] == "mean of 1 languages" and language["name"] == "Aish"
    assert language["words"] == 3 * correcting.QUICK
    assert language["fixed"] >= language["anew"] and language["learnt"] >= language["both"]
    assert language["both"] < language["fixed"]  # all sentences are the same
    assert language["ours"] == pytest.approx(100 * (1 - language["both"] / language["fixed"]))


def test_each_change_lets_the_best_tree_around_it_be_the_next():
    random, listed, saved = np.random.default_rng(4), trees(4, projective=True), 0
    for _ in range(60):
        scores, gold = random.normal(size=(5, 5)), listed[random.integers(len(listed))]
        ranked = listed[np.argsort(-tree_scores(scores, projective=True), kind="stable")]
        tree, expected = ranked[0], 0
        for word in range(1, 5):
            if tree[word] != gold[word]:
                expected += 1
                tree = next(other for other in ranked if (other[: word + 1] == gold[: word + 1]).all())
        assert correcting.changes_deciding_anew(PackedScores.from_matrices([scores]), gold) == expected
        saved += int((ranked[0] != gold).sum()) - expected
    assert saved > 0
