"""Commands as a shell gives them."""

import json

import pytest

from core.__main__ import main

FOUND = "whatever was found"


@pytest.fixture
def run(capsys):
    """run(*arguments, code=0) -> the output, read where it is JSON; with an exit code of 2 the line of the error.

    A command that checks ends with 0 or 1; ``code=FOUND`` takes both.
    """

    def call(*arguments, code=0):
        try:
            ended = main([str(argument) for argument in arguments])
        except SystemExit as stopped:  # by what reads options
            ended = stopped.code
        output = capsys.readouterr()
        assert ended == code or (code == FOUND and ended in (0, 1)), output.err
        if code == 2:
            assert output.out == "" and "Traceback" not in output.err
            line = output.err.splitlines()[-1]  # a slow machine says before how far it is
            assert "error: " in line and output.err.count("error: ") == 1
            return line
        return json.loads(output.out) if "--json" in arguments else output.out

    return call


@pytest.fixture
def write(tmp_path):
    """write(name, content) -> the path of a file."""

    def call(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return call


@pytest.fixture(scope="session")
def conllu():
    """conllu(*sentences, marks=None) -> CoNLL-U of sentences such as ``the/DET/DT/2/det barks/VERB``."""

    def call(*sentences, marks=None):
        lines = []
        for sentence in sentences:
            lines += [f"# markup = {marks}"] if marks else []
            for number, word in enumerate(sentence.split(), start=1):
                form, upos, xpos, head, relation = (each or "_" for each in (*word.split("/"), *"_" * 4)[:5])
                lines.append(f"{number}\t{form}\t_\t{upos}\t{xpos}\t_\t{head}\t{relation}\t_\t_")
            lines.append("")
        return "\n".join(lines) + "\n"

    return call
