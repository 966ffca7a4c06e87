"""The rules of Universal Dependencies that are written as rules."""

from functools import cache

from core.files.assets import ASSETS
from core.rules.reading import parse_rules
from core.rules.rule import Rule

UNIVERSAL = ASSETS / "rules" / "universal-dependencies.txt"


@cache
def universal_rules() -> tuple[Rule, ...]:
    """Those of UNIVERSAL; the comment of each is the name of its test in UD's validator."""
    return parse_rules(UNIVERSAL.read_text(encoding="utf-8"))
