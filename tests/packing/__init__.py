"""Packed forms and PackedArray, against whole numbers that hold all bits of a tensor."""
