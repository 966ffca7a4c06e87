"""UD's own validator beside ours: python -m tests.annotation.official FILE ... prints a table by treebank and rule.

Ours says more of a sentence whose tree is broken, where the official one stops.
"""

import io
import sys
from collections import Counter
from functools import cache
from time import perf_counter

from udtools import Validator

from core.annotation.validation import validate
from core.files.tables import separated
from core.treebank import read_conllu

# What the official one says of a sentence and then reads it no further, and what is of other files or no fault of ours.
STOPS = {
    "invalid-head", "unknown-head", "invalid-deps", "invalid-ehead", "unknown-ehead", "head-self-loop",
    "multiple-roots", "non-tree", "invalid-feature",
}  # fmt: skip
ELSEWHERE = {"missing-sent-id", "missing-text", "edeps-identical-to-basic-trees"}


@cache
def official_validator(level):
    """The official validator; it reads UD's lists for all languages, which takes a while."""
    return Validator(lang="ud", level=level, output=None)


def official_faults(text, level=3):
    """Counter of (index of the sentence, test) of the errors that the official validator finds up to a level."""
    validator = official_validator(level)
    state = validator.validate_file_handle(io.StringIO(text))
    validator.validate_end(state)
    sentence, of_line = 0, {}
    for number, line in enumerate(text.split("\n"), start=1):
        of_line[number] = sentence
        sentence += not line.strip()
    errors = (each for each in state.error_tracker if each.is_error())
    return Counter((of_line[each.lineno], each.testid) for each in errors)


def our_faults(text):
    """The same of ours; (index of the sentence, "") for a rule that UD does not have."""
    return Counter((index, fault.test) for index, fault in validate(read_conllu(text.encode())))


def main(paths):
    rows = []
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        begin = perf_counter()
        ours = our_faults(text)
        between = perf_counter()
        official = official_faults(text)
        seconds = [f"{between - begin:.1f}", f"{perf_counter() - between:.1f}"]
        for test in sorted({test for _, test in ours | official}):
            sets = [
                Counter({key: count for key, count in found.items() if key[1] == test}) for found in (ours, official)
            ]
            both = (sets[0] & sets[1]).total()
            rows.append([path, test or "rules of ours", both, sets[0].total() - both, sets[1].total() - both, *seconds])
    sys.stdout.write(
        separated(("file", "rule", "both", "ours alone", "official alone", "seconds", "official seconds"), rows)
    )


if __name__ == "__main__":
    main(sys.argv[1:])
