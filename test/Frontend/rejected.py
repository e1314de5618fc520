# Sources that PyTorch rejects, each refused at the same line.
# RUN: not tsc-run --check-only --split-input-file %s 2>&1 | FileCheck %s

# Types of operands.
# CHECK:rejected.py:[[# @LINE+2]]:9: error: '+' is not defined for an int and a str; str(x) makes text of it
def f(x: int):
    y = x + "a"
    return y

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: '+' is not defined for a str and an int; str(1) makes text of it
def f(x: str) -> int:
    return x + 1

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: a List[int] takes an int as index, and a str was given
def f(x: List[int]):
    x["a"] = 1

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: '+' is not defined for an Optional[int] and an int; check that it is not None first: 'if x is not None: ...'
def f(x: Optional[int]) -> int:
    return x + 1

# -----

# CHECK:rejected.py:[[# @LINE+2]]:14: error: 'Optional[List[int]]' object is not iterable
def f(x: Optional[List[int]]):
    for a in x:
        print(a)

# -----

# CHECK:rejected.py:[[# @LINE+4]]:12: error: '+' is not defined for an Optional[int] and an int; check that it is not None first: 'if x is not None: ...'
def f(x: Optional[int]):
    if x is None and True:
        return 0
    return x + 1

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: Return value was annotated as having type int but is actually of type Union[int, str]
def f(x: Union[int, str]) -> int:
    return x

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: '+' is not defined for an Any and an int
def f(x: Any):
    return x + 1

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: '<' is not defined for a str and an int
def f(x: str):
    return x < 2

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: '==' is not defined for an int and a str
def f(x: int):
    return x == "a"

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: 'in' is not defined for a List[str] and an int
def f(x: int, y: List[str]):
    return x in y

# -----

# Subscripts.
# CHECK:rejected.py:[[# @LINE+2]]:12: error: a Dict[str, int] takes a str as index, and an int was given
def f(x: Dict[str, int]) -> int:
    return x[0]

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: a Dict[str, int] takes a str as index, and an int was given
def f(x: Dict[str, int]):
    x[1] = 2

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: a List[int] does not hold a str
def f(x: List[int]):
    x[0] = "a"

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: a List[int] takes an int as index, and a float was given
def f(x: List[int]):
    return x[1.5]

# -----

# CHECK:rejected.py:[[# @LINE+2]]:14: error: index 2 is out of range for a tuple of 2 elements
def f(x: Tuple[int, str]):
    return x[2]

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: elements of Tuple[int, str] cannot be assigned, changed in place or deleted: 'Tuple[int, str]' object does not support subscripted assignment; make a new value of its parts
def f(x: Tuple[int, str]):
    x[0] = 4
    return x

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: cannot assign to 'f()': unexpected expression on the left-hand side of an assignment
def f(x: int):
    f() = x

# -----

# Taking apart.
# CHECK:rejected.py:[[# @LINE+2]]:5: error: need 3 values to unpack but found only 2
def f(x: Tuple[int, str]):
    a, b, c = x
    return a

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: value of type 'int' cannot be used as a tuple
def f(x: int):
    a, b = x
    return a

# -----

# CHECK:rejected.py:[[# @LINE+2]]:21: error: 'int' object is not iterable
def f(x: List[int]):
    for a in zip(x, 1):
        pass

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: need 3 values to unpack but found only 2
def f(x: Tuple[int, int]):
    a, b, c, *d = x
    return a

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: need 3 values to unpack but found only 2
def f(x):
    a, b, c = torch.max(x, 1)
    return a

# -----

# Names.
# CHECK:rejected.py:[[# @LINE+2]]:12: error: 'Any' object is not subscriptable
def f(x: Any):
    return x[0]

# -----

# CHECK:rejected.py:[[# @LINE+2]]:9: error: undefined value y
def f(x):
    y = y + 1
    return y

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: z is not defined in the false branch
def f(x):
    if x:
        z = 1
    return z

# -----

# CHECK:rejected.py:[[# @LINE+4]]:12: error: z is not defined when the loop is not run
def f(x):
    for i in range(3):
        z = i
    return z

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: undefined value g
def f(x):
    return g(x)

# -----

# CHECK:rejected.py:[[# @LINE+2]]:13: error: '+' is not defined for an int and a str; str(a) makes text of it
def f(x: List[int]):
    return [a + "b" for a in x]

# -----

# Attributes.
# CHECK:rejected.py:[[# @LINE+2]]:12: error: 'int' object has no attribute or method 'foo'.
def f(x: int):
    return x.foo

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: 'List[int]' object has no attribute or method 'push'.
def f(x: List[int]):
    return x.push(1)

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: 'List[int]' object has no attribute or method 'foo'.
def f(x):
    return x.shape.foo

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: 'to' has no argument 'foo'
def f(x):
    return x.to(foo=1)

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: Variable 'a' is annotated with type int but is being assigned to a value of type NoneType
def f(x: int):
    a: int = None
    return a

# -----

# Calls.
# CHECK:rejected.py:[[# @LINE+2]]:12: error: 'add' needs 'other', which is missing
def f(x):
    return torch.add(x)

# -----

# CHECK:rejected.py:[[# @LINE+2]]:34: error: keyword argument repeated: 'other'
def f(x):
    return torch.add(x, other=x, other=x)

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: 'cat' takes a List[Tensor] as 'tensors', and a Tensor was given
def f(x):
    return torch.cat(x, "a")

# -----

# CHECK:rejected.py:[[# @LINE+4]]:12: error: g(int x) -> int:
def g(x: int) -> int:
    return x
def f(x):
    return g("a")

# -----

# CHECK:rejected.py:[[# @LINE+4]]:12: error: g(int x) -> int:
def g(x: int) -> int:
    return x
def f(x):
    return g()

# -----

# CHECK:rejected.py:[[# @LINE+4]]:12: error: g(int x) -> int:
def g(x: int) -> int:
    return x
def f(x):
    return g(y=1)

# -----

# CHECK:rejected.py:[[# @LINE+4]]:12: error: g(int x, int y=3) -> int:
def g(x: int, y: int = 3) -> int:
    return x
def f(x):
    return g(1, 2, y=3)

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: len expected exactly 1 arguments, got 0
def f(x):
    return len()

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: expected an expression of type List[int] but found Tensor
def f(x):
    return torch.jit.annotate(List[int], x)

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: undefined value List
def f(x):
    return List[int]

# -----

# Values that are none.
# CHECK:rejected.py:[[# @LINE+1]]:22: error: default value of parameter 'x' is not a constant of type List[int]: Expected a default value of type List[int] on parameter "x"
def f(x: List[int] = 3):
    return x

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: special form print cannot be used as a value
def f(x):
    return print

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: module 'torch.nn' cannot be used as a value
def f(x):
    return torch.nn

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: '+' is not defined for a Tuple[Tensor, Tensor] and an int
def f(x):
    return torch.max(x, 1) + 1

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: 'to' takes a ScalarType as 'dtype', and a str was given
def f(x):
    return x.to("a", "b", "c")

# -----

# Results.
# CHECK:rejected.py:[[# @LINE+1]]:1: error: Function was not annotated as having type None, but does not return along all paths
def f(x: bool) -> int:
    if x:
        return 1

# -----

# CHECK:rejected.py:[[# @LINE+2]]:1: error: Function was not annotated as having type None, but does not return along all paths
# CHECK: rejected.py:[[# @LINE+2]]:5: note: nothing is returned behind this statement
def f(x: bool) -> int:
    while x:
        return 1

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: Return value was annotated as having type NoneType but is actually of type int
def f(x: bool) -> None:
    return 1

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: Return value was annotated as having type Tuple[int, int] but is actually of type Tuple[int, int, int]
def f(x: bool) -> Tuple[int, int]:
    return 1, 2, 3

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: List type annotation `List[float]` did not match the types of the given list elements: expected float but found int
def f(x: bool) -> List[float]:
    return [1, 2]

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: Return value was annotated as having type Tensor but is actually of type int
def f(x: bool) -> Tensor:
    return 1

# -----

# Annotations.
# CHECK:rejected.py:[[# @LINE+1]]:10: error: Attempted to use List without a contained type. Please add a contained type, e.g. List[int]
def f(x: List):
    return x

# -----

# CHECK:rejected.py:[[# @LINE+1]]:10: error: Attempted to use Dict without contained types. Please add contained type, e.g. Dict[int, int]
def f(x: Dict):
    return x

# -----

# CHECK:rejected.py:[[# @LINE+1]]:10: error: List type must have exactly 1 element type
def f(x: List[int, int]):
    return x

# -----

# CHECK:rejected.py:[[# @LINE+1]]:10: error: Optional type must have exactly 1 element type
def f(x: Optional[int, str]):
    return x

# -----

# CHECK:rejected.py:[[# @LINE+1]]:19: error: Unknown type name 'Foo'
def f(x: Optional[Foo]):
    return x

# -----

# Variables.
# CHECK:rejected.py:[[# @LINE+3]]:9: error: Variable 'x' previously had type int but is now being assigned to a value of type str
def f(x: int):
    if x > 0:
        x = "a"
    return x

# -----

# CHECK:rejected.py:[[# @LINE+3]]:9: error: Variable 'x' previously had type int but is now being assigned to a value of type str
def f(x: int):
    while x > 0:
        x = "a"
    return x

# -----

# CHECK:rejected.py:[[# @LINE+2]]:9: error: Dict keys must be int, float, complex, Tensor, device or string, but found Union[int, str]
def f():
    x = {"a": 1, 2: 3}
    return x

# -----

# CHECK:rejected.py:[[# @LINE+3]]:5: error: aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!):
def f():
    x = []
    x.append(1)
    return x

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: Variable 'x' is annotated with type float but is being assigned to a value of type int
def f():
    x: float = 1
    return x

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: Variable 'y' is annotated with type str but is being assigned to a value of type int
def f(x):
    y = 3 # type: str
    return y

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: z is not defined in the false branch
def f(x: bool, y: List[int]):
    if x:
        z = y
    elif y:
        z = [1]
    return z

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: Variable 'a' is annotated with type List[int] but is being assigned to a value of type NoneType
def f(x):
    a: List[int] = None
    return a

# -----

# Statements.
# CHECK:rejected.py:[[# @LINE+2]]:5: error: SyntaxError: 'break' outside loop
def f(x):
    break

# -----

# CHECK:rejected.py:[[# @LINE+2]]:11: error: exceptions must derive from BaseException; found a value of type int
def f(x):
    raise 1

# -----

# CHECK:rejected.py:[[# @LINE+2]]:10: error: with item of type int must return an object: it does not define __enter__ and __exit__ methods
def f(x):
    with 1 as y:
        pass

# -----

# CHECK:rejected.py:[[# @LINE+2]]:10: error: module 'torch' has no attribute 'foo'
def f(x):
    with torch.foo():
        pass

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: global variables aren't supported
def f(x):
    global y
    return x

# -----

# CHECK:rejected.py:[[# @LINE+3]]:12: error: undefined value x
def f(x):
    del x
    return x

# -----

# CHECK:rejected.py:[[# @LINE+2]]:5: error: elements of str cannot be assigned, changed in place or deleted: 'str' object does not support subscripted assignment; make a new value of its parts
def f(x: str):
    x[0] = "a"

# -----

# Syntax.
# CHECK:rejected.py:[[# @LINE+2]]:5: error: '+' is not defined for a str and an int; str(1) makes text of it
def f(x: List[str]):
    x[0] += 1
    return x

# -----

# CHECK:rejected.py:[[# @LINE+2]]:9: error: cannot assign to '1': unexpected expression on the left-hand side of an assignment
def f(x: int):
    (a, 1) = x, x

# -----

# CHECK:rejected.py:[[# @LINE+2]]:1: error: expected an indented block after 'def'
def f(x: int):
return x

# -----

# CHECK:rejected.py:[[# @LINE+2]]:13: error: unmatched ')'
def f(x: int):
    return x)

# -----

# CHECK:rejected.py:[[# @LINE+3]]:1: error: invalid indent level: it matches no outer block
def f(x: int):
      y = 1
    return x

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: invalid number '1abc'
def f(x: int):
    return 1abc

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: invalid character '$'
def f(x: int):
    return $x

# -----

# CHECK:rejected.py:[[# @LINE+2]]:10: error: expected ident but found ':' here
def f(x):
    while:
        pass

# -----

# CHECK:rejected.py:[[# @LINE+2]]:12: error: cannot call a value of type 'int'
def f(x: int):
    return x()
