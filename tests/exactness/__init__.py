"""Casts compared with the oracle, code by code; each module is one strategy of what to try."""
