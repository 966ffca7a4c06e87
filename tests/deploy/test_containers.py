"""The composition as an engine runs it, where one is at hand; tests/deploy/test_compose.py reads it everywhere."""

import os
import subprocess

import pytest

from tests.deploy.proxy import DEPLOY

ENGINE = "WORKBENCH_TEST_ENGINE"  # podman or docker, one that reaches a registry


def test_image_and_composition_start_and_outlive_other_containers():
    if (engine := os.environ.get(ENGINE)) is None:
        pytest.skip(f"no container engine is named in {ENGINE}")
    surroundings = os.environ | {"ENGINE": engine}
    subprocess.run([str(DEPLOY.parent / ".ci" / "composition")], check=True, env=surroundings)
