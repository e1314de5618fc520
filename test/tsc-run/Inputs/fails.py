def fails(a: int) -> str:
    raise ValueError("no")
