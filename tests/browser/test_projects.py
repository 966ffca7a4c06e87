"""Projects in a real browser: a backup comes down and comes back, another project is opened from the list."""

from random import Random

import pytest
from playwright.sync_api import expect

from core.workspace import Workspace, add_corpus
from tests.browser.kept import drawn_anew, mark

pytestmark = pytest.mark.browser


def test_a_backup_comes_back_as_a_project_of_its_own_and_another_is_opened_from_the_list(open_app, settle, tmp_path):
    def is_open(name):
        expect(page.get_by_role("heading", name=f"This project: {name}", exact=True)).to_be_visible()
        settle(page)

    page = open_app("app.py", path="/projects")
    is_open("My project")
    page.get_by_label("Name of the new project").fill("Kept words")
    page.get_by_role("button", name="Create").click()
    is_open("Kept words")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download a backup").click()
    backup, strange = tmp_path / download.value.suggested_filename, tmp_path / "strange.zip"
    download.value.save_as(backup)
    strange.write_bytes(backup.read_bytes()[:-30])
    for file in (strange, backup):
        page.locator(".st-key-projects_upload input[type=file]").set_input_files(file)
        restore = page.get_by_role("button", name=f"Restore {file.name}")
        expect(restore).to_be_visible()
        settle(page)
        restore.click()
        if file is strange:
            expect(page.get_by_role("alert").filter(has_text="no backup")).to_be_visible()
            is_open("Kept words")
    is_open("Kept words (2)")
    table = page.locator(".st-key-projects_list [data-testid='stDataFrame']").first
    table.click(position={"x": 15, "y": 35 * 2 + 17})  # the mark of the second row
    is_open("Kept words")


def test_the_room_keeps_its_control_when_a_text_is_removed_and_the_room_that_is_taken_has_changed(
    open_app, start_app, settle
):
    start_app("app.py")
    workspace = Workspace.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite")
    store, project = workspace.store, workspace.store.default_project()
    add_corpus(store, project, "cats.txt", b"cats sleep\n")
    page = open_app("app.py", path="/projects?project=My+project&corpus=cats.txt")
    expect(page.get_by_text("Room: 0.0 MB")).to_be_visible()
    settle(page)
    mark(page)
    page.evaluate("window.room = document.querySelector('[class*=st-key-projects_room] summary')")
    noise = Random(0)  # in words of which little can be packed
    lines = (" ".join(noise.randbytes(8).hex() for _ in range(9)) for _ in range(500))
    add_corpus(store, project, "harbour.txt", "\n".join(lines).encode())
    store.close()
    page.get_by_role("button", name="Remove this text").click()
    expect(page.get_by_text("Room: 0.1 MB")).to_be_visible()
    settle(page)
    assert page.evaluate("window.room.isConnected") and not drawn_anew(page)
