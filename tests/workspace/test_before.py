"""A store from before a system was a class opens: its trees, paragraphs, runs, plans and documents, and it goes on."""

import json
import re

import pytest

from core.workspace import Workspace
from core.workspace.annotations import Annotations
from core.workspace.constraints.constraint_set import constraint_text
from core.workspace.constraints.versions import kept_versions
from core.workspace.parses import load_parse, offered_parses, offers_of
from core.workspace.registry import Systems
from core.workspace.runs.list import run_table
from core.workspace.runs.methods import methods_paragraph
from tests.workspace.before import BEFORE, SEEN, write_store
from tests.workspace.running import PATIENCE

TEXTS = 2, 3  # corpora of five sentences; 1 is the sample
HALF = [row["id"] for row in BEFORE["rows"]["runs"] if row["status"] == "cancelled"]


@pytest.fixture(scope="module")
def systems(tmp_path_factory):
    """Systems over the old store, which the tests only read."""
    workspace = Workspace.open(write_store(tmp_path_factory.mktemp("before") / "workbench.sqlite"))
    yield Systems(workspace)
    workspace.store.close()


@pytest.mark.parametrize("text", TEXTS)
def test_the_same_trees_are_offered_under_the_same_names(systems, text):
    corpus = systems.workspace.store.corpus(text)
    seen = SEEN["parses"][str(text)]
    offers = {offer.key: offer.name for offer in offered_parses(systems, corpus)}
    assert list(offers) == list(seen)
    for key, (name, _) in seen.items():  # today's name says also how many constraints, and when
        assert re.sub(r"\d+ (?=constraint)|, \d\d:\d\d$", "", offers[key]) == name
    for key, (_, heads) in seen.items():
        assert load_parse(systems, corpus, key).heads.tolist() == heads, key


def test_runs_are_listed_and_described_as_they_were(systems):
    store = systems.workspace.store
    table = run_table(store, store.runs(store.default_project()))
    assert {name: table[name] for name in SEEN["runs"]} == SEEN["runs"]
    for number, paragraph in SEEN["methods"].items():
        if number == "11":  # it was adapted to the very sentences that taught it, under other trees
            paragraph = paragraph.replace("(9 of 19)", "(9 of 19, sentences that it learnt from among them)")
        assert methods_paragraph(systems, store.run(int(number))) == paragraph


def test_plans_lines_versions_and_annotations_are_there(systems):
    store, workspace = systems.workspace.store, systems.workspace
    corpus = store.corpus(TEXTS[0])
    documents = {(row["kind"], row["key"]): json.loads(row["value"]) for row in BEFORE["rows"]["documents"]}
    assert store.documents(corpus.project) == documents
    for system in set(systems.values()):
        if (saved := documents.get((system.document, str(corpus.id)))) is not None:
            plan = system.plan(corpus)
            assert plan.as_dict() == {plan.former.get(name, name): value for name, value in saved.items()}
    assert systems["ge"].plan(corpus).settings.strength == 3.0
    assert constraint_text(store, corpus, workspace.treebank(corpus)) == documents["constraints", "2"]
    assert [version.name for version in kept_versions(store, corpus)] == ["first"]
    assert Annotations(workspace, corpus).get(0)[0].heads == (-1, 3, 3, 0)  # the file says 2


@pytest.mark.parametrize("number", HALF)
def test_what_was_stopped_half_way_goes_on_to_the_trees_it_led_to(tmp_path, number):
    workspace = Workspace.open(write_store(tmp_path / "workbench.sqlite"))
    systems, run = Systems(workspace), workspace.store.run(number)
    assert systems.of(run).resume(run) == number
    ended = workspace.jobs.wait(number, PATIENCE)
    assert ended.status == "done", ended.error
    found = {}
    for corpus in map(workspace.store.corpus, TEXTS):
        for offer in offers_of(systems, corpus, run):
            found[offer.key] = load_parse(systems, corpus, offer.key).heads.tolist()
    assert found == SEEN["resumed"].get(str(number), {})
    workspace.store.close()
