"""A grammar (DMV) trained from constraints by posterior regularisation, alone, in an ensemble or stacked."""
