"""Programs called from Python, by examples/python/tsc.py."""
import array
import gc
import sys
import threading

import tsc

SOURCE = b"""
def twice(x: Tensor, by: float = 2.0) -> Tensor:
    return x * by
def turn(x: Tensor) -> Tensor:
    return x.t()
def add_one(x: Tensor) -> int:
    x.add_(1)
    return x.numel()
def echo(x: Any) -> Any:
    return x
def total(table: Dict[str, List[Tensor]]) -> Dict[str, float]:
    return {k: float(sum([float(t.sum()) for t in ts])) for k, ts in table.items()}
def square(x: Tensor) -> Tensor:
    return x * x
def wrong(n: int) -> int:
    if n > 0:
        raise ValueError('positive')
    return n
"""


def raises(kind, call, *args):
    try:
        call(*args)
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


program = tsc.Program(SOURCE, "source.py")
assert program.functions() == ["twice", "turn", "add_one", "echo", "total", "square", "wrong"], program.functions()
twice, turn, add_one, echo, total = map(program.find, ("twice", "turn", "add_one", "echo", "total"))
assert twice.schema == "twice(Tensor x, float by=2.) -> Tensor", twice.schema

# Buffers are tensors in their place, of any strides; those that are read only stay as they are.
numbers = array.array("f", range(6))
assert twice(numbers).tolist() == [0, 2, 4, 6, 8, 10]
assert twice(numbers, by=0.5).tolist() == [0, 0.5, 1, 1.5, 2, 2.5]
matrix = tsc.Tensor(numbers, shape=(2, 3))
assert (matrix.shape, matrix.strides, matrix.dtype) == ((2, 3), (3, 1), "float32")
turned = turn(matrix)
assert (turned.shape, turned.strides) == ((3, 2), (1, 3)) and turned.tolist() == [[0, 3], [1, 4], [2, 5]]
assert twice(memoryview(numbers)[1::2]).tolist() == [2, 6, 10]
assert add_one(numbers) == 6 and numbers[0] == 1
constant = bytes(range(4))
assert add_one(constant) == 4 and constant == bytes(range(4))
numbers[0] = 7  # what was lent is read again
assert turned.view().tolist()[0][0] == 7
raises(BufferError, numbers.append, 1)  # it is still lent
del matrix, turned
gc.collect()
numbers.append(1)

# Other values.
for value in (None, True, -3, 0.5, 1 + 2j, "text \0 ü", (1, "a"), [1, 2], {"a": 1, "b": 2}, {1: (2.0, None)}, [], ()):
    assert echo(value) == value, value
assert total({"a": [array.array("d", [1, 2]), array.array("q", [3])], "b": []}) == {"a": 6.0, "b": 0.0}
square = program.find("square")
assert program.gradients(square)(array.array("d", [1, -3]))[0].tolist() == [2, -6]

# Errors.
error = raises(tsc.Error, program.find("wrong"), 1)
assert error.exception == "builtins.ValueError" and "source.py" in str(error), error
raises(tsc.Error, program.find, "nothing")
raises(TypeError, echo, object())
raises(OverflowError, echo, 2**70)
raises(ValueError, lambda: tsc.Tensor(numbers, shape=(2, 2)))

# Threads.
found = []
threads = [threading.Thread(target=lambda: found.extend(twice(array.array("f", [i])).tolist()[0] for i in range(200)))
           for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert sorted(found) == sorted(2.0 * i for i in range(200) for _ in range(8))

policy = tsc.Program(sys.argv[1])
action = policy(tsc.Tensor(array.array("f", [1, 0]), shape=(1, 2)))
assert action.shape == (1, 1) and abs(action.tolist()[0][0] + 2.1219) < 1e-4
print("all as expected, version", tsc.version())
