"""Constant-weight codes: what they are, their pair histograms, and where to get them."""
