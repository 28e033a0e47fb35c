"""Random codes of every type to every type, distributed as `oracle.samples.random_codes` says.

Counts are odd so that blocks of any length leave a rest.
"""

from oracle.samples import random_codes

from .harness import check, every_pair


@every_pair
def test_random_codes(source, target, amount):
    check(source, target, random_codes(source, target, amount(1021, 65_537)))
