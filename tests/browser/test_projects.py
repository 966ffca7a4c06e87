"""Projects in a real browser: made, opened, deleted, taken back, backed up and restored; links to what is gone."""

import pytest
from playwright.sync_api import expect

from core.store import Store

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs


@pytest.fixture
def open_projects(open_app):
    def open_projects():
        page = open_app("app.py", path="/projects")
        page.set_default_timeout(PATIENCE)
        expect(page.get_by_role("heading", name="Projects")).to_be_visible(timeout=PATIENCE)
        return page

    return open_projects


@pytest.fixture
def make(settle):
    """make(page, name): a new project of that name, which is open then."""

    def make(page, name):
        settle(page)
        page.get_by_label("Name of the new project").fill(name)
        page.get_by_role("button", name="Create").click()
        expect(this(page, name)).to_be_visible(timeout=PATIENCE)
        settle(page)

    return make


def this(page, name):
    return page.get_by_role("heading", name=f"This project: {name}", exact=True)


def move_to_trash(page):
    page.get_by_role("button", name="Delete this project").click()
    page.get_by_role("button", name="Move to trash").click()


def test_a_second_project_is_opened_from_the_list_deleted_and_taken_back(open_projects, make, settle):
    page = open_projects()
    make(page, "Basque")
    make(page, "Breton")
    table = page.locator(".st-key-projects_list canvas").first.bounding_box()
    page.mouse.click(table["x"] + 15, table["y"] + 35 * 2 + 17)  # the mark of the second row
    expect(this(page, "Basque")).to_be_visible(timeout=PATIENCE)
    settle(page)
    move_to_trash(page)
    expect(page.get_by_text("Moved Basque to the trash")).to_be_visible(timeout=PATIENCE)
    expect(this(page, "Basque")).to_have_count(0, timeout=PATIENCE)
    settle(page)
    page.get_by_role("button", name="Restore").click()
    expect(this(page, "Basque")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("heading", name="Trash")).to_have_count(0)


def test_a_backup_comes_back_as_a_project_of_its_own(open_projects, make, settle, tmp_path):
    page = open_projects()
    make(page, "Kept words")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download a backup").click()
    backup = tmp_path / download.value.suggested_filename
    download.value.save_as(backup)
    strange = tmp_path / "strange.zip"
    strange.write_bytes(backup.read_bytes()[:-30])
    for file in (strange, backup):
        page.locator(".st-key-projects_upload input[type=file]").set_input_files(file)
        restore = page.get_by_role("button", name=f"Restore {file.name}")
        expect(restore).to_be_visible(timeout=PATIENCE)
        settle(page)
        restore.click()
        if file is strange:
            expect(page.get_by_role("alert").filter(has_text="no backup")).to_be_visible(timeout=PATIENCE)
            expect(this(page, "Kept words")).to_be_visible()
    expect(this(page, "Kept words (2)")).to_be_visible(timeout=PATIENCE)


def test_a_link_to_what_is_gone_says_so_in_one_sentence(open_projects, make, settle, start_app):
    page = open_projects()
    make(page, "Gone words")
    link = page.url
    assert "project=Gone+words" in link
    move_to_trash(page)
    expect(page.get_by_text("Moved Gone words to the trash")).to_be_visible(timeout=PATIENCE)
    address = start_app("app.py")
    for path, told in (
        (link.removeprefix(address), "There is no project 'Gone words' here"),
        ("/?corpus=gone.conllu", "There is no text 'gone.conllu' in this project"),
        ("/?sentence=4000", "There is no sentence 4000 here; the first is shown"),
        ("/annotate?sentence=4000", "There is no sentence 4000 here; the first is shown"),
        ("/runs?run=Run+99", "There is no run 'Run 99' here; the newest is shown"),
    ):
        if "run=" in path:
            _leave_a_run(page, start_app)
        page.goto(address + path)
        expect(page.get_by_text(told)).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_test_id("stException")).to_have_count(0)


def _leave_a_run(page, start_app):
    store = Store.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite")
    project = store.recent_project()
    run = store.create_run(project, "ge", {"corpus": store.corpora(project)[0].id}, data_hash="ab" * 32)
    store.start_run(run)
    store.finish_run(run, "done", {"objective": -1.0, "iterations": 1, "end": "converged"})
    store.close()
