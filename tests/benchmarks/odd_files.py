"""Files, constraints, requests and lists of words that nobody writes on purpose, as ``odd_texts`` has running text.

``FORMED`` maps the name of a format to such texts in it, and the others are maps from name to text.
"""

import json

from tests.benchmarks.odd_texts import Make, again, lines, nested

EMPTY = "\t_" * 8
UNTAGGED = "1\ta" + EMPTY + "\n"


def conllu(size: int, line: str = "{0}\t{w}" + EMPTY, head: str = "", end: str = "\n") -> str:
    """One sentence of CoNLL-U."""
    return head + lines(line)(size) + end


def conllu_texts() -> dict[str, Make]:
    """Texts in CoNLL-U."""
    word_line = "{0}\t{w}\t_\tNOUN\t_\t_\t{1}\tdep\t_\t_"

    def chain(size):  # each word below the one before, whose head is 0 in the first
        return (
            "".join(f"{n}\tw\tw\tNOUN\t_\t_\t{n - 1}\t{'dep' if n > 1 else 'root'}\t_\t_\n" for n in count(size)) + "\n"
        )

    def star(size):
        tag = "{0}\tw\tw\tNOUN\t_\t_\t1\tdep\t_\t_\n"
        rows = (tag.replace("{0}", str(n)) for n in count(size) if n > 1)
        return "1\tw\tw\tNOUN\t_\t_\t0\troot\t_\t_\n" + "".join(rows) + "\n"

    def crossing(size):  # each word hangs two before
        heads = (
            f"{n}\tw\tw\tPUNCT\t_\t_\t{max(n - 2, 0)}\t{'punct' if n > 1 else 'root'}\t_\t_\n" for n in count(size)
        )
        return "".join(heads).replace("2\tw\tw\tPUNCT\t_\t_\t0", "2\tw\tw\tPUNCT\t_\t_\t1", 1) + "\n"

    def cycle(size):
        rows = list(count(size))
        return "".join(f"{n}\tw{EMPTY[:8]}\t{n % len(rows) + 1}\tdep\t_\t_\n" for n in rows) + "\n"

    def count(size):
        return range(1, max(2, size // len("10000\tw\tw\tNOUN\t_\t_\t10000\tdep\t_\t_\n")))

    def ranges(size):
        rows = (f"{n}-{n + 1}\tab{EMPTY}\n{n}\ta{EMPTY}\n{n + 1}\tb{EMPTY}\n" for n in range(1, size // 30, 2))
        return "# text = " + "ab " * (size // 60) + "\n" + "".join(rows) + "\n"

    def nodes(size):
        return UNTAGGED + "".join(f"1.{n}\ta\t_\t_\t_\t_\t_\t_\t0:root\t_\n" for n in range(1, size // 30)) + "\n"

    def graphs(size):
        many = "|".join(f"{n}:dep" for n in range(size // 20))
        return f"1\ta\t_\tX\t_\t_\t0\troot\t{many}\t_\n\n"

    def comment_of(key, piece):
        return lambda size: f"# {key} = {again(piece)(size)}\n{UNTAGGED}\n"

    def field_of(column, piece):
        def make(size):
            fields = ["1", "a", "_", "NOUN", "_", "_", "0", "root", "_", "_"]
            fields[column] = lines(piece, "|")(size).removesuffix("|")
            return "\t".join(fields) + "\n\n"

        return make

    return {
        "one sentence": conllu,
        "one sentence with its text": lambda size: conllu(
            size // 2, head="# text = " + lines("{w}", " ")(size // 4).strip() + "\n"
        ),
        "one sentence, heads that go on": lambda size: conllu(size, word_line),
        "one chain": chain,
        "one star": star,
        "punctuation that crosses": crossing,
        "one cycle": cycle,
        "one sentence, SpaceAfter=No": lambda size: conllu(size, "{0}\ta" + EMPTY[:-2] + "\tSpaceAfter=No"),
        "a word a sentence": lines(UNTAGGED),
        "a word a sentence, named alike": lines("# sent_id = a\n" + UNTAGGED),
        "ranges of words": ranges,
        "one range of words": lambda size: f"1-{size // 25}\tab{EMPTY}\n" + conllu(size),
        "empty nodes": nodes,
        "enhanced heads": graphs,
        "comments before one word": lambda size: again("# x = y\n")(size // 8 * 8) + UNTAGGED + "\n",
        "comments alone": lambda size: again("# x\n")(size // 4 * 4),
        "a long text": comment_of("text", "a "),
        "a long sent_id": comment_of("sent_id", "a"),
        "brackets of a word": comment_of("markup", "a 1-1 | "),
        "brackets that cannot be read": comment_of("markup", "a "),
        "a long comment": comment_of("x", "="),
        "whose tree": comment_of("tree", ", around heads annotated by hand"),
        "many features": field_of(5, "A{w}=B"),
        "one feature again": field_of(5, "A=B"),
        "many values of a feature": lambda size: field_of(5, "A=B" + ",C" * (size // 2))(1),
        "many entries of MISC": field_of(9, "A{w}=B"),
        "one entry of MISC again": field_of(9, "SpaceAfter=No"),
        "a long form": field_of(1, "ab"),
        "a long lemma": field_of(2, "ab"),
        "a long tag": field_of(3, "ab"),
        "a long relation": field_of(7, "ab:"),
        "other columns": lambda size: "# global.columns = ID FORM " + lines("{w}", " ")(size) + "\n1\ta\n",
        "blank lines": lambda size: UNTAGGED + "\n" * size,
        "lines of one space": lambda size: UNTAGGED + "\n" + " \n" * (size // 2),
        "blanks behind a sentence": lambda size: UNTAGGED + "\n" + " " * size + "\n",
        "tabs in one line": lambda size: "1" + "\t" * size + "\n\n",
        "a long number": lambda size: again("1")(size) + "\ta" + EMPTY + "\n\n",
    }


def penn(size: int) -> str:
    """A tree with many children."""
    return "(S " + again("(N n) ")(size // 6 * 6) + ")"


def in_story(make: Make) -> Make:
    """Within a text of FLEx."""
    return lambda size: f"<document><interlinear-text>{make(size)}</interlinear-text></document>"


FORMED: dict[str, dict[str, Make]] = {
    "conllu": conllu_texts(),
    "conllup": {
        "many columns": lambda size: "ID\tFORM\t" + lines("{w}", "\t")(size) + "x\n",
        "a column again": lambda size: "ID\tFORM\t" + again("x\t")(size) + "x\n",
    },
    "conll2009": {
        "many predicates": lambda size: "1" + "\t_" * (size // 2) + "\n\n",
        "one sentence": lines("{0}\ta" + "\t_" * 12),
    },
    "conll2012": {
        "one sentence": lambda size: lines("a 0 {0} b NN (TOP* - - - - *")(size) + "\n",
        "a deep tree": lambda size: "a 0 0 b NN " + nested("(A", ")", "*")(size) + " - - - - *\n",
        "many documents": lines("#begin document (a); part {0}\na 0 0 b NN (TOP*) - - - - *\n"),
    },
    "conll2003": {
        "one sentence": lines("{w} NN O"),
        "many columns": lambda size: "a " + "O " * (size // 2) + "\n",
    },
    "vertical": {
        "one sentence": lambda size: "<s>\n" + lines("{w}\tNN\t{w}")(size) + "</s>\n",
        "tags in a line": lambda size: "<s>" * (size // 3) + "\na\tb\n",
        "tags with slashes and a word": lambda size: "<s>\na\tb\n" + "<g b/>" * (size // 6) + "x\n</s>\n",
        "attributes": lambda size: "<s " + again("a=b ")(size) + ">\na\tb\n</s>\n",
        "attributes in quotes": lambda size: "<s " + again("a='b' ")(size) + ">\na\tb\n</s>\n",
        "entities": lambda size: "<s>\n" + again("&amp;")(size) + "\tb\n</s>\n",
        "letters of attributes": lambda size: "<s " + again("a")(size) + ">\na\tb\n</s>\n",
        "documents": lines('<doc id="{0}">\na\tb\n</doc>'),
        "blank lines before": lambda size: "\n" * size + "<s>\na\tb\n</s>\n",
        "spaces before": lambda size: " " * size + "<s>\na\tb\n</s>\n",
    },
    "cg3": {
        "one sentence": lines('"<a>"\n\t"a" N @X #{0}->{1}'),
        "readings": lambda size: '"<a>"\n' + lines('\t"a" N #1->0')(size),
        "tags": lambda size: '"<a>"\n\t"a" ' + lines("{w}", " ")(size) + "\n",
        "quotes in a lemma": lambda size: '"<a>"\n\t"' + again('"')(size) + "\n",
        "quotes and spaces in a lemma": lambda size: '"<a>"\n\t"' + again('" ')(size) + "x\n",
        "backslashes in a lemma": lambda size: '"<a>"\n\t"' + again('\\"')(size) + "\n",
        "a reading of spaces": lambda size: '"<a>"\n' + " " * size + "x\n",
        "quotes in a word": lambda size: '"<' + again('>" ')(size) + "\n",
        "hash signs": lambda size: '"<a>"\n\t"a" ' + again("#1")(size) + "\n",
        "a long number": lambda size: '"<a>"\n\t"a" #' + again("1")(size) + "\n",
    },
    "json": {
        "nested lists": nested("[", "]"),
        "nested objects": nested('{"a":', "}", "1"),
        "objects a line": lines('{"words": [{"text": "a", "tag": "X"}], "arcs": []}'),
        "words": lambda size: json.dumps({"words": [{"text": "a", "tag": "X"}] * (size // 28), "arcs": []}),
        "arcs": lambda size: json.dumps(
            {
                "words": [{"text": "a", "tag": "X"}] * (size // 90),
                "arcs": [{"start": 0, "end": n, "label": "x", "dir": "right"} for n in range(1, size // 90)],
            }
        ),
        "a document of spaCy": lambda size: json.dumps(
            {
                "text": "a " * (size // 30),
                "tokens": [{"id": n, "start": 2 * n, "end": 2 * n + 1} for n in range(size // 30)],
            }
        ),
        "lines that are none": again('{"a": 1}\n{'),
        "a long number": lambda size: again("1")(size),
        "a list of numbers": lambda size: "[" + again("1,")(size // 2 * 2) + "1]",
    },
    "mrg": {
        "one wide tree": penn,
        "deep trees": nested("(S ", ")", "(N n)"),
        "deep trees of two": nested("(S (N n) ", ")", "(N n)"),
        "deep trees that never end": again("(S (N n) "),
        "wide trees of other labels": lambda size: "(S " + lines("({w} n)", " ")(size) + ")",
        "trees": again("(S (N n))\n"),
        "trees in a line": again("(S (N n)) "),
        "remarks": again("; a\n"),
        "remarks that never end": lambda size: again("/*\n")(size // 3 * 3) + "(S (N n))",
        "remarks that begin again": lambda size: again("/* a\n")(size // 5 * 5) + "*/ (S (N n))",
        "spaces": lambda size: "(S (N" + " " * size + "n))",
        "spaces behind brackets": lambda size: "(" + " " * size + "(N n))",
        "lines with spaces": again("  \n"),
        "hyphens": lambda size: "((ID a) (S (N " + again("a-")(size) + "x)))",
        "traces": lambda size: "(S (N n) " + again("(-NONE- *) ")(size // 11 * 11) + ")",
        "a long word": lambda size: "(S (N " + again("a")(size) + "))",
        "brackets with spaces": again("( "),
        "function tags": lambda size: "(S (N" + again("-A")(size) + " n) (N n))",
    },
    "tagged": {
        "words": again("a/NN "),
        "other words": lines("{w}/NN", " "),
        "many slashes": lambda size: again("a/")(size) + "NN",
        "backslashes": lambda size: again("\\/")(size) + "/NN",
        "phrases": again("[ a/NN ]\n"),
        "phrases in a line": lambda size: "[ " + again("a/NN ] ")(size // 7 * 7) + "x/NN",
        "rules": again("=====\n"),
        "spaces": lambda size: "a/NN" + " " * size + "\n",
        "a rule of spaces": lambda size: "=====" + " " * size + "a/NN\n",
        "backslashes alone": lambda size: again("\\")(size) + "/NN",
    },
    "toolbox": {
        "one line": lambda size: f"\\ref 1\n\\tx {again('a ')(size // 2)}\n\\mb {again('a ')(size // 2)}\n",
        "uneven lines": lambda size: f"\\ref 1\n\\tx {again('a ')(size // 2)}\n\\mb {again('b  ')(size // 2)}\n",
        "uneven lines beyond ASCII": lambda size: (
            f"\\ref 1\n\\tx {again('é ')(size // 2)}\n\\mb {again('é  ')(size // 2)}\n"
        ),
        "hyphens": lambda size: f"\\ref 1\n\\tx a\n\\mb {again('a- ')(size)}\n",
        "morphemes": lambda size: f"\\ref 1\n\\tx {again('a')(size)}\n\\mb {again('a -b ')(size)}\n",
        "records": lines("\\ref {0}\n\\tx a b\n\\mb a b\n"),
        "blocks": lambda size: "\\ref 1\n" + again("\\tx a\n\\mb a\n")(size // 12 * 12),
        "translations": lambda size: "\\ref 1\n\\tx a\n" + again("\\ft b\n")(size // 6 * 6),
        "a translation that goes on": lambda size: "\\ref 1\n\\tx a\n\\ft b\n" + again("b\n")(size // 2 * 2),
        "marks": lambda size: f"\\ref 1\n\\tx {again('. ')(size)}\n",
        "marks on a word": lambda size: f"\\ref 1\n\\tx {again('(')(size // 2)}a{again(')')(size // 2)}\n",
        "tags": lambda size: f"\\ref 1\n\\tx a\n\\mb {again('a-')(size)}\n\\ps {again('n-')(size)}\n",
        "colons in a tag": lambda size: f"\\ref 1\n\\tx a\n\\mb a-b\n\\ps {again(':x')(size)}-n\n",
        "a name of spaces": lambda size: f"\\ref {again('a ')(size)}\n\\tx a\n",
    },
    "flextext": {
        name: in_story(make)
        for name, make in {
            "words": lambda size: (
                "<paragraphs><paragraph><phrases><phrase><words>"
                + lines('<word><item type="txt" lang="x">{w}</item></word>', "")(size)
                + "</words></phrase></phrases></paragraph></paragraphs>"
            ),
            "words in many languages": lambda size: (
                "<paragraphs><paragraph><phrases><phrase><words>"
                + lines('<word><item type="txt" lang="{w}">a</item></word>', "")(size)
                + "</words></phrase></phrases></paragraph></paragraphs>"
            ),
            "morphemes": lambda size: (
                "<paragraphs><paragraph><phrases><phrase><words><word>"
                + lines('<morph><item type="txt" lang="x">{w}</item></morph>', "")(size)
                + "</word></words></phrase></phrases></paragraph></paragraphs>"
            ),
            "text without words": lambda size: (
                "<paragraphs><paragraph><phrases><phrase>"
                + f'<item type="txt" lang="x">{again("a ")(size)}</item></phrase></phrases></paragraph></paragraphs>'
            ),
            "marks": lambda size: (
                "<paragraphs><paragraph><phrases><phrase><words><word>"
                + f'<item type="punct" lang="x">{again("?!")(size)}</item>'
                + "</word></words></phrase></phrases></paragraph></paragraphs>"
            ),
            "phrases nested deep": nested("<phrases><phrase>", "</phrase></phrases>"),
            "words nested deep": lambda size: (
                "<phrases><phrase><words>"
                + nested("<word>", "</word>", '<morph><item type="txt" lang="x">a</item></morph>')(size)
                + "</words></phrase></phrases>"
            ),
            "quotes": lambda size: (
                "<phrases><phrase><words>"
                + again('<word><item type="punct" lang="x">&quot;</item></word>')(size // 54 * 54)
                + "</words></phrase></phrases>"
            ),
        }.items()
    },
}
CONSTRAINTS: dict[str, Make] = {
    "lines": lines("NOUN <- VERB dist {0} = 0.5"),
    "the same line": again("NOUN <- VERB = 0.5\n"),
    "unknown forms": lines("form:{w} <- VERB = 0.5"),
    "unknown tags": lines("{w} <- VERB = 0.5"),
    "unknown columns": lines("{w}:a <- VERB = 0.5"),
    "lines that cannot be read": again("NOUN VERB\n"),
    "alternatives": lambda size: "{" + lines("{w}", " ")(size) + "} <- VERB = 0.5\n",
    "alternatives that are known": lambda size: "{" + again("NOUN VERB ")(size // 10 * 10) + "} <- VERB = 0.5\n",
    "forms for alternatives": lambda size: "{" + lines("form:{w}", " ")(size) + "} <- VERB = 0.5\n",
    "alternatives that never end": lambda size: "{" + again("a ")(size),
    "conditions": lambda size: "NOUN <- VERB " + lines("before head {w}", " ")(size) + " = 0.5\n",
    "conditions of features": lambda size: "NOUN <- VERB " + lines("between none feats:A={w}", " ")(size) + "= 0.5\n",
    "one long tag": lambda size: again("a")(size) + " <- VERB = 0.5\n",
    "one long word in quotes": lambda size: '"' + again("a")(size) + '" <- VERB = 0.5\n',
    "quotes": again('"'),
    "backslashes in quotes": lambda size: '"' + again('\\"')(size) + '" <- VERB = 0.5\n',
    "comments": again("# a\n"),
    "comments in a line": lambda size: "NOUN <- VERB = 0.5 " + again("# ")(size) + "\n",
    "spaces": lambda size: "NOUN" + " " * size + "<- VERB = 0.5\n",
    "features": lambda size: "feats:" + lines("A{w}=B", "|")(size).rstrip("|") + " <- VERB = 0.5\n",
    "one long number": lambda size: "NOUN <- VERB dist " + again("1")(size) + " = 0.5\n",
    "one long target": lambda size: "NOUN <- VERB = 0." + again("1")(size) + "\n",
    "strange signs": lambda size: again("a§")(size) + " <- VERB = 0.5\n",
    "colons": lambda size: again("a:")(size) + " <- VERB = 0.5\n",
    "hyphens": lambda size: again("a-")(size) + " <- VERB = 0.5\n",
    "line ends": again("\n"),
}
REQUESTS: dict[str, Make] = {
    "words": lines("X{0} [upos=NOUN];", " "),
    "values": lambda size: "X [form=" + lines("{w}", "|")(size).rstrip("|") + "]",
    "comments": again("% a\n"),
    "spaces": lambda size: "X" + " " * size + "[upos=NOUN]",
    "brackets": again("["),
    "quotes": again('"'),
    "keys": lambda size: "X [" + lines("{w}", ", ")(size).removesuffix(", ") + "]",
    "expressions": lambda size: 'X [form=re"' + again("(")(size) + '"]',
    "slashes": lambda size: "X [form=" + again("/")(size) + "]",
    "slashes and spaces": lambda size: "X [form=" + again("/a/ ")(size) + "]",
    "one long name": lambda size: again("a")(size) + " [upos=NOUN]",
    "hyphens": lambda size: again("a-")(size) + " [upos=NOUN]",
    "arcs": lines("X{0} -> X{1};", " "),
    "arcs with names": lines("e{0}: X{0} -> X{1};", " "),
    "blocks": lambda size: "X [upos=NOUN] " + again("without { X -> Y } ")(size // 19 * 19),
    "commands": lambda size: "pattern { X [upos=NOUN] } commands { " + again("X.lemma = a; ")(size // 13 * 13) + "}",
}
LEXICONS: dict[str, Make] = {
    "words": lines("{w} NOUN"),
    "one word again": lines("a T{0}"),
    "one word with many tags": lambda size: "a " + lines("{w}", " ")(size),
    "endings": lines("-{w} NOUN"),
    "one long ending": lambda size: "-" + again("a")(size) + " NOUN\n",
    "one long word": lambda size: again("a")(size) + " NOUN\n",
    "quotes": lambda size: again('"')(size) + " NOUN\n",
    "quotes one by one": again('"a" '),
    "backslashes": lambda size: '"' + again("\\a")(size) + '" NOUN\n',
    "spaces": lambda size: "a" + " " * size + "\n",
    "comments": again("# a\n"),
    "shapes": again("@number NUM\n"),
    "hyphens": again("-"),
}
