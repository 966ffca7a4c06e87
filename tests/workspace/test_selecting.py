"""Selectors that a project remembers by site, the site of pages, and a preview of what is kept."""

from core.markup import Limits
from core.markup.selectors import PageSelectors
from core.workspace.selecting import (
    SITES,
    preview_of,
    preview_table,
    remember_selectors,
    remembered_selectors,
    site_of_pages,
)

PAGE = "<title>One</title><link rel=canonical href=https://A.example:80/x><nav>Go. Home.</nav><p>It is <b>so</b> here."


def test_selectors_are_remembered_by_site_and_what_cannot_be_read_is_the_default(workspace):
    store, project = workspace.store, workspace.store.default_project()
    remember_selectors(store, project, "a.example", PageSelectors("p", ".x, :--furniture", "dfn"))
    assert remembered_selectors(store, project, "a.example") == PageSelectors("p", ":--furniture, .x", "dfn")
    assert remembered_selectors(store, project, "") == PageSelectors()
    store.remember(project, SITES, "b.example", {"select": "p >"})
    assert remembered_selectors(store, project, "b.example") == PageSelectors()


def test_the_site_is_the_host_that_the_first_page_names(tmp_path):
    for text, site in ((PAGE, "a.example"), ("<p>It is so.", ""), ("<base href=http://[x>", ""), ("%PDF-1.7 \xff", "")):
        path = tmp_path / "page.html"
        path.write_text(text, encoding="latin-1")
        assert site_of_pages([tmp_path / "absent.html", path], Limits()) == site


def test_a_preview_has_each_piece_and_why_it_is_left_out(tmp_path):
    for name in ("1.html", "2.html", "3.html"):
        (tmp_path / name).write_text(PAGE)
    paths = [tmp_path / "absent.html", *sorted(tmp_path.glob("*.html"))]
    found = preview_of(paths, {"select": "p, nav", "drop": "b"}, Limits(), 3)
    assert found["titles"] == ["One", "One"] and found["chosen"] == {"p": 2, "nav": 2, "b": 2}
    assert [reason for _, reason in found["problems"]] == ["there is no such file; check the path"]
    table = preview_table(found)
    assert table["kept"][:4] == ["✗ head", "✓", "✗ left out", "✓"] and table["text"][3] == "It is here."
    assert preview_of(paths[1:], {"select": ".absent"}, Limits(), 1)["problems"][0][1].startswith("'.absent' chooses")
