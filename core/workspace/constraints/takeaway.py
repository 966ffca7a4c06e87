"""What a finished run leaves to take away: the parser as a file of weights, and as a spaCy pipeline in a zip."""

import io
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from core.parsers.crf.tree_crf import TreeCRF
from core.store import Run
from core.workspace.system import File, file_bytes

NPZ_RECIPE = """from core.parsers import load_parser
from core.treebank import read_treebank, write_conllu
write_conllu(load_parser("{name}.npz").parse(read_treebank("tagged.conllu")), "parsed.conllu")
"""
SPACY_RECIPE = """import spacy; from spacy.tokens import Doc  # where the workbench is installed
nlp = spacy.load("{name}")  # the unzipped folder
doc = nlp(Doc(nlp.vocab, words=["the", "cat", "sleeps"], {tags}))  # sets token.head and token.dep_
"""
EXAMPLE = {"upos": 'pos=["DET", "NOUN", "VERB"]', "xpos": "tags=[...]"}


def parser_name(run: Run) -> str:
    """What the files of a run's parser are called, without ending."""
    return f"{run.kind}-parser-{run.id}"


def npz_recipe(run: Run) -> str:
    """Three lines of Python that use the file of weights."""
    return NPZ_RECIPE.format(name=parser_name(run))


def spacy_recipe(run: Run) -> str:
    """Three lines of Python that use the spaCy pipeline."""
    return SPACY_RECIPE.format(name=parser_name(run), tags=EXAMPLE[run.settings["tags"]])


def parser_files(run: Run, parser: Callable[[], TreeCRF]) -> tuple[File, ...]:
    """The parser of a finished Run as a file of weights, for ``core.parsers.load_parser`` and ``python -m core parse
    --model``, and as a spaCy pipeline."""
    name = parser_name(run)
    return (
        File("Parser, weights", f"{name}.npz", lambda: file_bytes(parser())),
        File("Parser, spaCy pipeline", f"{name}.zip", lambda: spacy_bytes(run, parser())),
    )


def spacy_bytes(run: Run, parser: TreeCRF) -> bytes:
    """A zip of a spaCy pipeline with the parser as its one component, and a README."""
    import spacy  # takes seconds, and few ask for this

    from core.parsers.spacy_component import ParserComponent  # registers the factory

    name = parser_name(run)
    nlp = spacy.blank("xx")
    component = nlp.add_pipe("ge_parser")
    assert isinstance(component, ParserComponent)
    component.parser = parser
    column = {"upos": "token.pos_", "xpos": "token.tag_"}[run.settings["tags"]]
    nlp.meta["name"] = name
    nlp.meta["description"] = f"Unlabelled dependency parser: reads {column}, writes the relations ROOT and dep."
    file = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        nlp.to_disk(Path(folder) / name)
        (Path(folder) / name / "README.md").write_text(
            f"# {name}\n\n{nlp.meta['description']}\n\n```python\n{spacy_recipe(run)}```\n", encoding="utf-8"
        )
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder).as_posix())
    return file.getvalue()
