"""``corpus export``: a text of a project as it stands, by version, or as it was uploaded."""

import pytest

from core.treebank import read_conllu
from core.workspace import Workspace, add_corpus
from core.workspace.annotations import Annotations
from core.workspace.stored import stored_kinds

TEXT = """1\tel\t_\tDET\t_\t_\t_\t_\t_\t_
2\tgat\t_\tNOUN\t_\t_\t_\t_\t_\t_

1\tel\t_\tDET\t_\t_\t2\tdet\t2:det\t_
2\tgos\t_\tNOUN\t_\t_\t0\troot\t0:root\t_

1\tel\t_\tDET\t_\t_\t2\tdet\t2:det\t_
2\tgall\t_\tNOUN\t_\t_\t0\troot\t0:root\t_

"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """The name of a project with one text; the project's version corrects the first and second, Ann's the first."""
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    workspace = Workspace.open(None, stored_kinds)
    project = workspace.store.default_project()
    number, _ = add_corpus(workspace.store, project, "animals.conllu", TEXT.encode(), "conllu")
    for layer, index, heads in (("", 0, [2, 0]), ("", 1, [0, 1]), ("Ann", 0, [0, 1])):
        version = Annotations(workspace, workspace.store.corpus(number), layer)
        annotation, was = version.get(index)
        version.write(index, annotation.with_values({"heads": heads}), was, f"{layer}{index}", "correcting")
    workspace.store.close()
    return project.name


def exported(run, project, tmp_path, *options):
    report = run(
        "corpus", "export", project, "animals.conllu", "--out", str(tmp_path / "out.conllu"), "--json", *options
    )
    return report, read_conllu(tmp_path / "out.conllu")


def test_a_text_is_written_with_what_is_begun(run, project, tmp_path):
    report, treebank = exported(run, project, tmp_path)
    assert report["corrected"] == 2 and "enhanced_dropped_sentences" not in report
    assert [sentence.heads[1:].tolist() for sentence in treebank] == [[2, 0], [0, 1], [2, 0]]
    text = (tmp_path / "out.conllu").read_text()
    graphs = [line.split("\t")[8] for line in text.splitlines() if line]
    assert graphs == ["_", "_", "0:det", "1:root", "2:det", "0:root"]  # brought along where the tree was corrected
    exported(run, project, tmp_path, "--keep-enhanced")
    assert (tmp_path / "out.conllu").read_text() == text
    exported(run, project, tmp_path, "--drop-enhanced")
    assert "0:root" not in (tmp_path / "out.conllu").read_text()


def test_another_version_and_the_file_itself(run, project, tmp_path):
    _, treebank = exported(run, project, tmp_path, "--version", "Ann")
    assert treebank[0].heads[1:].tolist() == [0, 1] and treebank[1].heads[1:].tolist() == [2, 0]
    report, _ = exported(run, project, tmp_path, "--as-uploaded")
    assert report["corrected"] == 0 and (tmp_path / "out.conllu").read_text() == TEXT


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("My project", "birds.conllu"), "has no text 'birds.conllu'; it has 'sample', 'animals.conllu'"),
        (("Birds", "animals.conllu"), "has no project 'Birds'"),
        (("My project", "animals.conllu", "--version", "Bob"), "nobody has annotated animals.conllu as 'Bob'"),
    ],
)
def test_what_is_not_there_is_named(run, project, tmp_path, arguments, sentence):
    assert sentence in run("corpus", "export", *arguments, "--out", tmp_path / "out.conllu", code=2)
    assert not (tmp_path / "out.conllu").exists()
