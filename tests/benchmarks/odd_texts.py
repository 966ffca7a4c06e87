"""Running text that nobody writes on purpose, of any length: what ``proportion`` reads.

``RUNNING`` maps a name to what makes such a text of about so many characters. Each says the same over and over, so that
a reader that looks twice at what it has read takes the square of the length.
"""

from collections.abc import Callable

Make = Callable[[int], str]
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def again(piece: str) -> Make:
    """A piece over and over."""
    return lambda size: (piece * (size // len(piece) + 1))[:size]


def lines(piece: str, end: str = "\n") -> Make:
    """Whole pieces over and over, each numbered where it says ``{0}``, one where it says ``{1}``."""

    def make(size):
        found, length, number = [], 0, 0
        while True:
            number += 1
            text = piece.replace("{0}", str(number)).replace("{1}", str(number + 1)).replace("{w}", word(number)) + end
            length += len(text)
            if found and length > size:
                return "".join(found)
            found.append(text)

    return make


def around(before: str, piece: str, after: str) -> Make:
    """A piece over and over between two others."""
    return lambda size: before + again(piece)(size) + after


def nested(opening: str, closing: str, inside: str = "") -> Make:
    """Opened over and over, and closed as often."""

    def make(size):
        depth = max(1, size // len(opening + closing))
        return opening * depth + inside + closing * depth

    return make


def word(number: int) -> str:
    """Another word for each number."""
    letters = ""
    while number:
        number, letter = divmod(number, 26)
        letters += ALPHABET[letter]
    return letters


RUNNING: dict[str, Make] = {
    "one word of letters": again(ALPHABET),
    "one word of capitals": again(ALPHABET.upper()),
    "one letter": again("a"),
    "one word of hyphens": again("ab-"),
    "one word of apostrophes": again("l'"),
    "one word of full stops": again("a.b."),
    "cut at line ends": again("won-\nder "),
    "one word cut at a line end": lambda size: again("ab")(size // 2) + "-\n" + again("cd")(size // 2),
    "letters, hyphen, line end": again("ab-\n"),
    "hyphens and line ends": again("-\n"),
    "one line of words": again("the cat sat on the mat "),
    "one line of sentences": again("The cat sat. "),
    "other words": lines("{w}", " "),
    "names and titles": again("Dr. A. Mr. "),
    "ordinals": again("3. Mai "),
    "brackets that open": again("("),
    "brackets that open and words": again("(a "),
    "brackets that close": again(")"),
    "pairs of brackets": again("() "),
    "nested brackets": nested("(", ")", "word"),
    "nested brackets of all kinds": nested("[{(", ")}]", "word"),
    "brackets and quotes": again("(\"'"),
    "straight quotes": again('"'),
    "straight quotes and spaces": again('" '),
    "quotes around words": again('"a" '),
    "a stop and quotes": lambda size: "A." + again('"')(size),
    "stops and quotes": again('A." '),
    "stops before quotes that open": again('A. "'),
    "stops and single quotes": again("a.' '"),
    "doubled single quotes": again("'' "),
    "commas for quotes": again(",,"),
    "typographic quotes": again("“”"),
    "guillemets": again("«»"),
    "guillemets and stops": again("». «"),
    "dashes": again("-"),
    "long dashes": again("— "),
    "stops and dashes": again(". — "),
    "full stops": again("."),
    "full stops and spaces": again(". "),
    "ellipses": again("... "),
    "question marks": again("?!"),
    "commas": again(", "),
    "colons": again("a: "),
    "semicolons": again(";"),
    "slashes": again("a/"),
    "backslashes": again("\\"),
    "underscores": again("_"),
    "equals signs": again("a="),
    "stars": again("*"),
    "hash signs": again("# "),
    "at signs": again("a@b."),
    "addresses": again("http://a.b/c?d=e&"),
    "addresses one by one": again("http://www.example.org/a/b.html "),
    "numbers with separators": again("1,000."),
    "numbers with dots": again("1.2.3 "),
    "numbers with hyphens": again("3-4-"),
    "digits": again("1234567890"),
    "smileys": again(":-) "),
    "emoji": again("\U0001f469\u200d\U0001f469\u200d\U0001f467"),
    "combining marks": lambda size: "e" + again("\u0301")(size),
    "combining marks of two classes": lambda size: "e" + again("\u0301\u0323")(size),
    "combining marks of two classes, halves": lambda size: (
        "e" + again("\u0301")(size // 2) + again("\u0323")(size // 2)
    ),
    "letters with marks": again("e\u0301\u0323"),
    "Arabic ligatures": again("\ufdfa"),
    "Arabic ligatures and stops": again("\ufdfa. "),
    "Latin ligatures": again("\ufb03"),
    "Arabic": again("\u0643\u062a\u0627\u0628 "),
    "Arabic vowel marks": again("\u0643\u064e\u0651"),
    "Hebrew": again("\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd "),
    "Devanagari": again("\u0915\u094d\u0937"),
    "Hangul letters": again("\u1100\u1161\u11a8"),
    "Chinese": again("\u6f22\u5b57\u5f88\u96e3"),
    "Chinese stops": again("\u3002"),
    "Chinese sentences": again("\u5979\u95ee\u9053\uff1a\u300c\u597d\u3002\u300d"),
    "Japanese": again("\u65e5\u672c\u8a9e\u3092\u8a71\u3059"),
    "Thai": again("\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22"),
    "Khmer": again("\u1797\u17b6\u179f\u17b6"),
    "Tibetan": again("\u0f56\u0f7c\u0f51\u0f0b"),
    "spaces": again(" "),
    "no-break spaces": again("\u00a0"),
    "zero-width spaces": again("a\u200b"),
    "soft hyphens": again("a\u00ad"),
    "soft hyphens and line ends": again("\u00ad\n"),
    "line separators": again("a\u2028"),
    "tabs": again("\t"),
    "words and tabs": again("a\t"),
    "line ends": again("\n"),
    "line ends of Windows": again("a\r\n"),
    "line ends of old Macintoshes": again("a\r"),
    "line ends of all kinds": again("a\r\r\n\n\r\x0b\x0c\x85\u2028"),
    "blank lines with spaces": again("\n  "),
    "a word a line": again("a\n"),
    "a sentence a line": lines("The {w} sat."),
    "null bytes between": again("a\x01"),
    "byte-order marks": again("\ufeff"),
    "tags": again("<b>a</b>"),
    "tags that open": again("<b>"),
    "tags that close": again("</b>"),
    "tags nested deep": nested("<i>", "</i>", "word"),
    "tags of many kinds nested deep": nested("<div><p><b><a href=x>", "</a></b></p></div>", "word"),
    "blocks nested deep": nested("<div>word ", "</div>"),
    "blocks that open": again("<div>a "),
    "tables nested deep": nested("<table><tr><td>", "</table>", "word"),
    "lists nested deep": nested("<ul><li>a", "</ul>"),
    "less-than signs": again("<"),
    "less-than signs and letters": again("<a "),
    "tags with attributes": again('<a href="x" class=y>a</a> '),
    "tags with slashes": again("<a b/>"),
    "tags with slashes and a word": lambda size: again("<a b/>")(size // 6 * 6) + "x",
    "one tag with many attributes": around("<a ", "b=c ", ">word</a>"),
    "one tag with many quotes": around("<a ", "b='c' d=\"", ">word</a>"),
    "a note with many attributes": around("<p>word<sup ", "id=", ">1</sup>"),
    "notes": again("a<sup>1</sup> "),
    "a raised text": around("<p>word<sup>", "1,", "</sup>"),
    "raised formulas": again("<sup>(a"),
    "attributes that never end": again("<a b='"),
    "comments": again("<!-- a -->"),
    "comments that never end": again("<!--"),
    "declarations": again("<!"),
    "instructions": again("<?"),
    "character data": again("<![CDATA["),
    "entities": again("&amp;"),
    "entities that never end": again("&amp"),
    "ampersands": again("&"),
    "numbered entities": again("&#x41"),
    "one long entity": lambda size: "&#" + again("1")(size) + ";",
    "scripts that never end": again("<script>"),
    "titles that never end": again("<title>"),
    "forms": again("<select><option>a"),
    "line breaks": again("a<br>"),
    "line breaks and words": lines("word {w}<br>", " "),
    "line breaks in links": around("<a href=x>", "a <br>", "</a>"),
    "links in one sentence": lines("<a href=x>{w}</a>", " "),
    "paragraphs": again("<p>The cat <b>sat</b> there. "),
    "quoted in a sentence": again("a “b” "),
    "code": again("<code>a</code> "),
    "stars around words": again("*a* "),
    "stars that open": again("*a "),
    "two stars that open": again("**a "),
    "underscores that open": again("_a "),
    "links of Markdown": again("[a](b) "),
    "links that open": again("["),
    "pictures that open": again("!["),
    "backticks": again("`"),
    "backticks of all lengths": lambda size: " ".join("`" * n for n in range(1, int((2 * size) ** 0.5))),
    "quoted lines": again("> "),
    "list items": again("- a\n"),
    "numbered items": again("1. a\n"),
    "headings": again("# a\n"),
    "braces": again("{"),
    "brackets of JSON": again("["),
    "objects of JSON": again('{"a":'),
    "tagged words": again("a/NN "),
    "words with many slashes": again("/NN"),
    "columns": again("a\tb\tc\n"),
    "numbers and columns": again("1\ta\t_\n"),
    "comment lines": again("# x\n"),
    "comment lines with values": again("# x = y\n"),
    "remarks that never end": again("/*\n"),
    "markers": again("\\tx a\n"),
    "bracketed leaves": again("(A b)"),
    "bars": again("a|b|"),
    "colons between capitals": lambda size: "a/" + again("A:")(size) + "(",
    "blanks in a graph": lambda size: "(a / b" + " " * size + "x",
    "caret and slash": again("^a/b$"),
}
