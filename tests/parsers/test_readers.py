"""Installed spaCy pipelines as readers: a small one on disk, one without tags, ones that fail, one that cuts words."""

import importlib
import importlib.metadata
import sys

import catalogue
import pytest
import spacy

import core.parsers.spacy_component  # noqa: F401  its factory is in the pipeline
from core.errors import WorkbenchError
from core.markup import extract_sentences
from core.parsers import MSTParser
from core.parsers.readers import draws_trees, load_reader, reader_names, reader_title
from core.treebank import load_sample
from core.workspace import Workspace
from core.workspace.markup.brackets import MarkupRoom
from core.workspace.markup.pages import add_pages

PAGE = "<p>The <a href=x>harbour office</a> issued <i>a warning</i> today.</p><p>It was late.</p>"
INIT = """from pathlib import Path
import spacy
def load(**options):
    {before}
    return spacy.load(Path(__file__).parent / "model", **options)
"""
TAGS = {"the": "DET", "a": "DET", "it": "PRON", "issued": "VERB", "was": "AUX", ".": "PUNCT"}


@pytest.fixture
def install(tmp_path, monkeypatch):
    """install(name, nlp, before="pass"): make a pipeline an installed package, as pip does."""
    monkeypatch.syspath_prepend(str(tmp_path / "site"))

    def install(name, nlp, before="pass"):
        package = tmp_path / "site" / name
        package.mkdir(parents=True)
        nlp.to_disk(package / "model")
        (package / "__init__.py").write_text(INIT.format(before=before))
        about = tmp_path / "site" / f"{name}-0.0.1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.0.1\n")
        (about / "entry_points.txt").write_text(f"[spacy_models]\n{name} = {name}\n")
        importlib.invalidate_caches()
        found = importlib.metadata.entry_points()  # which spaCy looks at once a process
        monkeypatch.setattr(catalogue, "AVAILABLE_ENTRY_POINTS", found)
        return f"spacy:{name}"

    yield install
    for name in [name for name in sys.modules if name.startswith("en_test_")]:
        del sys.modules[name]


def tagging_pipeline(model=None):
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("attribute_ruler")
    ruler.add([[{}]], {"POS": "NOUN", "TAG": "NN"})
    for word, tag in TAGS.items():
        ruler.add([[{"LOWER": word}]], {"POS": tag, "TAG": tag[:2]})
    if model is not None:
        nlp.add_pipe("mst_parser", config={"model": str(model)})
    return nlp


def test_an_installed_pipeline_tags_and_parses_and_words_stay(install, tmp_path, monkeypatch):
    MSTParser(tags="upos", bits=12).fit(load_sample().limit(60), epochs=2).save(tmp_path / "parser.npz")
    reader = install("en_test_small", tagging_pipeline(tmp_path / "parser.npz"))
    assert reader in reader_names() and draws_trees(reader)
    assert reader_title(reader) == "the spaCy pipeline en_test_small"
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    bench = Workspace.open()
    corpus_id, report = add_pages(bench.store, bench.store.default_project(), [("page", PAGE)], reader=reader)
    assert report.brackets == 2
    treebank = bench.treebank(bench.store.corpus(corpus_id))
    assert treebank[0].upos[1:] == ("DET", "NOUN", "NOUN", "VERB", "DET", "NOUN", "NOUN", "PUNCT")
    assert treebank[0].xpos[1:3] == ("DE", "NN") and treebank[0].comment("markup") == "a 2-3 | i 5-6"
    assert (treebank.heads == -1).all()
    text = MarkupRoom(bench).text(bench.store.corpus(corpus_id))
    assert text.trees_by == "the spaCy pipeline en_test_small" and text.judged == 2
    assert (text.treebank[0].heads[1:] >= 0).all() and (text.treebank[1].heads[1:] < 0).all()


def test_a_pipeline_that_is_gone_leaves_the_brackets(install, tmp_path, monkeypatch):
    reader = install("en_test_gone", tagging_pipeline())
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    bench = Workspace.open()
    corpus_id, _ = add_pages(bench.store, bench.store.default_project(), [("page", PAGE)], reader=reader)
    text = MarkupRoom(bench).text(bench.store.corpus(corpus_id))
    assert len(text.marks) == 2 and text.judged == 0  # it tags, and draws no trees
    monkeypatch.setattr("core.parsers.spacy_pipeline.get_installed_models", list)
    bench = Workspace.open()  # of another process: this one has the text as it was read
    text = MarkupRoom(bench).text(bench.store.corpus(corpus_id))
    assert len(text.marks) == 2 and "no spaCy pipeline en_test_gone is installed any more" in text.problem


def test_pipelines_that_fail_say_so_in_a_sentence(install):
    pages = extract_sentences(PAGE, name="page").treebank
    with pytest.raises(WorkbenchError, match="no spaCy pipeline en_test_nowhere is installed any more"):
        load_reader("spacy:en_test_nowhere")
    broken = install("en_test_broken", spacy.blank("en"), before='raise OSError("weights are missing\\nsee below")')
    with pytest.raises(WorkbenchError, match="en_test_broken cannot be loaded: weights are missing; install it anew"):
        load_reader(broken)
    blank = load_reader(install("en_test_blank", spacy.blank("en")))
    with pytest.raises(WorkbenchError, match="the spaCy pipeline en_test_blank gives no tags; choose another reader"):
        blank.tag(pages)
    untrained = spacy.blank("en")
    untrained.add_pipe("tagger")
    with pytest.raises(WorkbenchError, match="the spaCy pipeline en_test_raw fails on this text"):
        load_reader(install("en_test_raw", untrained)).tag(pages)


def test_a_pipeline_that_joins_words_is_refused(install):
    nlp = tagging_pipeline()
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "ORG", "pattern": "harbour office"}])
    nlp.add_pipe("merge_entities")
    with pytest.raises(WorkbenchError, match="en_test_merge joins or cuts words; choose one that keeps them"):
        load_reader(install("en_test_merge", nlp)).tag(extract_sentences(PAGE, name="page").treebank)
