class Late(Exception):
    pass


class Base:
    def __init__(self) -> None:
        self.one = 1

    def tell(self) -> str:
        return "one"


def fail(n: int) -> int:
    if n > 0:
        raise Late("one's")
    return n
