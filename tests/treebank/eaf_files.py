"""Small ELAN files in the shapes that fieldwork has, made for these tests; the language is made up."""

TYPES = """\
    <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"/>
    <LINGUISTIC_TYPE CONSTRAINTS="Symbolic_Subdivision" GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="cut" \
TIME_ALIGNABLE="false"/>
    <LINGUISTIC_TYPE CONSTRAINTS="Symbolic_Association" GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="note" \
TIME_ALIGNABLE="false"/>
    <LINGUISTIC_TYPE CONSTRAINTS="Time_Subdivision" GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="timed" \
TIME_ALIGNABLE="true"/>
    <LOCALE COUNTRY_CODE="US" LANGUAGE_CODE="en"/>
    <CONSTRAINT DESCRIPTION="Time subdivision of parent annotation's time interval, no time gaps allowed within this \
interval" STEREOTYPE="Time_Subdivision"/>
    <CONSTRAINT DESCRIPTION="Symbolic subdivision of a parent annotation. Annotations refering to the same parent are \
ordered" STEREOTYPE="Symbolic_Subdivision"/>
    <CONSTRAINT DESCRIPTION="1-1 association with a parent annotation" STEREOTYPE="Symbolic_Association"/>
"""


def eaf(*tiers, times=(), last=9, types=TYPES):
    """An ELAN file of tiers, as ``tier`` writes them; ``times`` are those of its time slots ts1, ts2 ..."""
    values = ["" if time is None else f' TIME_VALUE="{time}"' for time in times]
    numbered = enumerate(values, start=1)
    slots = "".join(f'        <TIME_SLOT TIME_SLOT_ID="ts{number}"{value}/>\n' for number, value in numbered)
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2026-01-05T10:00:00+01:00" FORMAT="3.0" VERSION="3.0" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">
    <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">
        <PROPERTY NAME="URN">urn:nl-mpi-tools-elan-eaf:made-for-a-test</PROPERTY>
        <PROPERTY NAME="lastUsedAnnotationId">{last}</PROPERTY>
    </HEADER>
    <TIME_ORDER>
{slots}    </TIME_ORDER>
{"".join(tiers)}{types}</ANNOTATION_DOCUMENT>
"""


def tier(name, type, *annotations, parent="", more=""):
    """A tier: of (id, slot, slot, text) that are aligned, or (id, parent, previous, text) that refer to others."""
    above = f' PARENT_REF="{parent}"' if parent else ""
    inside = "".join(map(_annotation, annotations))
    return f'    <TIER{more} LINGUISTIC_TYPE_REF="{type}"{above} TIER_ID="{name}">\n{inside}    </TIER>\n'


def _annotation(annotation):
    name, one, two, text = annotation
    if one.startswith("ts"):
        kind, about = "ALIGNABLE_ANNOTATION", f' TIME_SLOT_REF1="{one}" TIME_SLOT_REF2="{two}"'
    else:
        kind, about = "REF_ANNOTATION", f' ANNOTATION_REF="{one}"' + (f' PREVIOUS_ANNOTATION="{two}"' if two else "")
    value = f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE>"
    return f"""\
        <ANNOTATION>
            <{kind} ANNOTATION_ID="{name}"{about}>
                {value}
            </{kind}>
        </ANNOTATION>
"""


WITHOUT_WORDS = eaf(
    tier("Text", "default-lt", ("a1", "ts1", "ts2", "Mi go."), ("a2", "ts3", "ts4", "So, yu sɔ &amp; di?"),
         ("a3", "ts4", "ts5", "")),
    times=(0, 900, 1000, 2000, 3000), last=3,
).encode()  # fmt: skip
WITH_CRLF = WITHOUT_WORDS.replace(b"\n", b"\r\n")
WITH_WORDS = eaf(
    tier("tx@Ama", "default-lt", ("a1", "ts1", "ts2", "Mi go, di."), ("a2", "ts3", "ts4", "So mi."),
         more=' DEFAULT_LOCALE="en" PARTICIPANT="Ama K."'),
    tier("wd@Ama", "cut", ("a3", "a1", "", "Mi"), ("a5", "a1", "a4", "di"), ("a4", "a1", "a3", "go"), parent="tx@Ama"),
    tier("ft@Ama", "note", ("a9", "a1", "", "I went there."), parent="tx@Ama"),
    tier("notes", "default-lt", ("a8", "ts1", "ts4", "wind")),
    times=(0, 900, 1000, 2000),
)  # fmt: skip
IN_UTF16 = b"\xff\xfe" + WITH_WORDS.replace('encoding="UTF-8"', 'encoding="UTF-16"').encode("utf-16-le")
TWO_SPEAKERS = eaf(
    tier("B", "default-lt", ("a2", "ts3", "ts5", "Yu so"), more=' PARTICIPANT="Bo"'),
    tier("words-B", "timed", ("a4", "ts4", "ts5", "so"), ("a3", "ts3", "ts4", "Yu"), parent="B"),
    tier("A", "default-lt", ("a5", "ts1", "ts2", "mi go"), ("a6", "ts5", "ts6", "di"), more=' PARTICIPANT="Ama"'),
    times=(0, 900, 1000, None, 2000, 3000),
).encode()  # fmt: skip
WITH_TAGS = b"\xef\xbb\xbf" + eaf(
    tier("tx", "default-lt", ("a1", "ts1", "ts2", "migo-di sɔ")),
    tier("wd", "cut", ("a2", "a1", "", "migodi"), ("a3", "a1", "a2", "sɔ"), parent="tx"),
    tier("mb", "cut", ("a4", "a2", "", "migo"), ("a5", "a2", "a4", "-di"), ("a6", "a3", "", "sɔ"), parent="wd"),
    tier("ge", "note", ("a7", "a4", "", "house"), ("a8", "a5", "", "-PL"), ("a9", "a6", "", "stand|up"), parent="mb"),
    tier("pos", "note", ("a10", "a2", "", "NOUN"), ("a11", "a3", "", "VERB"), parent="wd"),
    tier("lemma", "note", ("a12", "a3", "", "sɔ"), parent="wd"),
    times=(0, 900), last=12,
).encode()  # fmt: skip
FILES = {
    "without words": WITHOUT_WORDS, "CRLF": WITH_CRLF, "UTF-16": IN_UTF16, "two speakers": TWO_SPEAKERS,
    "tags and BOM": WITH_TAGS,
}  # fmt: skip
