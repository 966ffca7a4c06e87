"""What the Consensus page asks for: the plan, runs, and the votes behind a selection of contexts."""
