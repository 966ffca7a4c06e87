"""The guide: its links and pictures lead somewhere, its search finds; tests/test_documents.py runs what it shows."""

import re
from pathlib import Path
from urllib.request import urlopen

import pytest
from PIL import Image

from core import __version__
from core.constraints.language.notation import NOTATION, RULES
from core.errors import WorkbenchError
from core.workspace.guide import chapters as guide_module
from core.workspace.guide.chapters import CHAPTERS, FOLDER, Code, GuidePicture, address, find, guide, pieces
from tests.documents import targets
from tests.filled import filled

ROOT = Path(__file__).parents[3]
PICTURES, FILM = 2_000_000, 1_500_000  # bytes of all of a theme; of the README's


def text_of(name):
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def test_every_piece_of_the_notation_is_explained():
    chapter = text_of("notation")
    titles = (*NOTATION.values(), *RULES.values())
    written = [word for title in titles for piece in title for word in piece.written.split()]
    assert len(written) > 40
    assert [word for word in written if word.strip('"…{}') not in chapter] == []


def test_its_links_and_pictures_lead_somewhere():
    slugs = {chapter.name: {section.slug for section in chapter.sections} for chapter in guide()}
    for name, target in filled((file, target) for file in CHAPTERS for target in targets(text_of(file))):
        if "://" in target:
            continue
        path, _, slug = target.partition("#")
        assert (FOLDER / path).resolve().is_file() if path else slug, (name, target)
        if slug:
            assert slug in slugs[Path(path).stem if path else name], (name, target)


def test_what_it_draws_has_no_link_to_a_file():
    for chapter in filled(guide()):
        for text in (chapter.opening, *(section.text for section in chapter.sections)):
            for piece in pieces(text):
                if isinstance(piece, GuidePicture):
                    for theme, path in ("light", piece.path), ("dark", piece.path.parent / "dark" / piece.path.name):
                        with urlopen(piece.address(theme)) as drawn:
                            assert drawn.headers["Content-type"] == "image/png" and piece.shows
                            assert drawn.read() == path.read_bytes()
                elif not isinstance(piece, Code):
                    assert not re.search(r"\]\((?!http)[^)]*\.(md|py|png)|^```", piece, re.M), piece


def test_pieces_follow_each_other_as_they_are_written():
    text = "One [line](notation.md#arrows).\n\n```sh\nls ![no](x.png)\n```\n![A page](pictures/corpus.png)\n\n- two"
    assert list(pieces(text)) == [
        "One [line](guide?chapter=Notation&section=Arrows).",
        Code("sh", "ls ![no](x.png)\n"),
        GuidePicture(FOLDER / "pictures" / "corpus.png", "A page"),
        "- two",
    ]
    assert list(pieces("Only text")) == ["Only text"] and not list(pieces(""))


def test_every_page_has_its_section_with_a_picture():
    from pages.shared.navigation import MENU

    (chapter,) = (each for each in guide() if each.name == "pages")
    for title in filled(entry.title for pages in MENU.values() for entry in pages.values()):
        section = chapter.section(title)
        assert section is not None, title
        assert any(isinstance(piece, GuidePicture) for piece in pieces(section.text)), title


def test_titles_are_told_apart():
    titles = [chapter.title for chapter in guide()]
    assert len(set(titles)) == len(titles) == len(CHAPTERS)
    for chapter in filled(guide()):
        sections = [section.title for section in chapter.sections]
        assert len(set(sections)) == len(sections) and chapter.section(sections[-1]) is chapter.sections[-1]
        assert chapter.section("Nothing of that name") is None


def test_pictures_are_small_and_all_are_shown():
    shown = {Path(target).name for name in CHAPTERS for target in targets(text_of(name)) if target.endswith(".png")}
    for folder in FOLDER / "pictures", FOLDER / "pictures" / "dark":
        pictures = sorted(folder.glob("*.png"))
        assert sum(path.stat().st_size for path in pictures) < PICTURES
        assert {Image.open(path).width for path in pictures} == {1280}
        assert {path.name for path in pictures} == shown
    assert (ROOT / "assets" / "readme.webp").stat().st_size < FILM


def test_the_versions_begin_with_the_one_that_ships():
    versions = re.findall(r"^## (\S+)$", text_of("changes"), re.M)
    assert versions[-1] == "0.1.0" and __version__ in versions


def test_all_that_ships_has_a_licence_beside_it():
    files = [path for path in (ROOT / "assets").rglob("*") if path.is_file()]
    assert len(files) > 60
    for path in files:
        folder = path.parent
        while not (folder / "README.md").is_file():  # pictures and pages are told of one folder up
            folder = folder.parent
        assert folder != ROOT, path
        assert "licence" in (folder / "README.md").read_text(encoding="utf-8").lower(), folder


def test_search_finds_the_section_that_is_about_it():
    for words, title in (
        ("per modifier", "Of what the target is a share"),
        ("CoNLL-U", "CoNLL-U, and what is kept in it"),
        ("sign-in", "Sign-in"),
        ("bibtex cite", "How to cite"),
        ("TEAR sprawl", "Mark-up and the induction of grammars"),
        ("<->", "Arrows"),
    ):
        assert title in [hit.section.title for hit in find(words)][:3], words


def test_a_hit_shows_its_words_where_they_stand(monkeypatch):
    hit = find("determiner arrow")[0]
    assert {hit.passage[begin:end].lower() for begin, end in hit.marks} == {"determiner", "arrow"}
    assert find("backup", 2) == find("backup")[:2]
    one, both = (
        {(hit.chapter.name, hit.section.title) for hit in find(words, 99)} for words in ("weight", "weight comment")
    )
    assert both < one
    monkeypatch.setattr(guide_module, "LONGEST", 40)
    for hit in find("determiner"):
        assert len(hit.passage) <= 44 and hit.marks


@pytest.mark.parametrize("words", ["", "   ", "qwertz", "backup qwertz", "[", "(a|", "\\"])
def test_words_that_are_not_there_find_nothing(words):
    assert all(word in hit.passage for hit in find(words) for word in words.split())


def test_addresses_name_chapter_and_section():
    chapter = guide()[0]
    assert address(chapter) == "guide?chapter=First+hour"
    assert address(chapter, chapter.sections[0]) == "guide?chapter=First+hour&section=Start"


def test_a_missing_chapter_is_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(guide_module, "FOLDER", tmp_path)
    with pytest.raises(WorkbenchError, match=r"first-hour\.md is missing; install the workbench again"):
        guide.__wrapped__()
