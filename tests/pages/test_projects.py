"""Projects on their page and in the bar; and the same with people who sign in."""

import io
import zipfile
from urllib.parse import parse_qs, urlsplit

import pytest
import streamlit as st
from streamlit.config import get_option, set_option
from streamlit.testing.v1 import AppTest

from core.errors import StoreError
from core.store import Account, Command
from core.workspace.texts import address_of
from core.workspace.wording import JOINER
from pages.shared import signing
from pages.shared.admission import places
from tests.pages.conftest import ROOT, TIMEOUT
from tests.pages.reading import keys, pressed, said, table

ANA, BEN = "ana@x.org", "ben@x.org"
WORD = Command("lexicon", "", None, "x")


@pytest.fixture
def store(workbench):
    return workbench.store


def choice(app):
    return app.selectbox(key="project")


def test_making_renaming_copying_and_switching(open_page, store, project):
    app = open_page("projects")
    assert "One user · Saved" in said(app.caption) and "no sign-in" in said(app.caption)
    assert choice(app).options == ["My project"]
    app.text_input(key="projects_new_name").set_value("Basque")
    assert choice(pressed(app, "projects_new")).options == ["My project", "Basque"]
    made = store.project(app.session_state["project_id"])
    app.text_input(key=f"projects_name_{made.id}_Basque").set_value("Euskara")
    assert "Renamed" in said(pressed(app, "projects_rename").toast) and store.project(made).name == "Euskara"
    app.text_input(key="projects_new_name").set_value("Euskara")
    assert "There is a project named 'Euskara' already" in said(pressed(app, "projects_new").toast)
    choice(app).set_value(project.id).run()
    assert app.session_state["project_id"] == project.id
    assert "My project (2)" in choice(pressed(app, "projects_copy")).options


def test_a_link_opens_its_project_and_a_dead_one_says_so(open_page, store, project):
    other = store.create_project("Basque")
    store.execute(other, WORD)
    assert open_page(project="My project").session_state["project_id"] == project.id
    app = open_page(project="Gone")
    assert app.session_state["project_id"] == other.id  # changed last
    assert "There is no project 'Gone' here; this is 'Basque'" in said(app.toast)
    assert "There is no text 'lost' in this project" in said(open_page(project="Basque", corpus="lost").toast)


def test_a_link_opens_its_text_s_project_whatever_that_is_called_now(open_page, store, project, add):
    text = add("cats.txt", "cats sleep\n")
    link = {"project": project.name, "text": address_of(text)}
    store.rename_project(project, "Cats")
    other = store.create_project(link["project"])
    app = open_page(**link)
    assert (app.session_state["project_id"], app.session_state["corpus_id"]) == (project.id, text.id)
    assert said(app.toast) == "" and app.query_params["text"] == link["text"]
    store.remove_corpus(text.id)
    app = open_page(**link)
    assert app.session_state["project_id"] == other.id and "There is no text 'cats.txt'" in said(app.toast)


def test_deleting_into_the_trash_and_back_and_for_good(open_page, store, project):
    other = store.create_project("Basque")
    app = open_page("projects", project="Basque")
    assert any("holds 1 text, 1 change and 0 runs" in each.value for each in app.markdown)
    assert choice(pressed(app, "projects_delete")).options == ["My project"]
    assert choice(pressed(app, f"projects_back_{other.id}")).options == ["My project", "Basque"]
    store.delete_project(other)  # in another window
    assert "deleted, or you no longer have access; this is 'My project'" in said(app.run().toast)
    pressed(app, f"projects_purge_{other.id}")
    assert store.trash() == []


def test_a_backup_is_restored_and_a_strange_file_refused(open_page, store, project):
    file, strange = io.BytesIO(), io.BytesIO()
    store.backup_project(project, file)
    with zipfile.ZipFile(strange, "w") as archive:
        archive.writestr("notes.txt", "nothing")
    app = open_page("projects")
    for each in (file, strange):
        app.file_uploader(key="projects_upload").upload("mine.zip", each.getvalue()).run()
        pressed(app, "projects_restore")
        assert choice(app).options == ["My project", "My project (2)"]
    assert "This archive is no backup of the workbench; nothing was restored" in app.error[0].value
    assert len(store.projects()) == 2


PROVIDER = 'client_id = "x"\nclient_secret = "y"\nserver_metadata_url = "https://x.org/.well-known"\n'
SECRETS = (
    f'[auth]\nredirect_uri = "http://localhost/oauth2callback"\ncookie_secret = "z"\n{PROVIDER}[auth.other]\n{PROVIDER}'
)


def test_what_takes_the_room_is_shown_with_the_quota(open_page, store, project, add, monkeypatch):
    monkeypatch.setenv("WORKBENCH_QUOTA_PROJECT", "5")
    add("cats.txt", "cats sleep\n")
    run = store.create_run(project, "grammar", {})
    store.start_run(run)
    store.finish_run(run, "done", result=bytes(3_000_000))
    app = open_page("projects", state={f"projects_room_{project.id}": True})
    assert "Room: 3.0 of 5 MB" in [each.label for each in app.expander]
    shown = table(app, "What")
    assert shown["What"].tolist()[0] == "Runs: grammar from constraints" and shown["MB"].tolist()[0] == 3.0
    assert {"Texts", "Changes and versions"} < set(shown["What"])
    monkeypatch.setenv("WORKBENCH_QUOTA_PROJECT", "2")
    with pytest.raises(StoreError, match="There is no room for dogs"):
        add("dogs.txt", "dogs bark\n")


def test_removed_texts_are_emptied_after_it_was_said_what_that_means(open_page, store, project, add):
    text = add("cats.txt", "cats sleep\n")
    store.remove_corpus(text.id)
    app = open_page("projects", state={f"projects_room_{project.id}": True})
    assert "The contents of 1 removed text, 0.0 MB, will be deleted. This cannot be undone" in said(app.markdown)
    assert said(pressed(app, "projects_empty_now").toast) == "Emptied 1 removed text"
    assert store.removed_texts(project) == 0 and "projects_empty_now" not in keys(app.button)
    assert "the content of cats.txt was emptied; add the file again" in said(pressed(app, "shared_undo").toast)
    assert [corpus.name for corpus in store.corpora(project)] == ["sample"]


@pytest.fixture
def signed_in(home, store, monkeypatch):
    """signed_in(address, page, ...) -> the AppTest of who is signed in, in a browser known by that address."""
    (home / "secrets.toml").write_text(SECRETS, encoding="utf-8")
    usual = get_option("secrets.files")
    set_option("secrets.files", [str(home / "secrets.toml")])
    monkeypatch.setattr(signing, "browser_key", lambda _: st.user.get("email"))

    def signed_in(address, page=None, project=None):
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=TIMEOUT)
        app.user = {"is_logged_in": address is not None, "email": address}
        if address is not None:
            store.begin_session(Account("https://x.org", address, address), address, 1)
        if project is not None:
            app.query_params["project"] = project
        app.run()
        return app if page is None else app.switch_page(f"pages/{page}.py").run()

    yield signed_in
    set_option("secrets.files", usual)


def test_who_is_not_signed_in_sees_nothing(signed_in, store):
    app = signed_in(None)
    assert [button.label for button in app.button] == ["Sign in", "Sign in with other"]
    assert not app.selectbox and not app.dataframe and not app.info
    app = signed_in(ANA, "projects")
    assert choice(app).options == ["My project"] and "Signed in as" in said(app.caption)
    store.end_session(ANA)  # in another tab of her browser
    assert "You were signed out" in app.run().info[0].value and not app.selectbox


def test_signing_out_everywhere_ends_all_browsers(signed_in, store):
    app = signed_in(ANA)
    store.begin_session(Account("https://x.org", ANA, ANA), "another browser", 1)
    pressed(app, "shared_sign_out_all")
    assert not app.selectbox and [each["browsers"] for each in store.people()] == [0]


def test_one_person_s_tabs_leave_room_for_others(signed_in, monkeypatch):
    monkeypatch.setenv("WORKBENCH_TABS", "9")
    for tab in ("one", "two"):
        assert places().ask(tab, lambda _: True, ANA) == 0
    app = signed_in(ANA)
    assert "2 tabs of yours are open, as many as one person may have of the 9" in said(app.markdown)
    assert not app.selectbox and signed_in(BEN).selectbox


def test_sharing_without_a_provider_says_what_comes(open_page, store, project):
    assert not open_page("projects").info
    store.set_role(project, ANA, "owner")  # on the command line
    app = open_page("projects")
    assert "from its next start on, the server asks for one" in app.info[0].value


def test_people_see_their_own_projects_and_what_is_shared(signed_in, store):
    hers = signed_in(ANA, "constraints")
    project = store.on_behalf_of(ANA).default_project()
    assert store.history(project)[0].author == ANA  # of a change
    hers.switch_page("pages/consensus.py").run()  # a page with a desk of its own
    hers.switch_page("pages/projects.py").run()
    assert any("owner here" in caption.value for caption in hers.caption)
    his = signed_in(BEN, "projects", project="My project")
    assert his.session_state["project_id"] != project.id  # he has one of that name himself
    hers.text_input(key="projects_invite").set_value("Ben@x.org")
    hers.selectbox(key="projects_invite_role").set_value("reader")
    pressed(hers, "projects_invite_add")
    assert store.members(project) == {ANA: "owner", BEN: "reader"}
    assert len(set(choice(his.run()).options)) == 2
    choice(his).set_value(project.id).run()
    assert his.button(key="shared_add_text").disabled
    hers.selectbox(key=f"projects_role_{project.id}_{BEN}").set_value("annotator").run()
    assert not his.run().button(key="shared_add_text").disabled
    store.on_behalf_of(BEN).execute(project, WORD, label="a word")
    hers.run()
    assert any("Saved" in c.value and f"by {BEN}" in c.value.replace(JOINER, "") for c in hers.caption)
    assert hers.button(key="shared_undo").disabled  # it was not hers
    pressed(hers, f"projects_role_{project.id}_{BEN}_out")
    assert "you no longer have access" in said(his.run().toast) and his.session_state["project_id"] != project.id


def test_without_sign_in_a_second_person_gets_a_name_and_a_link(open_page, sample):
    for page, key in (("projects", "projects"), ("annotate", "ann")):
        app = open_page(page)
        assert "There is no sign-in: whoever opens this app works on all its projects" in said(app.caption)
        assert not app.code
        app.text_input(key=f"{key}_invite_name").set_value("Ann Lee").run()
        (link,) = (code.value for code in app.code)
        query = parse_qs(urlsplit(link).query)
        assert urlsplit(link).path.endswith("/annotate")
        assert query == {"project": ["My project"], "text": [address_of(sample)], "by": ['"Ann Lee"']}
        hers = open_page("annotate", **{name: value for name, (value,) in query.items()})
        assert "Ann Lee’s version" in said(hers.markdown)
        assert "printable" in said(app.text_input(key=f"{key}_invite_name").set_value("a\u0007").run().error)


def test_members_are_added_where_annotators_choose_versions(signed_in, store):
    hers = signed_in(ANA, "annotate")
    project = store.on_behalf_of(ANA).default_project()
    hers.text_input(key="ann_invite").set_value(BEN)
    pressed(hers, "ann_invite_add")
    assert store.members(project) == {ANA: "owner", BEN: "annotator"}
    his = signed_in(BEN, "annotate")
    choice(his).set_value(project.id).run()
    assert f"Owners of this project add people: {ANA}" in said(his.caption).replace(JOINER, "")


def test_what_cannot_be_stopped_is_said(workbench):
    def script():
        import streamlit as st

        from pages.shared.job_panel import cancel

        st.button("Cancel", key="stop", on_click=cancel, args=(99,))

    app = pressed(AppTest.from_function(script).run(), "stop")
    assert "There is no run 99" in app.session_state["shared_flash"][0]
