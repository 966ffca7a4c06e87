"""Projects on their page and in the bar; and the same with people who sign in."""

import io
import zipfile

import pytest
from streamlit.testing.v1 import AppTest

from core.store import Command
from core.workspace.texts import address_of
from core.workspace.wording import JOINER

ANA, BEN = "ana@x.org", "ben@x.org"


def toasts(app):
    return " ".join(toast.value for toast in app.toast)


def test_one_user_is_said_and_the_last_save_shown(open_page):
    app = open_page("projects")
    captions = " ".join(caption.value for caption in app.caption)
    assert "One user · Saved" in captions and "no sign-in" in captions
    assert app.selectbox(key="project").options == ["My project"]


def test_making_renaming_and_switching(open_page, workbench):
    app = open_page("projects")
    app.text_input(key="projects_new_name").set_value("Basque")
    app.button(key="projects_new").click().run()
    assert not app.exception and app.selectbox(key="project").options == ["My project", "Basque"]
    project = workbench.store.project(app.session_state["project_id"])
    assert project.name == "Basque"
    app.text_input(key=f"projects_name_{project.id}_Basque").set_value("Euskara")
    app.button(key="projects_rename").click().run()
    assert "Renamed" in toasts(app) and workbench.store.project(project).name == "Euskara"
    app.text_input(key="projects_new_name").set_value("Euskara")
    app.button(key="projects_new").click().run()
    assert "There is a project named 'Euskara' already" in toasts(app)
    app.selectbox(key="project").set_value(workbench.store.default_project().id).run()
    assert app.session_state["project_id"] == workbench.store.default_project().id
    app.button(key="projects_copy").click().run()
    assert "My project (2)" in app.selectbox(key="project").options and not app.exception


def test_a_link_opens_its_project_and_a_dead_one_says_so(open_page, workbench):
    workbench.store.default_project()
    other = workbench.store.create_project("Basque")
    workbench.store.execute(other, Command("lexicon", "", None, "x"))
    assert open_page(project="My project").session_state["project_id"] == workbench.store.default_project().id
    app = open_page(project="Gone")
    assert app.session_state["project_id"] == other.id  # changed last
    assert "There is no project 'Gone' here; this is 'Basque'" in toasts(app)
    assert "There is no text 'lost' in this project" in toasts(open_page(project="Basque", corpus="lost"))


def test_a_link_opens_its_text_s_project_whatever_that_is_called_now(open_page, workbench):
    store = workbench.store
    first = store.default_project()
    text = store.corpus(store.add_corpus(first, "cats.txt", b"cats sleep\n", "text"))
    link = {"project": first.name, "text": address_of(text)}
    store.rename_project(first, "Cats")
    other = store.create_project(link["project"])
    app = open_page(**link)
    assert app.session_state["project_id"] == first.id and app.session_state["corpus_id"] == text.id
    assert toasts(app) == "" and app.query_params["text"] == link["text"]
    store.remove_corpus(text.id)
    app = open_page(**link)
    assert app.session_state["project_id"] == other.id and "There is no text 'cats.txt'" in toasts(app)


def test_deleting_into_the_trash_and_back_and_for_good(open_page, workbench):
    workbench.store.default_project()
    project = workbench.store.create_project("Basque")
    app = open_page("projects", project="Basque")
    assert any("holds 1 text, 1 change and 0 runs" in each.value for each in app.markdown)
    app.button(key="projects_delete").click().run()
    assert app.selectbox(key="project").options == ["My project"] and not app.exception
    app.button(key=f"projects_back_{project.id}").click().run()
    assert app.selectbox(key="project").options == ["My project", "Basque"]
    workbench.store.delete_project(project)  # in another window
    app.run()
    assert "deleted, or you no longer have access; this is 'My project'" in toasts(app) and not app.exception
    app.button(key=f"projects_purge_{project.id}").click().run()
    assert workbench.store.trash() == [] and not app.exception


def test_a_backup_is_restored_and_a_strange_file_refused(open_page, workbench):
    store = workbench.store
    file = io.BytesIO()
    store.backup_project(store.default_project(), file)
    app = open_page("projects")
    app.file_uploader(key="projects_upload").upload("mine.zip", file.getvalue()).run()
    app.button(key="projects_restore").click().run()
    assert app.selectbox(key="project").options == ["My project", "My project (2)"]
    strange = io.BytesIO()
    with zipfile.ZipFile(strange, "w") as archive:
        archive.writestr("notes.txt", "nothing")
    app.file_uploader(key="projects_upload").upload("else.zip", strange.getvalue()).run()
    app.button(key="projects_restore").click().run()
    assert "This archive is no backup of the workbench; nothing was restored" in app.error[0].value
    assert len(store.projects()) == 2 and not app.exception


@pytest.fixture
def signed_in(home, open_page):
    """signed_in(address, page, **query) -> the AppTest of who is signed in."""

    def signed_in(address, page=None, **query):
        app = AppTest.from_file(str(open_page.__globals__["ROOT"] / "app.py"), default_timeout=120)
        app.user = {"is_logged_in": True, "email": address}
        for key, value in query.items():
            app.query_params[key] = value
        app.run()
        if page is not None:
            app.switch_page(f"pages/{page}.py").run()
        assert not app.exception, app.exception
        return app

    return signed_in


def test_who_is_not_signed_in_sees_nothing(home, open_page):
    app = AppTest.from_file(str(open_page.__globals__["ROOT"] / "app.py"), default_timeout=120)
    app.user = {"is_logged_in": False}
    app.secrets["auth"] = {"client_id": "x", "other": {"client_id": "y"}}
    app.run()
    assert not app.exception and [button.label for button in app.button] == ["Sign in", "Sign in with other"]
    assert not app.selectbox and not app.dataframe


def test_an_unverified_address_is_nobody(home, open_page):
    app = AppTest.from_file(str(open_page.__globals__["ROOT"] / "app.py"), default_timeout=120)
    app.user = {"is_logged_in": True, "email": ANA, "email_verified": False}
    app.run()
    assert "no verified e-mail address" in app.error[0].value and not app.selectbox


def test_people_see_their_own_projects_and_what_is_shared(signed_in, workbench):
    hers = signed_in(ANA, "projects")
    project = workbench.store.on_behalf_of(ANA).default_project()
    assert any("owner here" in caption.value for caption in hers.caption)
    his = signed_in(BEN, "projects", project="My project")
    assert his.session_state["project_id"] != project.id  # he has one of that name himself
    hers.text_input(key="projects_invite").set_value("Ben@x.org")
    hers.selectbox(key="projects_invite_role").set_value("reader")
    hers.button(key="projects_invite_add").click().run()
    assert workbench.store.members(project) == {ANA: "owner", BEN: "reader"} and not hers.exception
    his.run()
    assert len(set(his.selectbox(key="project").options)) == 2
    his.selectbox(key="project").set_value(project.id).run()
    assert his.button(key="shared_add_text").disabled and not his.exception
    hers.selectbox(key=f"projects_role_{project.id}_{BEN}").set_value("annotator").run()
    his.run()
    assert not his.button(key="shared_add_text").disabled
    workbench.store.on_behalf_of(BEN).execute(project, Command("lexicon", "", None, "x"), label="a word")
    hers.run()
    assert any("Saved" in c.value and f"by {BEN}" in c.value.replace(JOINER, "") for c in hers.caption)
    assert hers.button(key="shared_undo").disabled  # it was not hers
    hers.button(key=f"projects_role_{project.id}_{BEN}_out").click().run()
    his.run()
    assert "you no longer have access" in toasts(his) and his.session_state["project_id"] != project.id
    assert not his.exception


def test_the_author_of_a_change_is_who_signed_in(signed_in, workbench):
    hers = signed_in(ANA, "constraints")
    project = workbench.store.on_behalf_of(ANA).default_project()
    assert workbench.store.history(project)[0].author == ANA
    hers.switch_page("pages/consensus.py").run()  # a page with a desk of its own
    assert not hers.exception


def test_what_cannot_be_stopped_is_said(workbench):
    def script():
        import streamlit as st

        from pages.shared.state import cancel

        st.button("Cancel", key="stop", on_click=cancel, args=(99,))

    app = AppTest.from_function(script).run()
    app.button(key="stop").click().run()
    assert not app.exception and "There is no run 99" in app.session_state["shared_flash"][0]
