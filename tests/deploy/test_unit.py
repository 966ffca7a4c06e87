"""The systemd unit: what it may do, by systemd's own measure, and that it starts what is installed."""

import re
import shlex
import shutil
import subprocess

import pytest

from core.commandline.launch import streamlit_options
from tests.deploy.proxy import DEPLOY, require

UNIT = "parser-workbench@8501.service"
EXPOSURE = 30  # tenths, of 100


@pytest.fixture
def unit(tmp_path):
    """Path of an instance whose program is there."""
    text = (DEPLOY / "parser-workbench@.service").read_text(encoding="utf-8")
    path = tmp_path / UNIT
    path.write_text(text.replace("/opt/parser-workbench/bin/parser-workbench", shutil.which("true")), encoding="utf-8")
    return path


def settings(text):
    """Name -> values of a unit, in order."""
    found = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", text, re.M):
        found.setdefault(name, []).append(value)
    return found


def test_systemd_reads_it_and_finds_little_that_it_could_harm(unit):
    program = require("systemd-analyze", "systemd")
    for words in (["verify"], ["security", "--offline=true", f"--threshold={EXPOSURE}"]):
        read = subprocess.run([program, *words, str(unit)], capture_output=True, text=True)
        assert read.returncode == 0 and "nknown" not in read.stderr, read.stdout + read.stderr


def test_its_command_is_one_that_the_workbench_takes(tmp_path, monkeypatch):
    found = settings((DEPLOY / "parser-workbench@.service").read_text(encoding="utf-8"))
    program, *words = shlex.split(
        found["ExecStart"][0].replace("%i", "8599").replace("${CREDENTIALS_DIRECTORY}", "/run/c")
    )
    assert program == "/opt/parser-workbench/bin/parser-workbench"
    for name in ("WORKBENCH_HOME", "WORKBENCH_DATABASE", "NUMBA_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path) if name == "WORKBENCH_HOME" else "")
        if name != "WORKBENCH_HOME":
            monkeypatch.delenv(name)
    options = streamlit_options(words)
    assert "--server.port=8599" in options and "--server.baseUrlPath=workbench" in options
    assert found["LoadCredential"] == ["secrets.toml:/etc/parser-workbench/secrets.toml"]
    assert "--secrets.files=/run/c/secrets.toml" in options
    assert "WORKBENCH_SIGN_IN=required" in found["Environment"]


def test_commands_have_the_place_and_the_user_of_the_services():
    found = settings((DEPLOY / "parser-workbench@.service").read_text(encoding="utf-8"))
    text = (DEPLOY / "workbench").read_text(encoding="utf-8").replace("\\\n", "")
    words = shlex.split(re.findall(r"^exec (.*)$", text, re.M)[0])
    given = {word.partition("=")[2] for word in words}
    assert f"--uid={found['User'][0]}" in words and f"EnvironmentFile={found['EnvironmentFile'][0]}" in given
    environment = shlex.split(found["Environment"][0])
    assert {each for each in environment if "HOME" in each} <= given
    assert f"StateDirectory={found['StateDirectory'][0]}" in given and words[-3:] == ["-m", "core", "$@"]
