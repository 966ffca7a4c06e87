"""Commands as a shell gives them."""

import json

import pytest

from core.__main__ import main


@pytest.fixture
def run(capsys):
    """run(*arguments, code=0) -> the output, read where it is JSON; with another exit code the error output."""

    def call(*arguments, code=0):
        assert main([str(argument) for argument in arguments]) == code
        output = capsys.readouterr()
        return output.err if code else json.loads(output.out) if "--json" in arguments else output.out

    return call
