"""Benchmarks: every figure is a ratio against a named alternative, measured in the same run."""
