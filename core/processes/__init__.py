"""Functions in processes of their own, with limits, and memory that is given back."""
