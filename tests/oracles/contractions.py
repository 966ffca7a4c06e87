"""Contractions by trying every line on every run of pieces; braces are taken out by replacing the first one again."""

import re

FIRST = re.compile(r"\{([^{}]*)\}")


def lines(text):
    """(left, right or None) of a table's lines, without braces."""
    pending = [line.split("#")[0].strip().lower() for line in text.splitlines()]
    done = []
    while pending:
        line = pending.pop(0)
        left, equals, right = line.partition("=")
        if not line:
            continue
        group = FIRST.search(left)
        if group is None:
            done.append((left.strip(), right.strip() if equals else None))
            continue
        other = FIRST.search(right)
        for number, choice in enumerate(group[1].split(",")):
            new = left[: group.start()] + choice + left[group.end() :]
            pick = (
                right if other is None else right[: other.start()] + other[1].split(",")[number] + right[other.end() :]
            )
            pending.insert(number, new + equals + pick)
    return done


def parts_of(table, form):
    """The parts of a form in small letters by the lines of a table, or []."""
    for left, right in table:
        if left == form:
            return [] if right is None else right.split()
    best = None
    for left, right in table:
        ending = left[1:]
        if (
            left[0] == "-"
            and len(ending) < len(form)
            and form.endswith(ending)
            and (best is None or len(ending) > len(best[0]))
        ):
            best = ending, right
    if best is None or best[1] is None or "'" in form[: len(form) - len(best[0])]:
        return []
    first, *others = best[1].split()
    return [form[: len(form) - len(best[0])] + first[1:], *others]


def find(text, forms, spaces):
    """(first, last, parts) of the contractions of a sentence of small letters, the longest at each place."""
    table, found, first = lines(text), [], 0
    while first < len(forms):
        for last in range(min(len(forms), first + 6) - 1, first - 1, -1):
            run = forms[first : last + 1]
            is_run = not any(spaces[first:last]) and run[0][0].isalpha() and all(map(_is_written, run))
            parts = parts_of(table, "".join(run)) if is_run else []
            before = forms[first - 1] if first else "^"
            if parts and (f"{before} {''.join(run)}", None) not in table:
                found.append((first, last, parts))
                first = last
                break
        first += 1
    return found


def _is_written(piece):
    """Letters, with marks behind the first of them, or one mark before letters: "--" is a dash."""
    if piece[0] in "-'":
        return not piece[1:] or piece[1:].isalpha()
    return all(character.isalpha() or character in "-'" for character in piece)
