"""Structural correspondence learning against dense oracles, the paper's own sentence, and bad input."""

from dataclasses import replace

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from core.adaptation import AdaptedParser, StructuralCorrespondence
from core.adaptation.findings import changed_edges, direction_findings, pivot_findings
from core.adaptation.pivots import Pivot, between_words, format_pivots, load_pivots, parse_pivots
from core.adaptation.predictors import principal_directions, train_predictors
from core.adaptation.settings import CorrespondenceSettings
from core.adaptation.systems import FEW, NONE, SCL, SELF_TRAINING, AdaptationTask, adapt, common_tags, train_system
from core.adaptation.word_counts import WordCounts
from core.errors import Cancelled, WorkbenchError
from core.features.edges import EdgeFeatures, Edges, WordVocabulary, distance_name, distance_slot, sample_edges
from core.parsers import MSTParser, load_parser
from core.treebank import Treebank, load_sample
from tests.filled import filled
from tests.oracles import adaptation as oracle

FORMS = ["John", "saw", "a", "dog", "yesterday", "which", "was", "a", "Yorkshire", "Terrier", "."]
TAGS = ["NN", "VBD", "DT", "NN", "RB", "WDT", "VBD", "DT", "NN", "NN", "."]
HEADS = (2, 0, 4, 2, 2, 7, 4, 10, 10, 7, 10)
RELATIONS = ["SUBJ", "PRED", "DET", "OBJ", "ADJU", "MODWH", "MODPRED", "DET", "MODN", "OBJ", "."]


@pytest.fixture(scope="module")
def sample():
    return load_sample()


@pytest.fixture(scope="module")
def texts(sample):
    return sample.limit(12), sample.select(np.arange(12, 24))


@pytest.fixture(scope="module")
def learnt(texts):
    return StructuralCorrespondence(edges=2000).fit(*texts)


def yorkshire():
    """The sentence of Table 1."""
    sentence = {"forms": FORMS, "xpos": TAGS, "heads": HEADS, "deprels": RELATIONS}
    return Treebank.from_sentences([sentence], name="Table 1")


def test_table_1_reads_the_features_of_table_2():
    text = yorkshire()
    features = EdgeFeatures((WordVocabulary.counted("form", [text.form.counts()]),))
    row = features.matrix(features.contexts(text), Edges(np.array([2]), np.array([4])))
    names = {features.name(feature) for feature in row.indices}
    assert names == {"head-1=John", "head=saw", "head+1=a", "child-1=a", "child=dog", "child+1=yesterday"}


def test_table_1_pivots_between_two_words():
    text, pivots = yorkshire(), load_pivots("en")
    edges = Edges(np.array([2, 4, 4, 10]), np.array([4, 7, 10, 8]))
    held = {pivot.name: pivot.holds(text, "form", edges, None).tolist() for pivot in pivots}
    assert held["determiner"] == [True, True, True, False]
    assert held["helping_verb"] == [False, False, True, False]
    assert held["preposition"] == [False, False, False, False]


def test_table_1_is_learnt_with_its_crossing_edge():
    text = yorkshire()
    parsed = MSTParser(projective=False, labels="joint", bits=14, label_bits=14).fit(text).parse(text)
    assert parsed.heads[1:].tolist() == list(HEADS) and list(parsed[0].deprels[1:]) == RELATIONS


def test_sampled_edges_are_all_pairs_of_words_once(texts):
    text = texts[0].limit(3)
    edges = sample_edges(text, 10**6, np.random.default_rng(0))
    pairs = set(zip(edges.heads.tolist(), edges.modifiers.tolist(), strict=True))
    expected = {
        (begin + head, begin + modifier)
        for begin, n in zip(text.offsets.tolist(), text.lengths.tolist(), strict=False)
        for head in range(1, n + 1)
        for modifier in range(1, n + 1)
        if head != modifier
    }
    assert pairs == expected and len(edges) == len(expected)
    few = sample_edges(text, 20, np.random.default_rng(0))
    some = set(zip(few.heads.tolist(), few.modifiers.tolist(), strict=True))
    assert len(some) == 20 and some <= expected


def test_features_and_pivots_match_the_oracle(texts):
    text = texts[0].limit(4)
    features = EdgeFeatures((WordVocabulary.counted("form", [text.form.counts()]),), distance=True)
    edges = sample_edges(text, 300, np.random.default_rng(1))
    matrix = features.matrix(features.contexts(text), edges).toarray()
    pivot = Pivot("some", ("the", "of", "a", "in"))
    held = pivot.holds(text, "form", edges, None)
    for row, (head, modifier) in enumerate(filled(zip(edges.heads, edges.modifiers, strict=True))):
        sentence = int(np.searchsorted(text.offsets, head, side="right")) - 1
        begin, forms = text.offsets[sentence], text[sentence].forms
        places = head - begin, modifier - begin
        names = [features.name(feature).partition("=")[2] for feature in np.flatnonzero(matrix[row])[:6]]
        assert names == oracle.context_words(forms, *places)
        assert np.flatnonzero(matrix[row])[6] == features.blocks[-1] + distance_slot(*places)
        assert held[row] == oracle.between(pivot.words, forms, *places)


def test_predictors_match_a_dense_oracle(texts):
    text = texts[0].limit(3)
    features = EdgeFeatures((WordVocabulary.counted("form", [text.form.counts()], minimum_count=2),))
    edges = sample_edges(text, 150, np.random.default_rng(2))
    design = features.matrix(features.contexts(text), edges)
    targets = np.stack([Pivot(word, (word,)).holds(text, "form", edges, None) for word in ("the", "a")], axis=1)
    hidden = [None, features.masked(4)]
    found = train_predictors(design, targets, hidden, CorrespondenceSettings(predictor="logistic", penalty=0.01))
    for pivot in range(2):
        dense = design.toarray() * (1.0 if hidden[pivot] is None else ~hidden[pivot])
        weights, intercept = oracle.logistic_weights(dense, targets[:, pivot], 0.01)
        np.testing.assert_allclose(found.weights[:, pivot], weights, atol=2e-3)
        assert found.intercepts[pivot] == pytest.approx(intercept, abs=2e-3)
        right = np.mean((dense @ weights + intercept > 0) == targets[:, pivot])
        assert found.right[pivot] == pytest.approx(right)
    assert np.abs(found.weights[features.masked(4), 1]).max() == 0 < np.abs(found.weights[features.masked(4), 0]).max()


def test_directions_are_numpys_singular_vectors():
    random = np.random.default_rng(3)
    for shape, wanted in (((40, 5), 3), ((200, 90), 4)):  # LAPACK, ARPACK
        weights = random.normal(size=shape)
        left, values, right = principal_directions(weights, wanted)
        other_left, other_values, _ = np.linalg.svd(weights, full_matrices=False)
        np.testing.assert_allclose(values, other_values[:wanted], rtol=1e-8)
        np.testing.assert_allclose(np.abs(left), np.abs(other_left[:, :wanted]), atol=1e-7)
        np.testing.assert_allclose(left.T @ weights, values[:, None] * right, atol=1e-7)
        assert (left[np.abs(left).argmax(axis=0), np.arange(wanted)] > 0).all()
    assert len(principal_directions(np.outer(np.arange(1.0, 7.0), (1.0, 2.0)), 2)[1]) == 1  # its rank


@pytest.mark.parametrize("options", [{}, {"tags": True, "distance": True, "lowercase": True, "minimum_count": 2}])
def test_induced_features_are_the_projection_of_every_edge(texts, options):
    learnt = StructuralCorrespondence(edges=500, standardize=False, scale=2.0, **options).fit(*texts)
    text = texts[1].limit(3)
    model, packed = learnt.model, learnt.features(text)
    contexts = model.features.contexts(text)
    for sentence in range(len(text)):
        begin, side = int(text.offsets[sentence]), int(text.lengths[sentence]) + 1
        heads, modifiers = (each.ravel() for each in np.meshgrid(range(side), range(side), indexing="ij"))
        apart = heads != modifiers
        dense = model.features.matrix(contexts, Edges(begin + heads[apart], begin + modifiers[apart])).toarray()
        found = packed.values[packed.arc_offsets[sentence] : packed.arc_offsets[sentence + 1]]
        np.testing.assert_allclose(found[apart], 2.0 * dense @ model.directions, atol=1e-5)


def test_directed_features_stand_apart(texts, learnt):
    text = texts[1].limit(2)
    model = replace(learnt.model, directed=True)
    plain, apart = learnt.features(text), model.induced(text)
    assert apart.count == 2 * plain.count
    for sentence in range(2):
        side = int(text.lengths[sentence]) + 1
        for head in range(side):
            for modifier in range(side):
                arc = int(plain.arc_offsets[sentence]) + head * side + modifier
                begin, end = apart.offsets[arc : arc + 2]
                shift = plain.count * (modifier > head)
                assert apart.ids[begin:end].tolist() == list(range(shift, shift + plain.count))
                assert np.array_equal(apart.values[begin:end], plain.values[arc])


def test_standardized_features_have_mean_0_and_deviation_1(texts):
    learnt = StructuralCorrespondence(edges=10**6, scale=3.0).fit(*texts)
    values = []
    for text in texts:
        packed = learnt.features(text)
        edges = sample_edges(text, 10**6, np.random.default_rng(0))
        sentence = np.searchsorted(text.offsets, edges.heads, side="right") - 1
        begin = text.offsets[sentence]
        arcs = (edges.heads - begin) * (text.lengths[sentence] + 1) + edges.modifiers - begin
        values.append(packed.values[packed.arc_offsets[sentence] + arcs])
    values = np.concatenate(values)
    np.testing.assert_allclose(values.mean(axis=0), 0, atol=1e-3)
    np.testing.assert_allclose(values.std(axis=0), 3, atol=1e-3)


def test_features_scaled_by_zero_change_nothing(texts, learnt):
    task = AdaptationTask(texts[0], {"text": texts[1]}, epochs=2, bits=14)
    plain, still = train_system(task), train_system(task, correspondence=learnt.scaled(0.0))
    assert plain.scores == still.scores
    assert np.array_equal(plain.parsed["text"].heads, still.parsed["text"].heads)
    moved = train_system(task, correspondence=learnt.scaled(5.0))
    assert not np.array_equal(plain.parser.model.weights, moved.parser.model.weights[: plain.parser.model.size])


def test_training_reports_and_is_cancelled(texts):
    reports, lines = [], []
    task = AdaptationTask(texts[0], {"text": texts[1]}, epochs=2, bits=14, say=lines.append)
    task = replace(task, progress=lambda name, report: reports.append((name, report.epoch)))
    train_system(task)
    assert {("none", 1), ("none", 2)} <= set(reports) and lines[-1].startswith("none: iteration 2 of 2: text LAS")
    with pytest.raises(Cancelled):
        train_system(replace(task, cancel=lambda: True))


def test_the_same_seed_learns_the_same(texts, learnt):
    again = StructuralCorrespondence(edges=2000).fit(*texts)
    assert np.array_equal(again.model.directions, learnt.model.directions)


def test_more_pivots_and_fewer_dimensions(texts):
    learnt = StructuralCorrespondence(between=2, frequent=5, dimensions=2, edges=2000).fit(*texts)
    names = [pivot.name for pivot in learnt.model.pivots]
    assert len(names) == 10 and learnt.model.dimensions == 2 and not learnt.notes
    assert [pivot.name for pivot in between_words(*map(WordCounts.of, texts), 2)] == names[3:5]
    for at, pivot in enumerate(learnt.model.pivots):
        weights = learnt.model.predictors.weights[:, at]
        assert pivot.masked is None or not weights[learnt.model.features.masked(pivot.masked)].any()


def test_what_was_learnt_is_told(texts, learnt):
    pivots = pivot_findings(learnt, 3)
    assert [each.name for each in pivots] == ["preposition", "determiner", "helping_verb"]
    for each in pivots:
        assert each.by == "upos" and all(
            0 < part < whole for part, whole in zip(each.counts, each.sampled, strict=True)
        )
        assert len(each.strongest) == 3 and each.strongest[0][1] > 0 > each.weakest[0][1] and each.majority >= 50
    directions = direction_findings(learnt, 2)
    assert [each.singular_value for each in directions] == learnt.model.singular_values.tolist()
    assert abs(directions[0].pivots[0][1]) >= abs(directions[0].pivots[1][1])


@pytest.mark.parametrize("directed", [False, True])
def test_all_systems_and_what_they_changed(texts, directed):
    source, text = texts
    task = AdaptationTask(source, {"text": text}, epochs=2, bits=14)
    learnt = StructuralCorrespondence(edges=2000, scale=3.0, directed=directed)
    found = adapt(task, text, learnt, few=text.limit(2))
    assert list(found.systems) == [NONE, SELF_TRAINING, FEW, SCL]
    assert all(len(system.scores["text"]) == 2 for system in found.systems.values())
    scl, before = found.systems[SCL], found.systems[NONE].parsed["text"]
    edges = changed_edges(text, before, scl)
    after = scl.parsed["text"]
    assert sum(edge.head_before != edge.head_after for edge in edges) == (before.heads != after.heads).sum() > 0
    muted = scl.parser.parse(text, extra=scl.correspondence.scaled(0.0).features)
    quiet = scl.parser.score(text, extra=scl.correspondence.scaled(0.0).features)
    assert not np.array_equal(muted.heads, after.heads)
    loud = scl.parser.score(text, extra=scl.correspondence.features)
    for edge in edges:
        assert 0 <= edge.share <= 1 and edge.verdict in {"corrected", "harmed", "both wrong", "relation"}
        arc = edge.head_after, edge.word
        if loud.labels[_arc(text, edge, arc)] == quiet.labels[_arc(text, edge, arc)]:
            without = edge.score - edge.induced
            assert without == pytest.approx(quiet.arcs[edge.sentence][arc], abs=1e-3)
    with pytest.raises(WorkbenchError, match="no induced features"):
        changed_edges(text, before, found.systems[NONE])


def _arc(text, edge, arc):
    side = int(text.lengths[edge.sentence]) + 1
    return int(((text.lengths[: edge.sentence] + 1) ** 2).sum()) + arc[0] * side + arc[1]


def test_pivots_are_written_and_read():
    pivots = parse_pivots("# words\nnegation = not n't form:NEVER\n\narticle = upos:DET xpos:DT the a the\n")
    assert pivots[0] == Pivot("negation", ("not", "n't", "never"))
    assert pivots[1] == Pivot("article", ("the", "a"), ("DET",), ("DT",))
    assert parse_pivots(format_pivots(pivots)) == pivots
    for language in ("de", "en", "es", "nl", "xx"):
        assert [pivot.name for pivot in load_pivots(language)] == ["preposition", "determiner", "helping_verb"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no pivot"),
        ("a b", "line 1: write a pivot as"),
        ("\nx =", "line 2: write a pivot as"),
        ("x = a\nx = b", "line 2: there is a pivot x already"),
        ("x = lemma:be", "no prefix lemma: in pivots"),
    ],
)
def test_bad_pivots_are_said(text, message):
    with pytest.raises(WorkbenchError, match=message):
        parse_pivots(text)


def bare(treebank):
    """The words alone."""
    return Treebank.from_sentences([{"forms": sentence.forms[1:]} for sentence in treebank], name="bare")


def test_text_without_tags_goes_by_words(texts):
    source, text = texts
    learnt = StructuralCorrespondence(edges=2000, tags=True).fit(source, bare(text))
    assert set(learnt.model.columns) == {"form"} and "predictors read words alone" in learnt.notes[0]
    task = AdaptationTask(source, {"text": text}, epochs=1, bits=14)
    found = adapt(task, bare(text), StructuralCorrespondence(edges=2000))
    assert SELF_TRAINING not in found.systems and SCL in found.systems
    assert any("self-training is left out: bare has no" in note for note in found.notes)
    with pytest.raises(WorkbenchError, match="bare has no tags; tag the text first"):
        common_tags(source, bare(text))
    with pytest.raises(WorkbenchError, match=r"none of the 3 pivots can be used.*names tags only"):
        StructuralCorrespondence(language="xx").fit(source, bare(text))


def test_what_cannot_be_done_is_left_out_and_said(texts):
    pivots = (*load_pivots("en"), Pivot("klingon", ("qapla",)))
    learnt = StructuralCorrespondence(pivots, dimensions=9, edges=2000).fit(*texts)
    assert learnt.notes == (
        "pivot klingon is left out: it never holds of a word pair of the source and target text",
        "3 pivots give at most 3 dimensions, not 9",
    )
    few = StructuralCorrespondence(between=30, dimensions=30, edges=12).fit(*texts)
    assert few.model.dimensions <= 12
    assert any("12 word pairs give at most 12 dimensions, not 30" in note for note in few.notes)
    with pytest.raises(WorkbenchError, match="none of the 1 pivots can be used: pivot klingon"):
        StructuralCorrespondence(pivots[3:]).fit(*texts)


def test_relations_that_the_source_never_shows_are_named(texts):
    source, text = texts
    odd = text.with_heads(text.heads, ["strange" if head == 0 else "dep" for head in text.heads])
    found = adapt(
        AdaptationTask(source, {"new": odd}, epochs=1, bits=14),
        text,
        StructuralCorrespondence(edges=500),
        baselines=False,
    )
    assert list(found.systems) == [SCL]
    assert any(f"new: {odd.token_count} words have relations" in note and "strange" in note for note in found.notes)
    assert any("do not occur, but the source has them" in note for note in found.notes)


def test_systems_that_are_there_already_are_kept(texts):
    source, text = texts
    task, kept = AdaptationTask(source, {"text": text}, epochs=1, bits=14), []
    first = adapt(replace(task, keep=kept.append), text, StructuralCorrespondence(edges=500), rounds=0)
    assert [system.name for system in kept] == [NONE, SCL]
    later = replace(task, keep=kept.append, done={NONE: kept[0]})
    again = adapt(later, text, StructuralCorrespondence(edges=500))
    assert again.systems[NONE] is kept[0] and [system.name for system in kept[2:]] == [SELF_TRAINING, SCL]
    assert again.systems[SCL].scores == first.systems[SCL].scores


def test_bad_settings_are_said(texts):
    for options, message in (
        ({"pivots": ()}, "at least one pivot"),
        ({"dimensions": 0}, "at least one dimension"),
        ({"edges": 1}, "edges must be 2 or more"),
        ({"predictor": "oracle"}, "no predictor called 'oracle'"),
        ({"scale": float("nan")}, "must be a number"),
        ({"language": "tlh"}, "there are no pivots for 'tlh'"),
    ):
        with pytest.raises(WorkbenchError, match=message):
            StructuralCorrespondence(**options)
    with pytest.raises(WorkbenchError, match="penalty of predictors must be positive"):
        StructuralCorrespondence(penalty=0).fit(*texts)
    with pytest.raises(WorkbenchError, match="no correspondence has been learnt yet"):
        StructuralCorrespondence().features(texts[0])
    lone = Treebank.from_sentences([{"forms": ["Yes"]}], name="lone")
    with pytest.raises(WorkbenchError, match="the target text 'lone' has no sentence of two words"):
        StructuralCorrespondence().fit(texts[0], lone)
    with pytest.raises(Cancelled):
        StructuralCorrespondence(edges=100).fit(*texts, cancel=lambda: True)


def test_distances_have_names():
    names = [distance_name(int(distance_slot(10, 10 + step))) for step in (-20, -4, 1, 3)]
    assert names == [
        "distance 11+ before its head", "distance 4-5 before its head", "distance 1 after its head",
        "distance 3 after its head",
    ]  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"directed": True, "tags": True, "distance": True, "lowercase": True}])
def test_an_adapted_parser_is_saved_and_loaded(texts, options, tmp_path):
    source, text = texts
    learnt = StructuralCorrespondence(edges=500, **options).fit(source, text)
    system = train_system(AdaptationTask(source, {"text": text}, epochs=1, bits=14), correspondence=learnt)
    adapted = AdaptedParser(system.parser, learnt.model)
    adapted.save(tmp_path / "adapted.npz")
    loaded, new = load_parser(tmp_path / "adapted.npz"), text.select(np.arange(3))
    assert isinstance(loaded, AdaptedParser) and loaded.labelled
    for parsed in (adapted.parse(new), loaded.parse(new)):
        assert np.array_equal(parsed.heads, system.parsed["text"].select(np.arange(3)).heads)
    scores = [each.score(new).arcs.values for each in (adapted, loaded)]
    np.testing.assert_array_equal(*scores)


def test_an_adapted_parser_works_inside_spacy(texts, tmp_path):
    import core.parsers.spacy_component  # noqa: F401 - registers the factory

    source, text = texts
    learnt = StructuralCorrespondence(edges=500).fit(source, text)
    system = train_system(AdaptationTask(source, {"text": text}, tags="upos", epochs=1, bits=14), correspondence=learnt)
    AdaptedParser(system.parser, learnt.model).save(tmp_path / "adapted.npz")
    nlp = spacy.blank("en")
    nlp.add_pipe("mst_parser", config={"model": str(tmp_path / "adapted.npz")})
    nlp.to_disk(tmp_path / "pipeline")
    nlp = spacy.load(tmp_path / "pipeline")
    doc = nlp(Doc(nlp.vocab, words=list(text[0].forms[1:]), pos=list(text[0].upos[1:])))
    expected = system.parsed["text"][0].heads[1:].tolist()
    assert [0 if token.head.i == token.i else token.head.i + 1 for token in doc] == expected
