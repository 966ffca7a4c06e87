"""The composition and the image as files: what they name is there, nothing is lost, no secret is baked in."""

import os
import re
import subprocess

import pytest
import yaml
from sqlalchemy.engine import make_url

from tests.deploy.proxy import DEPLOY

ROOT = DEPLOY.parent
PASSWORD = "p@ss%w:/#?&$ord"
DIGEST = "@sha256:" + 64 * "0"


@pytest.fixture(scope="module")
def composition():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def filled_in(value, settings):
    """A value of the composition, as an engine fills in its variables."""
    whole = re.sub(r"\$\{(\w+):\?[^}]*\}", lambda found: settings[found[1]], value.replace("$$", "\0"))
    assert "$" not in whole.replace(settings["POSTGRES_PASSWORD"], ""), value
    return whole.replace("\0", "$")


@pytest.fixture(scope="module")
def settings():
    """What ``pin`` writes, of a password that an address would have to encode."""
    return {name: f"example/{name.lower()}{DIGEST}" for name in ("BASE", "POSTGRES", "NGINX")} | {
        "POSTGRES_PASSWORD": PASSWORD
    }


def test_a_password_of_any_characters_reaches_the_workbenches_as_it_is(composition, settings):
    """libpq reads it from its own variable; tests/deploy/test_password.py signs in with it."""
    given = composition["services"]["database"]["environment"]
    for name in ("workbench-1", "workbench-2"):
        environment = {
            key: filled_in(value, settings) for key, value in composition["services"][name]["environment"].items()
        }
        assert environment["PGPASSWORD"] == filled_in(given["POSTGRES_PASSWORD"], settings) == PASSWORD
        url = make_url(environment["WORKBENCH_DATABASE"])
        assert (url.username, url.password, url.host) == (given["POSTGRES_USER"], None, "database")
        assert environment["WORKBENCH_SIGN_IN"] == "required" and environment["FORWARDED_ALLOW_IPS"] == "*"


def test_what_is_kept_has_a_name_and_logs_have_an_end(composition):
    services = composition["services"]
    mounted = {each.split(":")[0] for service in services.values() for each in service.get("volumes", ())}
    files = {each for each in mounted if each.startswith("./")}
    assert mounted - files == set(composition["volumes"]) == {"database", "projects"}
    assert all((DEPLOY / each).is_file() for each in files)
    secrets = [each for service in services.values() for each in service.get("secrets", ())]
    assert {each["source"] for each in secrets} == set(composition["secrets"])
    assert {each["target"] for each in secrets} == {"streamlit.toml"}  # of another ending Streamlit does not read it
    assert all(services[f"workbench-{number}"]["volumes"] == ["projects:/data"] for number in (1, 2))
    for service in services.values():
        assert service["logging"]["options"] == {"max-size": "10m", "max-file": "5"} and service["restart"] == "always"


def test_it_waits_for_the_database_and_opens_one_port_to_this_machine(composition):
    services = composition["services"]
    assert services["database"]["healthcheck"]["test"][0] == "CMD"
    for number in (1, 2):
        assert services[f"workbench-{number}"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert {name: service["ports"] for name, service in services.items() if "ports" in service} == {
        "proxy": ["127.0.0.1:8080:8080"]
    }
    site = (DEPLOY / "nginx" / "containers.conf").read_text(encoding="utf-8")
    assert "listen 8080;" in site and set(re.findall(r"server ([\w-]+):8501", site)) == {"workbench-1", "workbench-2"}


def test_nginx_is_told_its_name_server(composition):
    """Of the template's variables the image fills in this one alone; ``$place`` and its like are nginx's."""
    environment = composition["services"]["proxy"]["environment"]
    assert environment["NGINX_ENTRYPOINT_LOCAL_RESOLVERS"] and environment["NGINX_ENVSUBST_OUTPUT_DIR"] == "/etc/nginx"
    assert (
        "./nginx/containers.conf:/etc/nginx/templates/site.conf.template:ro"
        in composition["services"]["proxy"]["volumes"]
    )
    pattern = environment["NGINX_ENVSUBST_FILTER"].replace("$$", "$")
    named = re.findall(r"\$\{(\w+)\}", (DEPLOY / "nginx" / "containers.conf").read_text(encoding="utf-8"))
    assert named == ["NGINX_LOCAL_RESOLVERS"] and re.search(pattern, named[0]) and not re.search(pattern, "NGINX_LOCAL")


def test_images_are_named_by_digest_and_the_password_is_made_once(composition, settings, tmp_path):
    """``pin`` with an engine of the test's own, twice; what it writes is what the composition asks for."""
    folder = tmp_path / ".deploy"
    folder.mkdir()
    for name in ("pin", "Containerfile"):
        (folder / name).write_bytes((DEPLOY / name).read_bytes())
    (tmp_path / "engine").write_text(
        f'#!/bin/sh\n[ "$1" = pull ] && exec true\nfor name; do :; done\necho "${{name%:*}}{DIGEST}"\n',
        encoding="utf-8",
    )
    (tmp_path / "engine").chmod(0o755)
    texts = []
    for _ in range(2):
        surroundings = os.environ | {"ENGINE": str(tmp_path / "engine")}
        subprocess.run(["sh", str(folder / "pin")], check=True, env=surroundings)
        texts.append((folder / ".env").read_text(encoding="utf-8"))
    assert texts[0] == texts[1] and (folder / ".env").stat().st_mode & 0o77 == 0
    found = dict(line.split("=", 1) for line in texts[0].splitlines())
    assert found.keys() == settings.keys() and re.fullmatch(r"[0-9a-f]{48}", found["POSTGRES_PASSWORD"])
    used = [service["image"] for name, service in composition["services"].items() if not name.startswith("workbench")]
    used.append(composition["services"]["workbench-1"]["build"]["args"]["BASE"])
    assert all(filled_in(image, found).endswith(DIGEST) for image in used)


def test_the_image_runs_as_nobody_special_and_holds_no_secret():
    lines = re.sub(r"\\\n", "", (DEPLOY / "Containerfile").read_text(encoding="utf-8")).splitlines()
    steps = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    assert [rest for word, rest in steps if word == "FROM"] == ["$BASE AS installed", "$BASE"]
    last = steps[[word for word, _ in steps].index("USER") :]
    assert last[0][1] == "workbench" and {word for word, _ in last} >= {"ENTRYPOINT", "HEALTHCHECK", "VOLUME"}
    copied = [rest for word, rest in steps if word in ("COPY", "ADD")]
    assert copied == [". /tmp/parser-workbench", "--from=installed /opt/parser-workbench /opt/parser-workbench"]
    ignored = (DEPLOY / "Containerfile.containerignore").read_text(encoding="utf-8").split()
    assert {".deploy/.env", "**/secrets.toml", ".git"} <= set(ignored)
    for secret in (".deploy/.env", ".deploy/secrets.toml", ".streamlit/secrets.toml"):
        assert secret in (ROOT / ".gitignore").read_text(encoding="utf-8").split()
