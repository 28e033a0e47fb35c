"""Calls to which memory is refused: a MemoryError or the result, and nothing is left broken."""
