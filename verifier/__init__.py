"""Exact certificates for feature-rank lower bounds of nonnegative kernel attention on Min-IP.

The way of the data is one line: code -> histogram of |x \\ y| -> amplification ratios -> rank bound
-> certificate -> independent checker.  Every number on it is an int or a Fraction.
"""

__version__ = "0.1.0"
