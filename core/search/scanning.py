"""The signs of a request, as its reader takes them one after the other."""

import regex

QUOTES = "; a value with such signs stands in double quotes"
LETTER = r"\w\p{M}\u200c\u200d"  # as UAX 31: marks and joiners are of their word
TOKEN = regex.compile(
    r"""(?P<space>\s+|%[^\n]*)|(?P<regex>re"(?:[^"\\]|\\.)*"\w*|/(?:[^/\\\n]|\\.)+/\w*(?=\s*[\]|,;}]))"""
    r"""|(?P<text>"(?:[^"\\]|\\.)*")"""
    r"""|(?P<sign>->>|->|-\[\^?|\]->|==>|=\[\^?|\]=>|<<|>>|<>|[\[\]{}<>=|,;:.!*])"""
    rf"""|(?P<word>[{LETTER}$'’&/+@#](?:[{LETTER}$'’&/+@#]|-(?![>\[])|:(?=[{LETTER}*])|(?<=:)\*)*)"""
)
