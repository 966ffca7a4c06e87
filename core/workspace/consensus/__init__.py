"""The room of the Consensus page: the plan, runs, and the votes behind a selection of contexts."""
