"""Benchmarks, for airspeed velocity (asv)."""
