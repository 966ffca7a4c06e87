"""What the tags of common tag sets stand for, as universal parts of speech; the first is the main one."""

import re

# Universal Dependencies, version 2, and older names of its tags
UNIVERSAL = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
OLDER = {"CONJ": "CCONJ", ".": "PUNCT", "PRT": "PART", "ADPOSITION": "ADP"}

# Penn Treebank, English
PENN = {
    "ADJ": "JJ JJR JJS AFX",
    "ADP": "RP",
    "ADP SCONJ": "IN",
    "ADV": "RB RBR RBS WRB",
    "AUX": "MD",
    "CCONJ": "CC",
    "DET": "DT PDT",
    "PRON DET": "PRP$ WDT WP$",
    "INTJ": "UH",
    "NOUN": "NN NNS",
    "NUM": "CD",
    "PART": "POS",
    "PART ADP": "TO",
    "PRON": "PRP WP EX",
    "PROPN": "NNP NNPS NP NPS",
    "PUNCT": "`` '' , : -LRB- -RRB- HYPH NFP",
    "SYM": "SYM $ #",
    "VERB": "VB VBD VBG VBN VBP VBZ",
    "X": "FW LS ADD GW XX",
}
# Stuttgart-Tübingen (STTS), German
STTS = {
    "ADJ": "ADJA ADJD",
    "ADP": "APPR APPRART APPO APZR",
    "ADV": "PAV PROAV PWAV",
    "AUX": "VAFIN VAIMP VAINF VAPP VMFIN VMINF VMPP",
    "CCONJ": "KON KOKOM",
    "DET": "ART PIAT PIDAT",
    "DET PRON": "PDAT PPOSAT PRELAT PWAT",
    "INTJ": "ITJ",
    "NUM": "CARD",
    "PART": "PTKZU PTKNEG PTKANT PTKA",
    "ADP PART": "PTKVZ",
    "PRON": "PDS PIS PPER PPOSS PRELS PRF PWS",
    "PROPN": "NE",
    "PUNCT": "$, $. $(",
    "SCONJ": "KOUI KOUS",
    "VERB": "VVFIN VVIMP VVINF VVIZU VVPP",
    "X": "FM TRUNC XY",
}
# Coarse tags as treebanks of CoNLL 2006 and others write them: one letter (Spanish and Catalan), words (Dutch), short
# names (Turkish, Basque, tools)
COARSE = {
    "ADJ": "a adj adjective",
    "ADP": "s prep preposition postp postposition adposition",
    "ADV": "r adv adverb",
    "AUX": "aux auxiliary modal",
    "CCONJ SCONJ": "c conj conjunction",
    "CCONJ": "vg",
    "SCONJ": "comp comparative complementizer",
    "DET": "d det determiner art article",
    "INTJ": "i interj interjection tag",
    "NOUN": "w",
    "NOUN PROPN": "n noun",
    "NUM": "z num number numeral",
    "PART": "part particle ques",
    "PRON": "p pron pronoun",
    "PROPN": "name prop propernoun",
    "PUNCT": "f punc punct punctuation",
    "VERB AUX": "v verb",
    "X": "misc foreign",
}
# Where a corpus has no tag of that kind
FALLBACK = {
    "AUX": "VERB", "PROPN": "NOUN", "SCONJ": "CCONJ", "CCONJ": "SCONJ", "DET": "PRON", "NUM": "ADJ", "PART": "ADP",
}  # fmt: skip


def parts_of_speech(tag: str) -> tuple[str, ...]:
    """The universal parts of speech that a tag stands for, the main one first; () for a tag that is not known.

    A tag of several fields, such as ``N|soort|ev``, stands for what its first field does.
    """
    return _KNOWN.get(tag) or _KNOWN.get(tag.casefold()) or _KNOWN.get(re.split(r"[|_:(]", tag.casefold())[0], ())


def _known():
    """Tag -> parts of speech, as written and in lower case; what is listed later gives way to what is listed first."""
    known: dict[str, tuple[str, ...]] = {tag: (tag,) for tag in UNIVERSAL.split()}
    known |= {old: (new,) for old, new in OLDER.items()}
    for tag_set in (PENN, STTS, COARSE):
        for parts, tags in tag_set.items():
            for tag in tags.split():
                known.setdefault(tag, tuple(parts.split()))
    for tag, parts in list(known.items()):
        known.setdefault(tag.casefold(), parts)
    return known


_KNOWN = _known()
