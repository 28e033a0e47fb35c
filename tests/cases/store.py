"""Reading the case files of tests/data."""

import gzip
import json
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
LONG_NAMES = {"FLOAT": "float32", "DOUBLE": "float64"}


def load(name):
    return json.loads(gzip.decompress((DATA / f"{name}.json.gz").read_bytes()))["cases"]


def type_name(name):
    return LONG_NAMES.get(name, name.lower())


def mode_of(attributes):
    return bool(attributes.get("saturate", 1)), attributes.get("round_mode", "up")
