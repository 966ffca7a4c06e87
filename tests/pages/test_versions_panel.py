"""Versions of the constraint set: kept under a name, returned to, compared."""

from core.workspace.constraints.constraint_set import constraint_text
from core.workspace.constraints.versions import changed_lines, kept_versions
from core.workspace.wording import escape
from tests.pages.reading import pressed, said, shown


def test_lines_added_removed_and_changed_are_told_apart():
    old = "DET <- NOUN = 0.9\nADJ <- NOUN = 0.5\nADV <- VERB = 0.5\n"
    new = "# mine\nADV <- VERB = 0.5\nDET <- NOUN = 0.8 weight 2\nAUX <- VERB = 1\n"
    assert changed_lines(old, new) == {
        "added": ["AUX <- VERB = 1.0"],
        "removed": ["ADJ <- NOUN = 0.5"],
        "changed": ["DET <- NOUN = 0.9 → 0.8 weight 2"],
        "kept": 1,
    }


def test_the_set_that_ships_can_be_kept_and_returned_to(open_page, workbench, corpus, save):
    app = shown(open_page("constraints"), ge_view="versions")
    assert "No versions yet" in said(app.info)
    for _ in range(2):  # the second under a name that is taken
        app.text_input(key="ge_version_name").set_value("first steps")
        pressed(app, "ge_version_keep")
    assert "already" in said(app.toast)
    (version,) = kept_versions(workbench.store, corpus)
    assert version.name == "first steps" and "no difference" in said(app.caption)
    assert app.button(key="ge_version_restore").disabled
    source = save("DET <- NOUN per modifier = 0.1\n")
    assert "14 removed" in said(app.run().caption) and "~" in said(app.markdown)
    pressed(app, "ge_version_restore")
    assert constraint_text(workbench.store, corpus, None) == version.value
    pressed(app, "shared_undo")
    assert constraint_text(workbench.store, corpus, None) == source


def test_backticks_and_markdown_in_lines_and_names_stay_what_they_are(open_page, save):
    app = shown(open_page("constraints"), ge_view="versions")
    save('form:"`" <- NOUN = 0.9\n')
    name = "`first` **bold** :red[x]"
    app.text_input(key="ge_version_name").set_value(name)
    pressed(app, "ge_version_keep")
    save('form:"``**x**" <- NOUN = 0.9\n')
    app.run()
    lines = [each.value for each in app.markdown if each.value.startswith((":green", ":red"))]
    added, removed = '``` form:"``**x**" <- NOUN = 0.9 ```', '`` form:"`" <- NOUN = 0.9 ``'
    assert lines == [f":green[**+**] {added}", f":red[**−**] {removed}"]
    label = app.button(key="ge_version_restore").label
    assert label == f"Return to {escape(name)}" and "\\`first\\`" in label and "\\*\\*bold" in label
