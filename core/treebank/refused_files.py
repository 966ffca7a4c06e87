"""Files that people have their texts in and that are neither plain text nor trees: what they are, and what to do."""

import io
import re
import zipfile
from collections.abc import Sequence

from core.files.unpacking import DAMAGE

AS_TEXT = "save it as plain text (.txt, UTF-8) and import that file"
AS_LINES = "copy the sentences into a plain text file (.txt, UTF-8), one per line, and import that file"
AS_TYPED = "its words must be typed, or recognised (OCR), and saved as plain text (.txt, UTF-8)"
PACKED = "unpack it and import the texts in it one by one"
DOCUMENT, SHEET, SLIDES = ("a Word document", AS_TEXT), ("an Excel spreadsheet", AS_LINES), ("a presentation", AS_TEXT)

STARTS = {
    b"%PDF": ("a PDF", "copy its text into a plain text file (.txt, UTF-8), check it, and import that file"),
    b"{\\rtf": ("an RTF document", AS_TEXT),
    b"\x89PNG": ("a picture", AS_TYPED),
    b"\xff\xd8\xff": ("a picture", AS_TYPED),
    b"GIF8": ("a picture", AS_TYPED),
    b"II*\0": ("a picture", AS_TYPED),
    b"MM\0*": ("a picture", AS_TYPED),
    b"\x1f\x8b": ("a gzip file, not text", "unpack it first"),
    b"BZh": ("a bzip2 file, not text", "unpack it first"),
    b"\xfd7zXZ": ("an xz file, not text", "unpack it first"),
    b"PK\x05\x06": ("a zip file with nothing in it", "choose one that holds a text"),
    b"7z\xbc\xaf": ("a 7-Zip archive", PACKED),
    b"Rar!": ("a RAR archive", PACKED),
    b"version https://git-lfs": (
        "a Git LFS pointer, which stands for a file", "fetch the file itself with git lfs pull, or download it"
    ),
    b"/annex/objects/": ("a git-annex pointer, which stands for a file", "fetch the file itself with git annex get"),
    b"WARC/": ("a web archive", "read it with the command markup extract"),
}  # fmt: skip
AS_UTTERANCES = "copy what is said into a plain text file (.txt, UTF-8), one utterance per line, and import that file"
AS_CONLLU = "convert it to CoNLL-U or bracketed trees, and import that file"
AS_NO_TREE = "it holds no dependency trees: convert it to CoNLL-U, and import that file"
TABLE = ("a table", AS_LINES)
WEB_PAGE = ("a web page", "import it on the page Mark-up, or copy its text and paste that")
BRAT = ("a file of brat annotations, without the text", "import the text file (.txt) beside it")
PRAAT = ("a Praat TextGrid", AS_UTTERANCES)
CHAT = ("a CHAT transcript", AS_UTTERANCES)
NEGRA = ("a treebank in the NEGRA export format", AS_CONLLU)
SUBTITLES = ("a file of subtitles", AS_UTTERANCES)
LATEX = ("LaTeX", AS_TEXT)
ENDINGS = {  # endings of file names, for files whose content does not show the format
    ".csv": TABLE, ".tsv": TABLE, ".tab": TABLE, ".html": WEB_PAGE, ".htm": WEB_PAGE, ".xhtml": WEB_PAGE,
    ".ann": BRAT, ".textgrid": PRAAT, ".cha": CHAT, ".export": NEGRA, ".srt": SUBTITLES,
    ".vtt": SUBTITLES, ".tex": LATEX, ".xml": ("XML", AS_TEXT), ".tei": ("XML", AS_TEXT),
}  # fmt: skip
ROOTS = {  # root elements of XML
    "tei": ("a TEI document", AS_TEXT), "tei.2": ("a TEI document", AS_TEXT),
    "corpus": ("a corpus in XML, as TIGER's", AS_CONLLU), "folia": ("a FoLiA document", AS_CONLLU),
    "alpino_ds": ("an Alpino tree", AS_CONLLU), "trans": ("a Transcriber file", AS_UTTERANCES),
    "basic-transcription": ("an EXMARaLDA transcription", AS_UTTERANCES), "naf": ("a NAF document", AS_CONLLU),
    "graph": ("a file of graphs", AS_CONLLU), "d-spin": ("a TCF document", AS_CONLLU),
    "kaf": ("a KAF document", AS_CONLLU), "paula": ("a PAULA document", AS_CONLLU), "xmi": ("a UIMA document", AS_TEXT),
    "gatedocument": ("a GATE document", AS_TEXT), "rst": ("a tree of discourse relations (RST)", AS_TEXT),
    "adata": ("a file of the Prague Markup Language (PML)", AS_CONLLU), "chat": CHAT,
    "tdata": ("a file of the Prague Markup Language (PML)", AS_CONLLU),
    "fulltextannotation": ("a text annotated for FrameNet", AS_TEXT),
    "proiel": ("a treebank in PROIEL XML", AS_CONLLU), "treebank": ("a treebank in XML", AS_CONLLU),
}  # fmt: skip
OTHER_ENDINGS = re.compile(  # of files that nobody may take CoNLL-U for
    r"\.(docx?|odt|rtf|pdf|xlsx?|ods|pptx|md|ya?ml|parquet|feather|arrow|db|sqlite|npz|pkl|pickle|bz2|7z|rar|tar|tgz|lz4|"
    r"br|svg|png|jpe?g|exb|xmi|folia|naf|tmx|warc|mhtml|epub)"
)
TAR, TAR_MARK = 257, b"ustar"  # where a tar archive has its mark
SHARE = 0.5  # share of the lines that must match the pattern
ANYWHERE = (  # patterns searched anywhere in the first lines
    (rb"\A\s*(?:File type = \"ooTextFile|\"?ooTextFile|Object class = \"TextGrid)", PRAAT),
    (rb"^@Begin\s*$|\A@UTF8", CHAT),
    (rb"^#(?:FORMAT \d|BOT |BOS \d)", NEGRA),
    (rb"\A\s*WEBVTT\b|^\d+\n(?:\d\d:)?\d\d:\d\d[,.]\d+ --> ", SUBTITLES),
    (rb"^\\(?:documentclass|begin\s*\{|usepackage)", LATEX),
    (rb"\A#FORMAT=WebAnno", ("a WebAnno table", AS_CONLLU)),
    (rb"\A#SDP 20|\A#\d{8}\n\d+\t.*\t[-+]\t[-+]\t", ("a file of semantic dependencies (SDP)", AS_CONLLU)),
    (rb"^# ::(?:id|snt) |\A\s*\(\w+ / [^\s()]++\s*+:[A-Za-z]", ("a file of AMR graphs", AS_TEXT)),
    (
        rb"^ID=\S+ (?:PARSER|CORPUS)=|\A\s*\(<[TL] |\A<s id=\"\S+\"> \d+\s*$",
        ("a treebank of CCG derivations (CCGbank)", AS_NO_TREE),
    ),
    (rb"\A%%% |\A(?:b\d+ REF |b\d+ [A-Z][A-Za-z]+ )", ("a file of discourse representations (DRS)", AS_TEXT)),
    (rb"\A\s*(?:fstructure|xfst)\(|\A% -\*- coding.*prolog", ("a file of f-structures (LFG)", AS_NO_TREE)),
    (rb"\A\s*\( (?:Root|Nucleus|Satellite) \((?:span|leaf) ", ("a tree of discourse relations (RST)", AS_TEXT)),
    (
        rb"\A\s*(?:SENT:?|\[\d+\]) .*\n(?:.*\n)*?.*\[ LTOP: |\A\s*\[ ?(?:LTOP|TOP): ",
        ("a file of MRS structures", AS_TEXT),
    ),
    (rb"(?i)^MIME-Version:.*\n(?:.*\n){0,30}?Content-Type:\s*multipart/related", WEB_PAGE),
    (rb"(?i)^Content-Type:\s*multipart/related(?:.*\n){1,30}?MIME-Version:", WEB_PAGE),
    (rb"\A\s*(?:strict )?(?:di)?graph\b[^{\n]*\{", ("a drawing of a graph (Graphviz)", AS_NO_TREE)),
    (
        rb"\A(?:Document: .*\n)?Sentence #\d+ \(\d+ tokens",
        ("what CoreNLP prints to be read", "have it write CoNLL-U, by -outputFormat conllu, and import that file"),
    ),
    (rb"\Adiff --git ", ("a patch of git", "apply it, and import the file itself")),
)
OF_MOST = (  # patterns that most lines match
    (rb"T\d+\t\S+ \d+ \d+(?:;\d+ \d+)*\t.*|[REAM]\d+\t\S+ .*|\*\t\S+ T\d+.*|[N#]\d+\t.*", BRAT),
    (rb"\*[A-Z0-9]{2,}:\t.*|%\w{2,}:\t.*", CHAT),
    (rb"(?:.*\s)?\^[^/$^]*/[^$^]*\$.*", ("text of Apertium with its analyses", AS_TEXT)),
)
ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # first bytes of Office's files since 2007 and before
PARTS = {"word/": DOCUMENT, "xl/": SHEET, "ppt/": SLIDES, "Index/": ("a Pages document", AS_TEXT)}  # in a zip file
TYPES = {  # types that the part ``mimetype`` of a zip file states
    "application/vnd.oasis.opendocument.text": ("an OpenDocument text", AS_TEXT),
    "application/vnd.oasis.opendocument.spreadsheet": ("an OpenDocument spreadsheet", AS_LINES),
    "application/vnd.oasis.opendocument.presentation": SLIDES,
    "application/epub+zip": ("an e-book (EPUB)", AS_TEXT),
}
STREAMS = {"WordDocument": DOCUMENT, "Workbook": SHEET, "Book": SHEET, "PowerPoint Document": SLIDES}  # OLE streams


def refusal(data: bytes) -> str | None:
    """One sentence that says what bytes are and what to do instead, or None where they may be text."""
    if data.startswith(ZIP):
        kind = _zip_kind(data)
    elif data.startswith(OLE):
        named = (kind for name, kind in STREAMS.items() if name.encode("utf-16-le") in data)
        kind = next(named, ("an Office document", AS_TEXT))
    elif data.startswith(TAR_MARK, TAR):
        kind = "a tar archive", PACKED
    else:
        kind = next((kind for start, kind in STARTS.items() if data.startswith(start)), None)
    return None if kind is None else sentence_of(kind)


def text_refusal(lines: Sequence[bytes]) -> str | None:
    """As ``refusal``, of the lines that text begins with, those that are not blank: formats that are not read."""
    text = b"\n".join(lines)
    kind = next((kind for pattern, kind in ANYWHERE if re.search(pattern, text, re.MULTILINE)), None)
    for pattern, of_most in OF_MOST if kind is None else ():
        alike = re.compile(pattern)
        if sum(bool(alike.fullmatch(line)) for line in lines) > SHARE * len(lines):
            kind = of_most
            break
    return kind and sentence_of(kind)


def sentence_of(kind: tuple[str, str]) -> str:
    """The sentence of a kind of file."""
    return "this is {}; {}".format(*kind)


def _zip_kind(data):
    """The kind of a zip file, by the names of its parts, which are not unpacked but for a line that names the type."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            stated = archive.open("mimetype").read(100).decode("ascii", "replace") if "mimetype" in names else ""
    except DAMAGE:
        return "a zip file, and a damaged one", "make it again, unpack it and import the texts in it one by one"
    known = (kind for start, kind in PARTS.items() if any(name.startswith(start) for name in names))
    return TYPES.get(stated.strip()) or next(known, ("a zip file", PACKED))
