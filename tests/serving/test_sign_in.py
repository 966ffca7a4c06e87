"""The provider's settings: read as Streamlit reads them, and one sentence for each way in which they are spoiled."""

import pytest
from streamlit import config
from streamlit.runtime.secrets import Secrets

from core.errors import WorkbenchError
from core.serving.sign_in import Provider, secret_files, sign_in
from core.store import Account
from tests.spoiled_secrets import AUTH, METADATA, PROVIDER, SPOILED, WHOLE, spoil


@pytest.fixture
def path(tmp_path):
    return tmp_path / "secrets.toml"


def asked(path, has_members=True, **environment):
    return sign_in(environment, [str(path)], lambda: has_members)


@pytest.mark.parametrize("name", SPOILED)
def test_a_spoiled_file_is_one_sentence(path, name):
    said = spoil(path, name)
    with pytest.raises(WorkbenchError) as refusal:
        asked(path)
    assert str(refusal.value).startswith(said) and "hush" not in str(refusal.value)
    if name in ("missing", "empty"):  # nobody has asked for a sign-in
        assert asked(path, has_members=False) is None
        with pytest.raises(WorkbenchError, match=r"^WORKBENCH_SIGN_IN=required asks people to sign in"):
            asked(path, has_members=False, WORKBENCH_SIGN_IN="required")
    else:
        with pytest.raises(WorkbenchError):
            asked(path, has_members=False)
    if name not in ("unreadable", "a folder", "encoding"):  # with which Streamlit itself does not begin
        assert asked(path, WORKBENCH_SIGN_IN="off") is None


@pytest.mark.parametrize(
    "text, said",
    [
        ("auth = 3\n", "auth in .* is a value instead of a section"),
        (WHOLE.replace("https://bench.example.org/oauth2callback", "/oauth2callback"), "redirect_uri in .* no address"),
        (WHOLE.replace("oauth2callback", "back"), "no address such as https://workbench.example.org/oauth2callback"),
        (WHOLE.replace("https://id", "id"), r"server_metadata_url of \[auth\] in .* is no address"),
        (AUTH, "names no provider, by client_id, client_secret and server_metadata_url"),
        (WHOLE.removeprefix("[auth]\n"), "redirect_uri in .* stands outside of the section"),
        (AUTH + "[auth.my_own]\n" + PROVIDER + METADATA, r"\[auth.my_own\] .* has an underscore in its name"),
    ],
)
def test_other_faults(path, text, said):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WorkbenchError, match=said):
        asked(path, has_members=False)


def test_providers(path):
    path.write_text(WHOLE + "[auth.google]\n" + PROVIDER + METADATA + "[auth.client_kwargs]\nscope = 'x'\n", "utf-8")
    found = asked(path, WORKBENCH_SESSION_DAYS="3", WORKBENCH_UNVERIFIED_EMAIL="allow")
    assert found == Provider((None, "google"), "https://bench.example.org/oauth2callback", 3, True)
    assert found.host == "bench.example.org" and found.is_encrypted


@pytest.mark.parametrize(
    "variable, value, said",
    [
        ("WORKBENCH_SIGN_IN", "no", "WORKBENCH_SIGN_IN is 'required' or 'off' or left out, not 'no'"),
        ("WORKBENCH_SIGN_IN", "OFF", "not 'OFF'"),
        ("WORKBENCH_UNVERIFIED_EMAIL", "true", "WORKBENCH_UNVERIFIED_EMAIL is 'allow' or left out"),
        ("WORKBENCH_SESSION_DAYS", "0", "WORKBENCH_SESSION_DAYS is the number of days from 1 to 30, not '0'"),
        ("WORKBENCH_SESSION_DAYS", "31", "not '31'"),
    ],
)
def test_settings_that_mean_nothing(path, variable, value, said):
    with pytest.raises(WorkbenchError, match=said):
        asked(path, has_members=False, **{variable: value})


def test_whose_address_it_is_must_be_sure():
    claims = {"iss": "https://id.example.org", "sub": "7", "email": "ana@x.org", "email_verified": True}
    strict, lax = Provider((None,), ""), Provider((None,), "", takes_unverified=True)
    assert strict.account(claims) == Account("https://id.example.org", "7", "ana@x.org")
    for verified in (False, "true", 1, None):
        unsure = claims | {"email_verified": verified}
        with pytest.raises(WorkbenchError, match=r"Nobody has verified that ana@x.org is yours"):
            strict.account(unsure)
        assert lax.account(unsure) == strict.account(claims)
    for name, said in (("email", "no e-mail address"), ("sub", "names no account"), ("iss", "names no account")):
        with pytest.raises(WorkbenchError, match=said):
            strict.account(claims | {name: None})


@pytest.mark.parametrize("given", ["option", "option apart", "variable", "config", "usual"])
def test_the_files_are_streamlit_s(tmp_path, monkeypatch, given):
    home, work, app = (tmp_path / name for name in ("home", "work", "app"))
    for each in (home, work, app):
        (each / ".streamlit").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(work)
    options, environment = ["--server.headless=true"], {}
    flags = {}
    if given.startswith("option"):
        options += ["--secrets.files=a.toml"] if given == "option" else ["--secrets.files", "a.toml"]
        flags = {"secrets.files": ["a.toml"]}
    elif given == "variable":
        environment = {"STREAMLIT_SECRETS_FILES": "a.toml b.toml"}
        flags = {"secrets.files": ["a.toml", "b.toml"]}
    elif given == "config":
        (work / ".streamlit" / "config.toml").write_text('[secrets]\nfiles = ["c.toml"]\n', "utf-8")
    monkeypatch.setattr(config, "_main_script_path", str(app / "app.py"))
    usual = config.get_config_options()
    try:
        found = config.get_config_options(force_reparse=True, options_from_flags=flags)["secrets.files"].value
        assert secret_files(options, environment, app) == found
    finally:
        config._config_options = usual


def test_what_is_whole_here_is_whole_to_streamlit(path):
    path.write_text(WHOLE, encoding="utf-8")
    assert asked(path) is not None
    assert Secrets()._parse_toml_file(str(path))[0]["auth"]["client_id"] == "bench"


def test_a_folder_with_a_folder_for_each_secret(tmp_path):
    folder = tmp_path / "secrets"
    (folder / "auth").mkdir(parents=True)
    for line in WHOLE.splitlines()[1:]:
        name, value = line.split(" = ")
        (folder / "auth" / name).write_text(f"{value[1:-1]}\n", encoding="utf-8")
    assert asked(folder) == Provider((None,), "https://bench.example.org/oauth2callback")
