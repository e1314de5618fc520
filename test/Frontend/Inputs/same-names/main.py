import one
import two


class Base(two.Base):
    def __init__(self) -> None:
        super().__init__()
        self.three = 3

    def tell(self) -> str:
        return "three " + super().tell()


def kind(n: int) -> str:
    try:
        if n < 0:
            one.fail(-n)
        two.fail(n)
    except two.Late as e:
        return f"two {e}"
    except one.Late as e:
        return f"one {e}"
    except OSError as e:
        return f"os {e}"
    except two.TimeoutError as e:
        return f"timeout {e}"
    return "fine"


def main() -> None:
    b = Base()
    print(b.tell(), b.one, b.two, b.three)
    for n in range(-1, 4):
        print(kind(n))
    two.fail(1)
