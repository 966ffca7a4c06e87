"""Files that are no prose never become sentences, and prose of all sorts does."""

import base64
import json
import random

import pytest

from core.errors import FormatError
from core.treebank import guess_format, read_treebank

rng = random.Random(7)
NO_PROSE = {
    "a.csv": "name,age,town\nAnna,31,Oslo\nBo,44,Rome\nCleo,27,Bern\n",
    "a.tsv": "name\tage\ttown\nAnna\t31\tOslo\nBo\t44\tRome\nCleo\t27\tBern\n",
    "semicolons": "name;age;town\nAnna;31;Oslo\nBo;44;Rome\nCleo;27;Bern\n",
    "markdown table": "| name | age |\n|------|-----|\n| Anna | 31 |\n| Bo | 44 |\n",
    "aligned table": "year    births  deaths\n1990     1203     998\n1991     1188    1004\n1992     1250     987\n",
    "python": "import os\n\ndef walk(path):\n    for name in os.listdir(path):\n        print(name)\n    return None\n",
    "javascript": "const a = require('a');\nfunction go(x) {\n  let y = x + 1;\n  return a(y);\n}\nmodule.a = go;\n",
    "java": "package a.b;\npublic class Dog {\n  private int age;\n  public int age() {\n    return age;\n  }\n}\n",
    "c": "#include <stdio.h>\nint main(void) {\n  int i;\n  for (i = 0; i < 3; i++) {\n    puts(\"a\");\n  }\n}\n",
    "sql": "CREATE TABLE dogs (\n  id INTEGER,\n  name TEXT\n);\nINSERT INTO dogs VALUES (1, 'Rex');\n",
    "shell": "#!/bin/sh\nset -e\nfor f in *.txt; do\n  wc -l \"$f\";\ndone\nif [ -n \"$A\" ]; then\n  B=1;\nfi\n",
    "css": "body {\n  margin: 0;\n  color: #333;\n}\np.a {\n  padding: 2px;\n}\n",
    "json": json.dumps([[1, 2], [3, 4]]),
    "settings": "[server]\nhost = localhost\nport = 8080\ndebug = false\n\n[client]\ntimeout = 30\n",
    "yaml": "name: build\nversion: 3\nimage: ubuntu\nsteps:\n  - run: make\n  - upload: dist\n",
    "log": "".join(f"2024-03-0{d} 10:1{d}:00,001 INFO worker started task {d}\n" for d in range(1, 6)),
    "web log": "".join(f'10.0.0.{d} - - [01/Mar/2024] "GET /a/{d} HTTP/1.1" 200 {d}12\n' for d in range(1, 6)),
    "fasta": ">seq1 a protein\n" + "ACGTTGCAACGTGGTACCATGCA\n" * 3 + ">seq2\n" + "TTGACCATGACCATGGACCATTA\n" * 2,
    "bibtex": "@article{doe99,\n  title = {On dogs},\n  year = {1999},\n  author = {Doe, J.}\n}\n",
    "base64": "\n".join(base64.b64encode(rng.randbytes(45)).decode() for _ in range(5)),
    "hex dump": "".join(f"000000{d}0: 4865 6c6c 6f20 776f 726c 640a  Hello.\n" for d in range(5)),
    "numbers": " ".join(str(rng.randint(0, 999)) for _ in range(60)),
    "calendar": "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nSUMMARY:Lunch\nEND:VEVENT\nEND:VCALENDAR\n",
    "traceback": "Exception in main\n\tat a.b.Dog.bark(Dog.java:12)\n\tat a.Main.run(Main.java:3)\n\tat a.b(M:1)\n",
    "patch": "--- a/dog.py\n+++ b/dog.py\n@@ -1,2 +1,2 @@\n-bark\n+howl\n run\n",
    "binary": rng.randbytes(4000),
    "ccg": "ID=a.1 PARSER=GOLD NUMPARSE=1\n(<T S 0 2> (<L NP NN NN Dogs NP>) (<L S\\NP VB VB bark S\\NP>) )\n",
}  # fmt: skip
PROSE = {
    "a year first": "2001 hens had no house of 7 rooms there.\n",
    "a rule": "_" * 40 + "\n",
    "a file": "hen_gif_part\n",
    "an address": "http://hens.example/HOUSE.html\n",
    "an e-mail": "** Daily Hen E-mail **\n",
    "a note": "[2]\n",
    "quotes": '"Go home, hen", said the man, who had "waited for it, for long"\n',
    "verse": "the hills are grey and old;\nthe wind goes by, the night is cold;\nand no one calls;\nand no one sees;\n",
    "chat": "anna: are you there\nbo: yes\nanna: good\nbo: what is it\nanna: nothing (really)\nbo: ok :)\n",
    "dated chat": "2024-03-01 10:12 - Anna: are you there?\n2024-03-01 10:13 - Bo: yes\n2024-03-01 10:13 - Anna: ok\n",
    "formulae": "E = mc^2\na + b = c\nf(x) = 2x + 1\nx = (-b + c) / 2a\nsin x = 0\n",
    "sums": "Let x = 3. Then f(x) = 9 for all x > 2; so g(x) = 0.\nWe see that h = g.\nHence k(x) = 1.\n",
    "play": "HAMLET: Who is there?\nGHOST: Nobody.\nHAMLET: Then go.\nGHOST: I cannot go.\n",
    "glossary": "cat: a small animal that hunts mice\ndog: an animal that barks at night\nhen: a bird on a farm\n",
    "recipe": "2 eggs\n100 g of flour\n1 cup of milk\nBeat the eggs (well).\nAdd the milk; stir.\n",
    "list of words": "dog\ncat\nhouse\ntree\n",
    "old verse": "Hwær cwom mearg?    Hwær cwom mago?\nHwær cwom maþþumgyfa?    Eala    beorht bune!\n",
    "numbers told": "In 1990 there were 12 dogs, in 1991 there were 15, and in 1992 only 3.\n",
    "figures": "12 34.",
    "brackets": "[laughs] Well (I think) yes;\n[pause] no (I do not);\n[coughs] good;\n",
}  # fmt: skip


@pytest.mark.parametrize("name", NO_PROSE)
def test_what_is_no_prose_never_becomes_sentences(name):
    data = NO_PROSE[name] if isinstance(NO_PROSE[name], bytes) else NO_PROSE[name].encode()
    with pytest.raises(FormatError, match=r"this is .*; |this looks like|is NUL|JSON of another kind|is not UTF-8"):
        read_treebank(data, format=guess_format(data, name=name if "." in name else ""))


@pytest.mark.parametrize("name", PROSE)
def test_verse_chat_and_formulae_are_read(name):
    assert guess_format(PROSE[name].encode()) in ("lines", "text")
