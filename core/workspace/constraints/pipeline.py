"""The parser of a run as a spaCy pipeline that takes raw text, with a README that says what it does and needs."""

import io
import json
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from core import __version__
from core.languages.names import UNKNOWN, language_name
from core.languages.tokenisers import SEGMENTED, spacy_code
from core.parsers.dmv.symbols import tagged_throughout
from core.parsers.labels import RuleLabels
from core.parsers.protocols import Parser
from core.parsers.readers import SPACY, tagger_title
from core.rules.rule import Rule, format_rules
from core.store import Corpus, Run
from core.treebank import Treebank
from core.treebank.multiword import multiword_tokens
from core.workspace.constraints.plan import taught_by
from core.workspace.contractions import table_text
from core.workspace.corpora import language_of
from core.workspace.text_tagging import text_tagging
from core.workspace.wording import amount
from core.workspace.workspace import Workspace

RECIPE = """import spacy
nlp = spacy.load("{name}")  # the unzipped folder
doc = nlp({example})  # cut, tagged and parsed
"""
README = """# {name}

{description}

- **Text.** {cut}
- **Tags.** {tags}
- **Trees.** {trees}
{rules}- **Needs.** {needs}

```python
{recipe}```
"""
BY_HAND = "`import core.parsers.spacy_component` before `spacy.load`"  # where no entry point registers the factories
PARSER = "ge_parser"  # the component
USUAL = 12  # words of an example at most, where the text has such a sentence
FORMS = "workbench_forms"  # as in ``core.parsers.spacy_text``, which needs spaCy
FIELDS = {"upos": "token.pos_", "xpos": "token.tag_"}


def spacy_recipe(text: Treebank, name: str) -> str:
    """Three lines of Python that parse a sentence of a text with the pipeline called ``name``."""
    short = next((index for index in range(len(text)) if 3 <= text.lengths[index] <= USUAL), 0)
    return RECIPE.format(name=name, example=json.dumps(text[short].text, ensure_ascii=False))


def spacy_bytes(
    workspace: Workspace, corpus: Corpus, run: Run, parser: Parser, name: str, rules: Sequence[Rule] = ()
) -> bytes:
    """A zip of a spaCy pipeline, with the parser of a Run on a Corpus, the rules that trees keep, and a README."""
    import spacy  # takes seconds, and few ask for this

    from core.parsers.spacy_component import ParserComponent  # registers the factories
    from core.parsers.spacy_text import TAGGER, TOKENIZER, TaggerComponent

    language, tagging = language_of(corpus), text_tagging(workspace, corpus)
    contractions = _contractions(workspace, corpus, language)
    cutting = {"@tokenizers": TOKENIZER, "language": language, "contractions": contractions}
    nlp = spacy.blank(spacy_code(language), config={"nlp": {"tokenizer": cutting}})
    if tagging.columns:
        tagger = nlp.add_pipe(TAGGER)
        assert isinstance(tagger, TaggerComponent)
        tagger.tagging = tagging
    component = nlp.add_pipe(PARSER, config={"rules": format_rules(list(rules))} if rules else {})
    assert isinstance(component, ParserComponent)
    component.parser = parser
    nlp.meta["name"], nlp.meta["description"] = name, _description(run, parser)
    nlp.meta["requirements"] = [f"parser-workbench>={__version__}"]
    text = workspace.treebank(corpus)
    readme = README.format(
        name=name, description=nlp.meta["description"], cut=_cut_words(language, contractions),
        tags=_tag_words(run, text, tagging),
        trees=_tree_words(run, corpus, text), rules=_rule_words(rules),
        needs=_needs_words(language, tagging), recipe=spacy_recipe(text, name),
    )  # fmt: skip
    file = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        nlp.to_disk(Path(folder) / name)
        (Path(folder) / name / "README.md").write_text(readme, encoding="utf-8")
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder).as_posix())
    return file.getvalue()


def _description(run, parser):
    relations = _relations_words(parser)
    kind = "Dependency parser" if relations else "Unlabelled dependency parser"
    return f"{kind}: reads {FIELDS[run.settings['tags']]}, writes {relations or 'the relations ROOT and dep'}."


def _relations_words(parser):
    """Where a parser has its relations from; "" where it writes none."""
    if not getattr(parser, "labelled", False):
        return ""
    labels = getattr(parser, "labels", None)
    if labels is None:
        return "relations of the universal parser"
    return f"relations {'by rules' if isinstance(labels, RuleLabels) else 'learnt from trees'}"


def _contractions(workspace, corpus, language):
    """The table by which contractions are cut as in a text; "" where it has no multiword token."""
    if not multiword_tokens(workspace.treebank(corpus))[2]:
        return ""
    return table_text(workspace.store, workspace.store.project(corpus.project), language)


def _cut_words(language, contractions):
    if language == UNKNOWN:
        return "Raw text is cut into sentences and words by rules for any language, for that of the text is not known."
    cut = f"Raw text is cut into sentences and words as the workbench cuts plain text in {language_name(language)}."
    if not contractions:
        return cut
    return f"{cut} The parts of a contraction share its letters; `doc.user_data[{FORMS!r}]` has their forms."


def _tag_words(run, text, tagging):
    column = run.settings["tags"]
    if column not in tagging.columns:
        return (
            f"It does not tag: no sentence of the text has a tag on each word to learn from. Give documents with "
            f"{FIELDS[column]}."
        )
    parts = []
    if tagging.reader:
        corrected = ", corrected by the words that were listed for the text" if tagging.words else ""
        parts.append(f"By {tagger_title(tagging.reader)}{corrected}.")
    elif tagging.words is not None:
        count = len(tagging.words.splitlines())
        parts.append(f"By the word list of the text, {amount(count, 'line')} with endings and shapes.")
        if tagging.text is None:
            parts.append("Other words have the tag that the list gives to all others.")
        else:
            parts.append(
                f"The tags of other words are learnt from list and text, as in the workbench: the "
                f"{amount(tagging.text.token_count, 'word')} of the text come along, and are read with each call, so "
                "give many texts at once to nlp.pipe."
            )
    for name in tagging.taggers:
        count = int(tagged_throughout(text, name).sum())
        parts.append(f"{FIELDS[name]} by a tagger that learnt from {amount(count, 'sentence')} of the text.")
    return " ".join([*parts, "Tokens that have a tag keep it."])


def _tree_words(run, corpus, text):
    taught = f", from {taught_by(run)}" if taught_by(run) else ""
    return f"By the parser of run {run.id}, trained on {corpus.name}, {amount(len(text), 'sentence')}{taught}."


def _rule_words(rules):
    if not rules:
        return ""
    listed = "; ".join(f"`{rule.text}`" for rule in rules)
    return f"- **Rules.** Trees keep these where some tree does, and `{PARSER}/rules.txt` has them: {listed}.\n"


def _needs_words(language, tagging):
    extra = SEGMENTED.get(spacy_code(language), ("", {}))[0]
    package = f"parser-workbench[{extra}]" if extra else "parser-workbench"
    needs = f"`pip install {package}`, version {__version__} or later; or its folder as the current one, and {BY_HAND}."
    if tagging.reader.startswith(SPACY):
        needs += f" And the spaCy pipeline {tagging.reader.removeprefix(SPACY)}."
    return needs
