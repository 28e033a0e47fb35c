"""Paragraphs of the pages that tools write."""

from __future__ import annotations

import textwrap

WIDTH = 120


def filled(text: str) -> str:
    """One paragraph, whatever its line breaks were."""
    return textwrap.fill(" ".join(text.split()), WIDTH)
