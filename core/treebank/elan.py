"""Text of ELAN (``.eaf``): what was transcribed, with the tiers of words and their tags; ``elan_writing`` writes back.

The format: MPI for Psycholinguistics, *EAF Annotation Format*, schema 3.0.
"""

from collections.abc import Sequence
from pathlib import Path, PurePath

from core.errors import FormatError, quoted
from core.languages.unseen import take_out
from core.treebank.eaf import EafDocument
from core.treebank.elan_layers import layers_of
from core.treebank.interlinear import MARK, interlinear_sentence, is_word, joined_morphemes, makes_trees, spaced
from core.treebank.plain import cut_each
from core.treebank.source import load_bytes
from core.treebank.tagged import composed_treebank
from core.treebank.treebank import Treebank

TIER, ANNOTATION = "elan_tier", "elan_annotation"  # comments that say where a sentence comes from
SHOWN = 5  # tiers named in a note
COLUMNS = {"lemma": "lemmas", "upos": "upos", "xpos": "xpos", "feats": "feats", "deprel": "deprels"}


def read_elan(
    source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None, language: str | None = None,
    tiers: Sequence[str] | None = None,
) -> Treebank:  # fmt: skip
    """Read an ELAN file: a sentence for each annotation of the tiers of text, in the order of their times.

    Parameters
    ----------
    source, name
        As for ``read_conllu``.
    encoding : str
        Passed over: XML says itself which it is in.
    language : str, optional
        By whose rules annotations without words are cut, as for ``read_text``.
    tiers : sequence of str, optional
        The names of the transcription tiers; found by ``elan_layers`` by default.

    Returns
    -------
    Treebank
        An annotation of a tier of words is a word. Tiers below that are named so are its lemmas, tags, features, heads,
        relations and glosses. Comments name the speaker, the tier, the annotation and its times in
        milliseconds. ``warnings`` say which tiers were left.

    Raises
    ------
    FormatError : no ELAN file, with the line and what to do; a head that is no word of its sentence.
    """
    data, name, path = load_bytes(source, name)
    document = EafDocument.of(data, path)
    layers = layers_of(document, tiers)
    timed = []
    for order, layer in enumerate(layers):
        for utterance in layer.text.annotations:
            if layer.words_of(utterance) or take_out(utterance.text)[0].strip():
                timed.append((_times(document, utterance), order, layer, utterance))
    if not timed:
        message = "no tier that is aligned with time has an annotation with text; transcribe one in ELAN, and save it"
        raise FormatError(message, path=path)
    timed.sort(key=lambda each: (each[0][0], each[1]))
    uncut = [utterance for *_, layer, utterance in timed if not layer.words_of(utterance)]
    cut, notes = cut_each([utterance.text for utterance in uncut], language) if uncut else ([], [])
    by_id = {utterance.id: sentence for utterance, sentence in zip(uncut, cut, strict=True)}
    sentences = []
    for times, _, layer, utterance in timed:
        label = "-".join([*PurePath(name).stem.split(), utterance.id])
        about = _about(layer, utterance, times)
        if (sentence := by_id.get(utterance.id)) is None:
            sentence = _sentence(layer, utterance, label, about, path)
        else:
            sentence["comments"] += [f"{key} = {value}" for key, value in about.items() if value]
            sentence["sent_id"] = label
        sentences.append(sentence)
    return composed_treebank(sentences, name, notes=[*notes, *_notes(document, layers, len(uncut), len(timed))])


def _times(document, utterance):
    """(begin, end) in milliseconds, of the annotation or one above it."""
    while utterance.begin is None and utterance.parent is not None:
        utterance = document.annotations[utterance.parent]
    return (0, 0) if utterance.begin is None else (utterance.begin, utterance.end)


def _about(layer, utterance, times):
    """The comments of a sentence."""
    translation, text = layer.translation, ""
    if translation is not None:
        of = utterance.id if translation.above == layer.text.id else utterance.parent
        text = " ".join(each.text for each in translation.below.get(of or "", []) if each.text)
        code = translation.element.attributes.get("LANG_REF", "")
    named = {} if not text else {f"text_{code}" if code.isalnum() else "translation": text}
    begin, end = times
    place = {"speaker_id": layer.text.speaker, TIER: layer.text.id, ANNOTATION: utterance.id}
    return {key: " ".join(value.split()) for key, value in place.items()} | {
        "start_ms": str(begin), "end_ms": str(end), **named,
    }  # fmt: skip


def _sentence(layer, utterance, label, about, path):
    """A sentence of the words that the file has, as ``compose`` takes it."""
    words = layer.words_of(utterance)
    rows = []
    for word in words:
        segments = joined_morphemes([each.text for each in layer.morphemes_of(word) if each.text])
        pairs = (("MSeg", segments), ("Gloss", layer.value("gloss", word)))
        misc = [f"{key}={value}".replace("|", "\\p") for key, value in pairs if value]
        rows.append((word.text or "_", "" if is_word(word.text) else MARK, misc))
    sentence = interlinear_sentence(spaced(rows, utterance.text), label, about)
    for column, entry in COLUMNS.items():
        sentence[entry] = ["_".join(layer.value(column, word).split()) or None for word in words]
    return sentence | {"heads": _heads(layer, words, path)}


def _heads(layer, words, path):
    """The head of each word, None where it has none. Raises FormatError for one that makes no tree."""
    heads = []
    for number, word in enumerate(words, start=1):
        value = layer.value("head", word)
        is_head = value.isdecimal() and len(value) < 10 and int(value) <= len(words) and int(value) != number
        if value and not is_head:
            message = f"the word {quoted(word.text)} has the head {quoted(value)}; write 0 to {len(words)} in the tier"
            raise FormatError(f"{message} of heads, not its own number", path=path, line=layer.line("head", word))
        heads.append(int(value) if value else None)
    if not makes_trees(heads):
        message = "the heads of these words lead in a circle; correct them in the tier of heads"
        raise FormatError(message, path=path, line=words[0].value.line)
    return heads


def _notes(document, layers, uncut, count):
    """What whoever reads the file may want to know of it."""
    notes = []
    if any(layer.words for layer in layers) and uncut:
        notes.append(f"{uncut:,} of {count:,} annotations have no words in the tier of words, and are cut here")
    several = {quoted(tier.id): None for layer in layers for tier in layer.ambiguous}
    if several:
        notes.append(f"words have several readings in the tiers {', '.join(several)}; the first of each is read")
    used = set()
    for layer in layers:
        tiers = [layer.text, layer.words, layer.morphemes, layer.translation]
        tiers += [*layer.columns.values(), *layer.own.values(), *layer.of_morphemes.values()]
        used |= {tier.id for tier in tiers if tier is not None}
    left = [quoted(tier.id) for tier in document.tiers.values() if tier.annotations and tier.id not in used]
    if left:
        read = ", ".join(quoted(layer.text.id) for layer in layers[:SHOWN])
        rest = f" and {len(left) - SHOWN:,} more" if len(left) > SHOWN else ""
        notes.append(f"the text is that of the tiers {read}; left out are {', '.join(left[:SHOWN])}{rest}")
    return notes
