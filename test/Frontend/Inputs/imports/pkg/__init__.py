from .blocks import twice
def double(x: int) -> int:
    return twice(x)
