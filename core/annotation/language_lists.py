"""A language's features, auxiliaries and relations, from the ``data`` folder of UD's tools.

The folder is that of https://github.com/UniversalDependencies/tools: ``feats.json`` has the values of features by part
of speech, ``data.json`` the lemmas of auxiliaries and copulas, ``deprels.json`` the relations with their subtypes.
``tospace.json``, which older folders lack, says which words may have a blank inside.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import regex

from core.annotation.edits import SentenceAnnotation
from core.annotation.faults import Fault
from core.annotation.label_inventories import value_of
from core.errors import WorkbenchError
from core.languages.direction import bidi_isolate
from core.treebank.relations import base

FILES = {"feats.json": "features", "data.json": "auxiliaries", "deprels.json": "deprels"}
SPACED = "tospace.json"
VALUES = ("uvalues", "lvalues", "unused_uvalues", "unused_lvalues")  # universal or local, used so far or not
OF_TEXT = "Foreign"  # a feature that is listed for the text's language, not for the word's


@dataclass(frozen=True)
class LanguageLists:
    """UD's lists by language, and the ``language`` of the text; a word may have another one (``Lang`` in MISC)."""

    language: str
    features: Mapping[str, dict]
    auxiliaries: Mapping[str, dict]
    relations: Mapping[str, dict]
    spaced: Mapping[str, dict] | None = None

    @classmethod
    def read(cls, folder: str | Path, language: str) -> "LanguageLists":
        """The lists in a folder. Raises WorkbenchError for missing or bad files, or an unlisted language."""
        contents = [_read(Path(folder) / name, key) for name, key in FILES.items()]
        spaced = _read(Path(folder) / SPACED, "expressions") if (Path(folder) / SPACED).exists() else None
        features, auxiliaries, relations = contents
        lists = cls(language, features, auxiliaries, relations, spaced)
        if not lists.knows(language):
            raise WorkbenchError(f"{folder} has no lists for the language {language!r}; give its ISO code, such as en")
        return lists

    def knows(self, language: str) -> bool:
        """Whether there is any list for a language."""
        return any(language in lists for lists in (self.features, self.auxiliaries, self.relations))

    def faults(self, annotation: SentenceAnnotation) -> Iterator[Fault]:
        """The faults of a SentenceAnnotation by the lists."""
        languages = [value_of(text, "Lang") for text in annotation.misc] or [""] * len(annotation.forms)
        for word in range(1, len(annotation.forms)):
            language = languages[word] or self.language
            is_same = languages[word] == languages[max(annotation.heads[word], 0)]
            yield from self._relation_faults(word, annotation.deprels[word], {self.language, *([language] * is_same)})
            if self.knows(language):  # a language without lists has no rules
                yield from self._feature_faults(word, annotation, language)
                yield from self._lemma_faults(word, annotation, language)
            yield from self._blank_faults(word, annotation, language)

    def _relation_faults(self, word, relation, languages):
        listed = (self.relations.get(language, {}).get(relation) for language in languages)
        if relation and not any(entry and entry["permitted"] for entry in listed):
            message = f"the relation {relation} is not listed for {self.language}"
            yield Fault(word, "relation of the language", message, test="unknown-deprel")

    def _blank_faults(self, word, annotation, language):
        for name, text in (("FORM", annotation.forms[word]), ("LEMMA", annotation.lemmas[word])):
            if self.spaced is None or text.isalnum() or not regex.search(r"\s", text):
                continue
            known = "|".join(sorted(self.spaced.get(language, ())))
            if not known or not regex.fullmatch(f"({known})", text.replace("\xa0", " ")):
                message = f"{name} {bidi_isolate(text)} has a blank, which {language} lists for other words alone"
                yield Fault(word, "blank of the language", message, test="invalid-word-with-space")

    def _feature_faults(self, word, annotation, language):
        tag = annotation.upos[word]
        pairs = (pair.partition("=") for pair in annotation.feats[word].split("|") if pair)
        for name, value in ((name, value) for name, _, values in pairs for value in values.split(",")):
            owner = self.language if name == OF_TEXT else language
            entry = self.features.get(owner, {}).get(name)
            if entry is None or not entry["permitted"]:
                message, test = f"the feature {name} is not listed for {owner}", "feature-unknown"
                test = test if entry is None else "feature-not-permitted"
            elif not any(value in entry[key] for key in VALUES):
                message, test = f"{name}={value} is not listed for {owner}", "feature-value-unknown"
            elif tag not in entry["byupos"]:
                message, test = f"{name} is not listed for {tag} in {owner}", "feature-upos-not-permitted"
            elif not entry["byupos"][tag].get(value):
                message = f"{name}={value} is not listed for {tag} in {owner}"
                test = "feature-value-upos-not-permitted"
            else:
                continue
            yield Fault(word, "feature of the language", message, test=test)

    def _lemma_faults(self, word, annotation, language):
        lemma = annotation.lemmas[word]
        if not lemma:
            return
        entry = self.auxiliaries.get(language, {}).get(lemma, {"functions": ()})
        functions = [function["function"] for function in entry["functions"]]
        if annotation.upos[word] == "AUX" and all(function == "cop.PRON" for function in functions):
            message = f"{bidi_isolate(lemma)} is not listed as an auxiliary of {language}"
            yield Fault(word, "auxiliary of the language", message, test="aux-lemma")
        if base(annotation.deprels[word]) == "cop" and not any(function.startswith("cop.") for function in functions):
            message = f"{bidi_isolate(lemma)} is not listed as a copula of {language}"
            yield Fault(word, "auxiliary of the language", message, test="cop-lemma")


def _read(path, key):
    remedy = "give the data folder of github.com/UniversalDependencies/tools"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WorkbenchError(f"{path} cannot be read ({error.strerror}); {remedy}") from error
    except ValueError as error:
        raise WorkbenchError(f"{path} is no JSON; {remedy}") from error
    if not isinstance(content, dict) or not isinstance(content.get(key), dict):
        raise WorkbenchError(f"{path} has no {key}; {remedy}")
    return content[key]
