"""Texts renamed, removed and taken back, links that name them for good, and what is looked at in each of them."""

import ast
import importlib
from collections import Counter
from pathlib import Path

import pytest

from core.workspace.corpus.drafts import add_draft, read_draft
from core.workspace.groups import by_lengths, groups, save_group
from core.workspace.texts import address_of
from pages.shared.navigation import MENU
from pages.shared.text_menu import PROJECT
from pages.shared.view_state import Bound, Linked
from tests.pages.reading import pressed

TREE = "1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def store(workbench):
    return workbench.store


@pytest.fixture
def mine(add):
    return add("mine.conllu", TREE * 3)


def said(app):
    return [toast.value for toast in app.toast]


def captions(app):
    return [caption.value for caption in app.caption]


def open_text(app):
    return app.session_state["corpus_id"]


def test_every_address_names_its_text_and_opens_it_again(open_page, mine):
    app = open_page(corpus="sample")
    assert app.query_params["text"] == "sample"
    app.selectbox(key="corpus").select(mine.id).run()
    assert app.query_params["text"] == address_of(mine) and "corpus" not in app.query_params
    again = open_page(text=app.query_params["text"])
    assert open_text(again) == mine.id and said(again) == []


def test_each_run_tells_the_browser_which_text_is_open(open_page, mine):
    app = open_page(corpus=mine.name)
    for _ in range(2):  # where it misses the first, the second must not leave it with the first text of the list
        field = app.selectbox(key="corpus").proto
        assert field.set_value and field.raw_value == mine.name
        app.run()


def test_a_text_is_renamed_and_its_links_open_it_still(open_page, store, add, mine):
    app = open_page(corpus="mine.conllu")
    name = app.text_input(key=f"text_name_{mine.id}_mine.conllu")
    pressed(name.set_value(" sample ").run(), "text_rename")
    assert said(app) == ["There is a text named 'sample' in this project already; choose another name"]
    assert store.corpus(mine.id).name == "mine.conllu"
    app.text_input(key=f"text_name_{mine.id}_mine.conllu").set_value("Cats").run()
    assert pressed(app, "text_rename").selectbox(key="corpus").options == ["sample", "Cats"]
    assert open_text(open_page(corpus="mine.conllu")) == mine.id  # nothing else was ever called so
    another = add("mine.conllu", TREE * 3)
    assert open_text(open_page(text=address_of(mine))) == mine.id
    assert open_text(open_page(text=address_of(another))) == another.id
    app = open_page(corpus="mine.conllu")
    assert said(app)[0].startswith("More than one text of this project was named 'mine.conllu'; choose the one")
    for left in ("Cats", "mine.conllu"):  # adding the other is undone first
        pressed(app, "shared_undo")
        assert store.corpora(mine.project)[1].name == left


def test_a_text_added_under_a_name_that_is_taken_gets_a_number(store, add, project):
    names = [add("mine.conllu", TREE).name for _ in range(3)]
    assert names == ["mine.conllu", "mine (2).conllu", "mine (3).conllu"]
    for _ in range(2):
        last = add_draft(store, project, read_draft("x", b"Mr. Ash slept"), "Mr. Ash slept")
    assert store.corpus(last).name == "Mr. Ash slept (2)"


def test_a_text_is_removed_with_what_hangs_on_it_and_comes_back(open_page, workbench, store, mine):
    group = save_group(workbench, mine, "pairs", by_lengths(2, 2))
    run = store.create_run(mine.project, "ge", {"corpus": mine.id}, data_hash="ab" * 32)
    app = pressed(open_page(text=address_of(mine)), "text_remove")
    assert open_text(app) != mine.id and said(app) == ["mine.conllu was removed; Undo brings it back"]
    gone = open_page(text=address_of(mine), sentence="3", find="cats")
    assert said(gone) == ["There is no text 'mine.conllu' in this project; this is 'sample'"]
    assert "332 of 332 sentences" in captions(gone) and "find" not in gone.query_params
    pressed(app, "shared_undo")
    again = open_page(text=address_of(mine))
    assert open_text(again) == mine.id and said(again) == []
    assert groups(store, mine) == [group] and store.run(run).settings["corpus"] == mine.id


def test_the_only_text_stays(open_page, store, sample):
    app = pressed(open_page(), "text_remove")
    assert said(app) == ["Sample is the only text of this project; add another one before you remove it"]
    store.remove_corpus(sample.id)  # by other means
    assert "This project has no text" in app.run().error[0].value
    app.switch_page("pages/projects.py").run()
    assert not app.error and app.button(key="projects_new")
    assert not pressed(app, "shared_undo").error and open_text(app) == sample.id


def test_filters_and_places_belong_to_their_text(open_page, add, sample):
    long, short = (add(name, TREE * count) for name, count in (("long.conllu", 8), ("short.conllu", 5)))
    app = open_page(text=address_of(long), only='["upos","NOUN"]')
    app.slider(key="corpus_lengths").set_value((2, 2)).run()
    app.text_input(key="find").set_value("sleep").run()
    app.session_state["sentence"] = 7
    assert "8 of 8 sentences" in captions(app.run())
    app.selectbox(key="corpus").select(sample.id).run()
    assert "332 of 332 sentences" in captions(app) and app.slider(key="corpus_lengths").value[0] == 1
    assert not {"sentence", "only", "find", "corpus_lengths"} & set(app.query_params)
    app.selectbox(key="corpus").select(short.id).run()
    assert "5 of 5 sentences" in captions(app) and app.text_input(key="find").value == ""
    app.selectbox(key="corpus").select(long.id).run()
    assert app.text_input(key="find").value == "sleep" and app.session_state["sentence"] == 7
    assert app.session_state["only"] == ("upos", "NOUN")


def test_a_text_that_was_just_added_is_open_at_the_next_visit(open_page, add, sample):
    app, added = open_page(), add("new.conllu", TREE)
    assert open_text(app) == sample.id
    app.session_state["shared_open_corpus"] = added.id  # as adding a text does
    assert open_text(app.run()) == added.id == open_text(open_page())


def test_readers_may_rename_and_remove_nothing(open_page, monkeypatch):
    monkeypatch.setattr("core.store.members.Members.role", lambda self, project: "reader")
    app = open_page()
    assert app.button(key="text_rename").disabled and app.button(key="text_remove").disabled


# functions that keep a key in the address: its argument
KEPT = {"bind_value": 0, "pager": 1, "choose_view": 2, "choose_one": 2}


def value_of(node, module):
    """The text that a key stands for in a module's source; None where it is put together as the page is drawn."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return getattr(module, node.id, None)
    owner = value_of(node.value, module) if isinstance(node, ast.Attribute) else None
    return None if owner is None else getattr(owner, node.attr)


def keys_in_the_address():
    """(file, key) of what is bound to the address, or kept there without a control, in the rooms of the pages."""
    root = Path(__file__).parents[2]
    for path in sorted((root / "pages").rglob("*/*.py")):
        module = importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts))
        for call in (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)):
            named = {keyword.arg or getattr(keyword.value, "id", ""): keyword.value for keyword in call.keywords}
            named |= {"bind": named["LINKED"]} if "LINKED" in named else {}
            if getattr(named.get("linked"), "value", True) is False:
                continue
            if (function := getattr(call.func, "id", None)) in KEPT:
                named = {"key": call.args[KEPT[function]], "bind": None}
            key = value_of(named["key"], module) if {"bind", "key"} <= set(named) else None
            if key is not None:
                yield path.name, key


def all_fields():
    """The fields of all pages; those that all share come again with each."""
    return [field for pages in MENU.values() for entry in pages.values() for field in entry.view.fields()]


def test_every_key_in_the_address_is_a_field_of_its_page():
    found = list(keys_in_the_address())
    in_address = {field for field in all_fields() if isinstance(field, Bound | Linked)}
    assert len(found) > 50
    assert [(name, key) for name, key in found if key not in in_address | {PROJECT}] == []


def test_no_two_fields_have_one_key():
    made = Counter(str(field) for field in {id(field): field for field in all_fields()}.values())
    assert [key for key, count in made.items() if count > 1] == []


def test_a_language_is_corrected_and_the_text_cut_anew_beside_the_old_one(open_page, store, add):
    old = add("acqua.txt", "L'acqua era fredda e nessuno la beveva. L'amico dell'oste aspettava da un'ora.")
    assert old.settings["language"] == "it"
    app = open_page(corpus="acqua.txt")
    assert "text_cut" not in [button.key for button in app.button]
    app.selectbox(key=f"text_language_{old.id}_it").set_value("de").run()
    assert app.button(key="text_cut").label == "Cut it as German"
    pressed(app, "text_cut")
    assert not app.exception and "cut into words anew" in said(app)[-1]
    assert store.corpus(open_text(app)).name == "acqua.txt, cut as German"
    assert store.corpus(old.id).hash == old.hash and "text_cut" not in [button.key for button in app.button]
