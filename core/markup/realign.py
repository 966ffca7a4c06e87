"""Text in two bytes a character, one of them damaged or missing, read on from the character after it.

A decoder that goes on from the next byte takes the second half of each character for a first, up to the next letter of
ASCII: one byte costs a paragraph. Instead the cheapest reading is chosen, of what stands between two bytes that are no
half of any character. A skipped byte has its price, and so has a rare character, for misread text is full of them.
"""

import re

STRETCH = re.compile(rb"[^\x00-\x2f\x3a-\x3f]+")  # what stands between bytes that are part of no character
LONGEST = 1 << 16  # bytes of a stretch; a longer one is decoded as it comes
SKIPPED, RARE = 8, 1  # so that a byte more is skipped only where it makes many characters common
COMMON = {  # first bytes of the characters that most of a text consists of
    "gb18030": frozenset((0xA1, 0xA3, *range(0xB0, 0xD8))),
    "big5hkscs": frozenset(range(0xA1, 0xC7)),
    "cp949": frozenset((0xA1, 0xA3, *range(0xB0, 0xC9))),
    "euc_jp": frozenset((0xA1, 0xA3, 0xA4, 0xA5, *range(0xB0, 0xD0))),
    "cp932": frozenset((0x81, 0x82, 0x83, *range(0x88, 0x98))),
}
COMMON |= {"cp950": COMMON["big5hkscs"], "euc_jis_2004": COMMON["euc_jp"]}
LENGTHS = {"gb18030": (2, 4), "euc_jp": (2, 3), "euc_jis_2004": (2, 3)}  # bytes of a character beyond ASCII


def realigned(data: bytes, codec: str) -> str:
    """The text of bytes in one of the codecs of ``COMMON``; U+FFFD stands for each byte that is skipped.

    O(bytes).
    """
    pieces, position = [], 0
    for stretch in STRETCH.finditer(data):
        pieces.append(data[position : stretch.start()].decode("ascii"))
        position = stretch.end()
        try:
            pieces.append(stretch[0].decode(codec))
        except UnicodeDecodeError:
            is_long = len(stretch[0]) > LONGEST
            pieces.append(stretch[0].decode(codec, "replace") if is_long else _cheapest(stretch[0], codec))
    return "".join([*pieces, data[position:].decode("ascii")])


def _cheapest(data, codec):
    """The cheapest reading of a stretch, found from its end."""
    common, lengths = COMMON[codec], LENGTHS.get(codec, (2,))
    costs, steps = [0] * (len(data) + 1), [("", 0)] * len(data)
    for position in reversed(range(len(data))):
        ways = [(costs[position + 1] + SKIPPED, "\ufffd", 1)]
        for length in (1, *lengths):
            if position + length > len(data):
                break
            try:
                character = data[position : position + length].decode(codec)
            except UnicodeDecodeError:
                continue
            is_rare = data[position] >= 0x80 and data[position] not in common
            if length == 1 or data[position] >= 0x80:  # else two letters of ASCII
                ways.append((costs[position + length] + is_rare * RARE, character, length))
        costs[position], character, length = min(ways, key=lambda way: way[0])
        steps[position] = character, length
    pieces, position = [], 0
    while position < len(data):
        character, length = steps[position]
        pieces.append(character)
        position += length
    return "".join(pieces)
