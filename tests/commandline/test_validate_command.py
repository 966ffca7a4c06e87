"""``corpus validate``: every fault with its place; nothing to say of a file that cannot be read but one line."""

import json

from core.__main__ import main

WRONG = (
    "# sent_id = a\n1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
    "3\tand\t_\tCCONJ\t_\t_\t1\tconj\t_\t_\n4\tcats\t_\tNOUN\t_\t_\t3\tcc\t_\t_\n\n"
)


def test_faults_are_listed_and_counted(tmp_path, capsys):
    path = tmp_path / "wrong.conllu"
    path.write_text(WRONG)
    assert main(["corpus", "validate", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["kinds"] == {"tag and relation": 1}
    assert found["faults"][0] == {
        "sentence": 1,
        "sent_id": "a",
        "word": 4,
        "kind": "tag and relation",
        "message": "is cc and NOUN, which do not go together",
    }
    assert main(["corpus", "validate", str(path)]) == 0
    said = capsys.readouterr().out
    assert "1 fault in 1 of 1 sentences" in said and "sentence 1 (a), word 4 cats: is cc and NOUN" in said


def test_another_treebanks_rosters_judge(tmp_path, capsys):
    path, other = tmp_path / "wrong.conllu", tmp_path / "roster.conllu"
    path.write_text(WRONG.replace("conj", "conj:odd"))
    other.write_text(WRONG)
    assert main(["corpus", "validate", str(path), "--rosters", str(other), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "no other word of this text is conj:odd" in [fault["message"] for fault in found["faults"]]
    assert main(["corpus", "validate", str(path), "--rosters", str(tmp_path / "none")]) == 2
    assert "no file" in capsys.readouterr().err
