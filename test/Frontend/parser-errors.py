# What the parser refuses, with the place of each mistake.
# RUN: not tsc-run --check-only --split-input-file %s 2>&1 | FileCheck --strict-whitespace --match-full-lines %s

# ExpectedToken
# CHECK:{{.*}}parser-errors.py:[[# @LINE+3]]:14: error: expected : but found 'NEWLINE' here
# CHECK-NEXT:def f(x: int)
# CHECK-NEXT:             ^
def f(x: int)
    return x

# -----

# ExpectedToken.
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:15: error: expected ident but found 'NEWLINE' here
# CHECK-NEXT:    return x +
# CHECK-NEXT:              ^
def f(x: int):
    return x +

# -----

# ExpectedIndent
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:1: error: expected an indented block after 'def'
# CHECK-NEXT:return x
# CHECK-NEXT:^~~~~~
def f(x: int):
return x

# -----

# UnexpectedIndent
# CHECK:{{.*}}parser-errors.py:[[# @LINE+5]]:1: error: unexpected indent
# CHECK-NEXT:      return y
# CHECK-NEXT:^~~~~~
def f(x: int):
    y = x
      return y

# -----

# ComparisonsTooNested
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:32: error: chained comparisons inside chained comparisons repeat their operands too often
# CHECK-NEXT:    return a < (a < (a < (a < (a < (a < (a < (a < (a < (a < (a < (a < (a < (a < a < a) < a) < a) < a) < a) < a) < a) < a) < a) < a) < a) < a) < a) < a
# CHECK-NEXT:                               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
def f(a: int):
    return a < (a < (a < (a < (a < (a < (a < (a < (a < (a < (a < (a < (a < (a < a < a) < a) < a) < a) < a) < a) < a) < a) < a) < a) < a) < a) < a) < a

# -----

# InvalidTarget
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:5: error: cannot assign to 'x + 1': unexpected expression on the left-hand side of an assignment
# CHECK-NEXT:    x + 1 = 2
# CHECK-NEXT:    ^~~~~
def f(x: int):
    x + 1 = 2

# -----

# InvalidTarget: a call is no place.
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:5: error: cannot assign to 'f(x)': unexpected expression on the left-hand side of an assignment
# CHECK-NEXT:    f(x) += 1
# CHECK-NEXT:    ^~~~
def f(x: int):
    f(x) += 1

# -----

# PositionalAfterKeyword
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:25: error: positional argument follows keyword argument
# CHECK-NEXT:    return max(other=x, x)
# CHECK-NEXT:                        ^
def f(x: int):
    return max(other=x, x)

# -----

# DuplicateKeyword
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:25: error: keyword argument repeated: 'other'
# CHECK-NEXT:    return max(other=x, other=x)
# CHECK-NEXT:                        ^~~~~
def f(x: int):
    return max(other=x, other=x)

# -----

# DuplicateParameter
# CHECK:{{.*}}parser-errors.py:[[# @LINE+3]]:15: error: duplicate parameter 'x' in function definition
# CHECK-NEXT:def f(x: int, x: int):
# CHECK-NEXT:              ^
def f(x: int, x: int):
    return x

# -----

# NoDefaultAfterDefault
# CHECK:{{.*}}parser-errors.py:[[# @LINE+3]]:19: error: Non-default positional argument follows default argument
# CHECK-NEXT:def f(x: int = 1, y: int):
# CHECK-NEXT:                  ^
def f(x: int = 1, y: int):
    return x

# -----

# BadParameterList: a bare star needs names after it.
# CHECK:{{.*}}parser-errors.py:[[# @LINE+3]]:15: error: named arguments must follow bare *
# CHECK-NEXT:def f(x: int, *):
# CHECK-NEXT:              ^
def f(x: int, *):
    return x

# -----

# BadParameterList
# CHECK:{{.*}}parser-errors.py:[[# @LINE+3]]:17: error: no parameter may follow **kwargs
# CHECK-NEXT:def f(**kwargs, x: int):
# CHECK-NEXT:                ^
def f(**kwargs, x: int):
    return x

# -----

# MixedBytes
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:17: error: cannot mix bytes and nonbytes literals
# CHECK-NEXT:    return b"a" "b"
# CHECK-NEXT:                ^~~
def f():
    return b"a" "b"

# -----

# FStringSyntax: an expression that does not end.
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:14: error: f-string: expecting '}'
# CHECK-NEXT:    return f"{x"
# CHECK-NEXT:             ^
def f(x: int):
    return f"{x"

# -----

# FStringSyntax: no expression.
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:14: error: f-string: empty expression not allowed
# CHECK-NEXT:    return f"{}"
# CHECK-NEXT:             ^~
def f(x: int):
    return f"{}"

# -----

# FStringSyntax: a brace that closes nothing.
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:15: error: f-string: single '}' is not allowed
# CHECK-NEXT:    return f"x}"
# CHECK-NEXT:              ^
def f(x: int):
    return f"x}"

# -----

# FStringSyntax: conversions are three.
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:16: error: f-string: invalid conversion character: expected 's', 'r', or 'a'
# CHECK-NEXT:    return f"{x!q}"
# CHECK-NEXT:               ^
def f(x: int):
    return f"{x!q}"

# -----

# TypeCommentArity
# CHECK:{{.*}}parser-errors.py:[[# @LINE+3]]:1: error: Number of type annotations (1) did not match the number of function parameters (2)
# CHECK-NEXT:def f(x, y):
# CHECK-NEXT:^~~~~~~~~~~~
def f(x, y):
    # type: (int) -> int
    return x

# -----

# BadTypeComment
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:13: error: type comment of a function should read '# type: (T1, T2) -> R'
# CHECK-NEXT:    # type: (int) int
# CHECK-NEXT:            ^~~~~~~~~
def f(x):
    # type: (int) int
    return x

# -----

# UnsupportedSyntax: a statement.
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:5: error: global variables aren't supported
# CHECK-NEXT:    global y
# CHECK-NEXT:    ^~~~~~~~
def f(x: int):
    global y
    return x

# -----

# UnsupportedSyntax: an expression.
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:12: error: await expressions aren't supported
# CHECK-NEXT:    return await x
# CHECK-NEXT:           ^~~~~~~
def f(x: int):
    return await x

# -----

# UnsupportedSyntax
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:5: error: nonlocal variables aren't supported
# CHECK-NEXT:    nonlocal y
# CHECK-NEXT:    ^~~~~~~~~~
def f(x: int):
    nonlocal y
    return x

# -----

# UnsupportedSyntax
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:5: error: yield expressions aren't supported
# CHECK-NEXT:    yield x
# CHECK-NEXT:    ^~~~~~~
def f(x: int):
    yield x

# -----

# UnsupportedSyntax
# CHECK:{{.*}}parser-errors.py:[[# @LINE+4]]:5: error: async statements aren't supported
# CHECK-NEXT:    async with x:
# CHECK-NEXT:    ^~~~~~~~~~~~~
def f(x: int):
    async with x:
        pass
    return x
