from . import deep
from .deep.core import one
def twice(x: int) -> int:
    return x * 2 * one()
def triple(x: int) -> int:
    return deep.core.one() * 3 * x
