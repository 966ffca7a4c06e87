"""Kernels: how they are compiled, where compiled ones are kept, and what compiles them ahead of time."""
