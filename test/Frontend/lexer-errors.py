# What the lexer refuses, with the place of each mistake.
# RUN: not tsc-run --check-only --split-input-file %s 2>&1 | FileCheck --strict-whitespace --match-full-lines %s

# InvalidCharacter: a character that begins no token.
# CHECK:{{.*}}lexer-errors.py:[[# @LINE+4]]:14: error: invalid character '$'
# CHECK-NEXT:    return x $ 2
# CHECK-NEXT:             ^
def f(x: int):
    return x $ 2

# -----

# UnterminatedString: a string ends on its line.
# CHECK:{{.*}}lexer-errors.py:[[# @LINE+4]]:12: error: expected a valid token but found '"' here: the string has no end
# CHECK-NEXT:    return "abc
# CHECK-NEXT:           ^~~~
def f():
    return "abc

# -----

# UnterminatedString: and one in three quotes before the file does.
# CHECK:{{.*}}lexer-errors.py:[[# @LINE+4]]:12: error: expected a valid token but found '"' here: the string has no end
# CHECK-NEXT:    return """abc
# CHECK-NEXT:           ^~~~~~
def f():
    return """abc
    more

# -----

# InvalidEscape
# CHECK:{{.*}}lexer-errors.py:[[# @LINE+4]]:14: error: invalid escape sequence '\xZZ'
# CHECK-NEXT:    return "a\xZZ"
# CHECK-NEXT:             ^~~~
def f():
    return "a\xZZ"

# -----

# InvalidEscape: characters by name.
# CHECK:{{.*}}lexer-errors.py:[[# @LINE+4]]:13: error: invalid escape sequence '\N'
# CHECK-NEXT:    return "\N{DASH}"
# CHECK-NEXT:            ^~
def f():
    return "\N{DASH}"

# -----

# InvalidNumber
# CHECK:{{.*}}lexer-errors.py:[[# @LINE+4]]:12: error: invalid number '0x'
# CHECK-NEXT:    return 0x
# CHECK-NEXT:           ^~
def f():
    return 0x

# -----

# IntegerTooLarge
# CHECK:{{.*}}lexer-errors.py:[[# @LINE+4]]:12: error: Integral constant out of range (must fit in a signed 64 bit integer): '9223372036854775808'
# CHECK-NEXT:    return 9223372036854775808
# CHECK-NEXT:           ^~~~~~~~~~~~~~~~~~~
def f():
    return 9223372036854775808

# -----

# UnmatchedBracket
# CHECK:{{.*}}lexer-errors.py:[[# @LINE+4]]:13: error: unmatched ')'
# CHECK-NEXT:    return x)
# CHECK-NEXT:            ^
def f(x: int):
    return x)

# -----

# NeverClosed: reported where it opens.
# CHECK:{{.*}}lexer-errors.py:[[# @LINE+4]]:17: error: '[' was never closed
# CHECK-NEXT:    return (x + [1
# CHECK-NEXT:                ^
def f(x: int):
    return (x + [1

# -----

# MismatchedBracket, OpenedHere: the note shows the other end.
# CHECK:{{.*}}lexer-errors.py:[[# @LINE+7]]:14: error: closing ']' does not match opening '('
# CHECK-NEXT:    return (x]
# CHECK-NEXT:             ^
# CHECK-NEXT:{{.*}}lexer-errors.py:[[# @LINE+4]]:12: note: opened here
# CHECK-NEXT:    return (x]
# CHECK-NEXT:           ^
def f(x: int):
    return (x]

# -----

# InconsistentDedent
# CHECK:{{.*}}lexer-errors.py:[[# @LINE+5]]:1: error: invalid indent level: it matches no outer block
# CHECK-NEXT:    return y
# CHECK-NEXT:^~~~
def f(x: int):
        y = x
    return y

# -----

# StrayBackslash
# CHECK:{{.*}}lexer-errors.py:[[# @LINE+4]]:16: error: unexpected character after line continuation character
# CHECK-NEXT:    return x + \ 1
# CHECK-NEXT:               ^
def f(x: int):
    return x + \ 1
