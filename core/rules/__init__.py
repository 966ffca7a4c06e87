"""Rules over relations and several arcs: their notation, which trees break them, the best tree that keeps them."""

import core.constraints  # noqa: F401 - first: its items are those of rules, and its training takes rules as targets
