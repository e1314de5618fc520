import one


class Late(ValueError):
    pass


class Later(one.Late):
    pass


class TimeoutError(Exception):
    pass


class Base(one.Base):
    def __init__(self) -> None:
        super().__init__()
        self.two = 2

    def tell(self) -> str:
        return "two " + super().tell()


def fail(n: int) -> int:
    if n == 1:
        raise Late("two's")
    if n == 2:
        raise Later("later")
    if n == 3:
        raise TimeoutError("time")
    return n
