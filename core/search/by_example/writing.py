"""A proposal as a request: pattern, what must not be there, commands."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.search.by_example.conditions import Statement, among, quoted_value
from core.search.by_example.units import RETAG, SWAP, ChangeShape, Unit


@dataclass(frozen=True)
class Action:
    """What is written at a place.

    Attributes
    ----------
    old : tuple of str
        Relations (or tags) that W has before.
    new : str or None
        Its relation (or tag) afterwards; None where it keeps its own, or with a swap takes that of its head.
    head_new : str or None
        With a swap the relation of its former head afterwards; None where that is W's.
    moved : tuple of str, or None
        With a swap: relations of the former head's dependents that become W's; None is all of them, () none.
    """

    old: tuple[str, ...]
    new: str | None
    head_new: str | None = None
    moved: tuple[str, ...] | None = ()


def action_of(units: Sequence[Unit], shape: ChangeShape) -> Action | None:
    """The Action that all Units of a ChangeShape have in common, or None."""
    old = tuple(sorted({unit.old for unit in units}))
    taken = [unit.head_old if shape.name == SWAP else unit.old for unit in units]
    news = {unit.new for unit in units}
    keeps = all(unit.new == value for unit, value in zip(units, taken, strict=True))
    if len(news) > 1 and not keeps:
        return None
    new = None if keeps and (len(news) > 1 or shape.name == SWAP) else next(iter(news))
    return _swap_of(units, old, new) if shape.name == SWAP else Action(old, new)


def _swap_of(units, old, new):
    """The Action of swaps, or None where their heads get different relations."""
    heads = {unit.head_new for unit in units}
    if len(heads) > 1 and any(unit.head_new != unit.old for unit in units):
        return None
    head_new = next(iter(heads)) if len(heads) == 1 else None
    moved, stayed = (frozenset[str]().union(*(getattr(unit, name) for unit in units)) for name in ("moved", "stayed"))
    only_moved = tuple(sorted(moved - stayed))
    return Action(old, new, head_new, None if moved and not stayed else only_moved)


def written(shape: ChangeShape, action: Action, statements: Sequence[Statement]) -> str:
    """The text of a request."""
    clauses = {name: [] for name in shape.nodes}
    extras, withouts, free = [], [], iter("ABCDEFIJLM")
    for statement in statements:
        if statement.clause[0]:
            clauses[statement.clause[0]].append(statement.clause[1])
        name = next(free) if "@" in statement.extra + statement.without else ""
        extras += [statement.extra.replace("@", name)] if statement.extra else []
        withouts += [statement.without.replace("@", name)] if statement.without else []
    clauses["W"].append(among(shape.field, action.old))
    lines = _arcs(shape, clauses, extras + withouts)
    lines += [f"{name} [{', '.join(said)}]" for name, said in clauses.items() if said]
    lines += [extra for number, extra in enumerate(extras) if extra not in extras[:number]]
    if shape.beside:
        lines.append("X < W" if shape.beside < 0 else "W < X")
        withouts.insert(0, "X -> W")
    blocks = ["pattern {\n  " + ";\n  ".join(lines) + "\n}"]
    blocks += [f"without {{ {without} }}" for without in withouts]
    return "\n".join([*blocks, "commands { " + "; ".join(_commands(shape, action)) + " }"])


def _either(values):
    return "|".join(quoted_value(value) for value in values)


def _arcs(shape, clauses, others):
    """The arcs between the nodes, with relations taken out of ``clauses``; without H where nothing is said of it."""
    chain = shape.nodes[: shape.ups + 1]
    pairs = [(above, below) for below, above in pairwise(chain)]
    downs = (chain[-1], *shape.nodes[shape.ups + 1 :])
    pairs += list(pairwise(downs)) if shape.downs else []
    said = any(clauses["H"]) or any("H" in other.replace("->", " ").split() for other in others)
    if not said and (not shape.target or shape.beside):
        pairs = [pair for pair in pairs if "H" not in pair]
        clauses.pop("H")
    lines = []
    for above, below in pairs:
        relation = next((clause for clause in clauses[below] if clause.startswith("deprel=")), None)
        if relation:
            clauses[below].remove(relation)
        arrow = f"-[{relation.removeprefix('deprel=')}]->" if relation else "->"
        lines.append(f"{'e: ' if below == 'W' else ''}{above} {arrow} {below}")
    return lines


def _commands(shape, action):
    if shape.name == RETAG:
        return [f"W.upos = {quoted_value(action.new)}"]
    if shape.name == SWAP:
        commands = ["shift_in H ==> W"]
        commands += [] if action.new is None else [f"W.deprel = {quoted_value(action.new)}"]
        relation = action.head_new
        commands += ["add_edge e: W -> H" if relation is None else f"add_edge W -[{quoted_value(relation)}]-> H"]
        if action.moved is None:
            commands.append("shift_out H ==> W")
        elif action.moved:
            commands.append(f"shift_out H =[{_either(action.moved)}]=> W")
        return commands
    if not shape.target:
        return [f"W.deprel = {quoted_value(action.new)}"]
    if action.new is None:
        return [f"add_edge e: {shape.target} -> W"]
    return [f"add_edge {shape.target} -[{quoted_value(action.new)}]-> W"]
