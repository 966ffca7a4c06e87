"""The recipes of .github/CONTRIBUTING.md do what they say: their blocks are run, and what they add works."""

import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.constraints import match_counts, parse_constraints
from core.constraints.language import constraint as language
from core.constraints.language import notation, scanner
from core.constraints.matching import matcher as matching
from core.errors import ConstraintError, FormatError
from core.treebank import formats, load_sample, read_treebank
from core.workspace import Workspace, registry
from core.workspace.registry import Systems
from pages.shared import navigation, text_menu
from tests.filled import filled
from tests.pages.conftest import with_page
from tests.patience import PATIENCE
from tests.trees import decoders, test_decoders
from tests.workspace.offset import Offset

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")


def blocks(title):
    """The Python blocks under a heading."""
    (section,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", TEXT, re.M | re.S)
    return re.findall(r"^```python\n(.*?)^```", section, re.M | re.S)


def run(code, **names):
    """What a block defines, over names that its reader has."""
    exec(code, names)
    return names


def test_a_system(monkeypatch, tmp_path):
    (line,) = blocks("Add a system")
    monkeypatch.setattr(registry, "SYSTEMS", run(line, registry=registry, Offset=Offset)["SYSTEMS"])
    systems = Systems(Workspace.open(f"sqlite:///{tmp_path}/workbench.sqlite"))
    assert isinstance(systems["offset"], Offset) and registry.system_class("offset") is Offset


def test_a_constraint_kind(monkeypatch):
    (block,) = blocks("Add a constraint kind")
    added = run(block, language=language, Piece=notation.Piece)
    with pytest.raises(ConstraintError, match="there is no column 'misc:'"):
        parse_constraints(added["PIECE"].example)
    for module in (language, scanner, matching):
        monkeypatch.setattr(module, "PREFIXES", added["PREFIXES"])
    (constraint,) = parse_constraints(added["PIECE"].example)
    (coverage,) = match_counts([constraint], load_sample(), tags="upos")
    (plain,) = match_counts(parse_constraints("* <- VERB = 0.9"), load_sample(), tags="upos")
    assert 0 < coverage.pairs < plain.pairs and constraint.text.startswith('misc:"SpaceAfter=No" <- VERB')


def test_a_decoder(monkeypatch):
    (block,) = blocks("Add a decoder")
    line = run(block, **vars(decoders))["LINE"]
    ((name, decoder),) = line.items()
    monkeypatch.setitem(decoders.DECODERS, name, decoder)
    test_decoders.test_matches_enumeration(name=name)
    test_decoders.test_ignores_the_diagonal_and_column_0(name=name)
    test_decoders.test_refuses_what_is_no_score(name=name)

    def worst(scores, single_root=True):
        return decoder.decode(np.where(scores > -np.inf, -scores, scores), single_root)

    monkeypatch.setitem(decoders.DECODERS, name, decoder._replace(decode=worst))
    with pytest.raises(AssertionError):
        test_decoders.test_matches_enumeration(name=name)


def test_a_file_format(monkeypatch, tmp_path):
    reader, entry = blocks("Add a file format")
    (tmp_path / "pairs.py").write_text(reader)
    monkeypatch.syspath_prepend(tmp_path)
    added = run(entry, Format=formats.Format)["FORMAT"]
    monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, added))
    bank = read_treebank(b"the\tD\ndog\tN\n\nit\tP\n", format="pairs", name="two.txt")
    assert [sentence.forms for sentence in bank] == [("", "the", "dog"), ("", "it")]
    assert bank[0].xpos == ("", "D", "N")
    with pytest.raises(FormatError, match="line 2: expected a word, a tab and a tag"):
        read_treebank(b"the\tD\ndog\n", format="pairs", name="bad.txt")


def test_a_page(monkeypatch, tmp_path):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    monkeypatch.delenv("WORKBENCH_DATABASE", raising=False)
    script, entry = blocks("Add a page")
    with_page(tmp_path / "app", "words", script)
    added = run(entry, Entry=navigation.Entry)["ENTRY"]
    monkeypatch.setitem(navigation.MENU, "Text", navigation.MENU["Text"] | {"words": added})
    app = AppTest.from_file(str(tmp_path / "app" / "app.py"), default_timeout=PATIENCE).switch_page("pages/words.py")
    assert not app.run().exception and app.metric[0].value == f"{load_sample().token_count:,}"
    assert {field: value for field, value in text_menu.of_text().items() if "words" in field} == {"words_word": None}


def test_the_files_that_are_named_are_there():
    """A path, a module of core or pages, or a name below one of them."""
    for path in filled(re.findall(r"`((?:core|pages|tests|\.github)/[\w/.]+)`", TEXT)):
        assert "NAME" in path or (ROOT / path).exists(), path
    for name in filled(re.findall(r"`(\w+\.py)`", TEXT)):
        assert files_called(name), name


def test_what_a_file_is_said_to_have_is_there():
    """``FORMATS`` in ``core/treebank/formats.py``; of a name alone any such file will do."""
    said = re.findall(r"`((?:_?[A-Za-z]\w*)(?:\.\w+)?)` (?:of|in)\s+`([\w/]+\.py)`", TEXT)
    assert len(said) > 25
    for name, path in said:
        word = re.compile(rf"\b{name.rpartition('.')[2]}\b")
        assert any(word.search(file.read_text(encoding="utf-8")) for file in files_called(path)), (name, path)


def files_called(name):
    """The files of core, pages and tests, and those beside them, whose path ends so."""
    return [path for room in ("", "core/**/", "pages/**/", "tests/**/") for path in ROOT.glob(f"{room}{name}")]


def test_code_cites_no_file_that_is_not_there():
    """A formula stands where it is used, or its paper is named."""
    for path in (*ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py")):
        for name in re.findall(r"\b[A-Z]{3,}\.md\b|\bMATH\b|\bDESIGN\b|\bPEERS\b", path.read_text(encoding="utf-8")):
            assert (ROOT / name).exists() or (ROOT / ".github" / name).exists(), f"{path.relative_to(ROOT)}: {name}"
