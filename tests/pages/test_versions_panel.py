"""Versions of the constraint set: kept under a name, returned to, compared, opened by a link."""

from core.workspace.constraints.documents import constraint_text, save_text
from core.workspace.constraints.versions import changed_lines, keep_version, kept_versions
from tests.pages.reading import said


def open_versions(open_page):
    app = open_page("constraints")
    app.segmented_control(key="ge_view").set_value("versions").run()
    assert not app.exception
    return app


def keep(app, name):
    app.text_input(key="ge_version_name").set_value(name)
    app.button(key="ge_version_keep").click().run()
    assert not app.exception
    return app


def test_lines_added_removed_and_changed_are_told_apart():
    old = "DET <- NOUN = 0.9\nADJ <- NOUN = 0.5\nADV <- VERB = 0.5\n"
    new = "# mine\nADV <- VERB = 0.5\nDET <- NOUN = 0.8 weight 2\nAUX <- VERB = 1\n"
    assert changed_lines(old, new) == {
        "added": ["AUX <- VERB = 1.0"],
        "removed": ["ADJ <- NOUN = 0.5"],
        "changed": ["DET <- NOUN = 0.9 → 0.8 weight 2"],
        "kept": 1,
    }


def test_the_set_that_ships_can_be_kept_and_returned_to(open_page, workbench, corpus):
    app = open_versions(open_page)
    assert "No versions yet" in said(app.info)
    keep(app, "first steps")
    version = kept_versions(workbench.store, corpus)[0]
    assert version.name == "first steps"
    assert "no difference" in said(app.caption)
    assert app.button(key="ge_version_restore").disabled
    save_text(workbench.store, corpus, "DET <- NOUN per modifier = 0.1\n", "typing")
    app.run()
    assert "14 removed" in said(app.caption)
    assert "~" in said(app.markdown)
    app.button(key="ge_version_restore").click().run()
    assert not app.exception
    assert constraint_text(workbench.store, corpus, None) == version.value
    app.button(key="shared_undo").click().run()
    assert constraint_text(workbench.store, corpus, None) == "DET <- NOUN per modifier = 0.1\n"


def test_a_name_that_is_taken_is_refused_in_one_sentence(open_page, workbench, corpus):
    app = keep(keep(open_versions(open_page), "mine"), "mine")
    assert "already" in " ".join(toast.value for toast in app.toast)
    assert len(kept_versions(workbench.store, corpus)) == 1


def test_a_link_opens_the_version(open_page, workbench, ge, corpus):
    text = ge.text(corpus)
    for line, name in (("DET <- NOUN = 0.9\n", "one"), ("DET <- NOUN = 0.5\n", "two")):
        save_text(workbench.store, corpus, line, "typing")
        keep_version(workbench.store, corpus, text.treebank, name)
    app = open_page("constraints", version="one")
    assert not app.exception
    assert app.selectbox(key="version").value == kept_versions(workbench.store, corpus)[1].id
    assert "1 changed" in said(app.caption)
