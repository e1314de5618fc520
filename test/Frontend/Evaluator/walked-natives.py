# Methods of strings and containers, operators and texts, in code that runs while a program is loaded.
# RUN: split-file %s %t
# RUN: tsc-run %t/calls.py --args 'torch.ones([1])' | FileCheck %t/calls.py
# RUN: not tsc-run %t/find.py --args 'torch.ones([1])' 2>&1 | FileCheck %t/find.py
# RUN: not tsc-run %t/replace.py --args 'torch.ones([1])' 2>&1 | FileCheck %t/replace.py
# RUN: not tsc-run %t/isalpha.py --args 'torch.ones([1])' 2>&1 | FileCheck %t/isalpha.py
# RUN: not tsc-run %t/split.py --args 'torch.ones([1])' 2>&1 | FileCheck %t/split.py
# RUN: not tsc-run %t/index.py --args 'torch.ones([1])' 2>&1 | FileCheck %t/index.py
# RUN: not tsc-run %t/keys.py --args 'torch.ones([1])' 2>&1 | FileCheck %t/keys.py
# RUN: not tsc-run %t/len.py --args 'torch.ones([1])' 2>&1 | FileCheck %t/len.py

#--- calls.py
import torch
from torch import nn


def attempt(name, f):
    try:
        print(name, f())
    except Exception as error:
        print(name, type(error).__name__, error)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        # CHECK: {{^}}find 5
        attempt("find", lambda: "abcabc".find("c", 3))
        # CHECK-NEXT: bounds [1, True, True]
        attempt("bounds", lambda: ["abcabc".count("c", None, 3), "abcabc".startswith("b", 1), "abc".endswith(("x", "c"))])
        # CHECK-NEXT: {{split \[\['a', 'b,c'\], \['a b', 'c'\], \['a', 'b'\]\]}}
        attempt("split", lambda: ["a,b,c".split(",", 1), "a b c".rsplit(maxsplit=1), "a,b".split(sep=",")])
        # CHECK-NEXT: strip ['a', 'ax', 'xa']
        attempt("strip", lambda: ["  a ".strip(None), "xax".lstrip("x"), "xax".rstrip("x")])
        # CHECK-NEXT: parts [('a', '-', 'b-c'), ('a-b', '-', 'c')]
        attempt("parts", lambda: ["a-b-c".partition("-"), "a-b-c".rpartition("-")])
        # CHECK-NEXT: pad ['-a--', 'a  |', '007', '**a']
        attempt("pad", lambda: ["a".center(4, "-"), "a".ljust(3) + "|", "7".zfill(3), "a".rjust(3, "*")])
        # CHECK-NEXT: fill TypeError The fill character must be a unicode character, not int
        attempt("fill", lambda: "a".center(4, 1))
        # CHECK-NEXT: affix ['bc', 'ab']
        attempt("affix", lambda: ["abc".removeprefix("a"), "abc".removesuffix("c")])
        # CHECK-NEXT: case ['Ab', 'Ab C', 'ab', True, True, True]
        attempt("case", lambda: ["aB".swapcase(), "ab c".title(), "AB".casefold(), "ab".isalpha(), "a".isascii(), "12".isdigit()])
        # CHECK-NEXT: tabs ['a   b', ['a\n', 'b'], 'bXa']
        attempt("tabs", lambda: ["a\tb".expandtabs(4), "a\nb".splitlines(True), "aXa".replace("a", "b", 1)])
        # CHECK-NEXT: prefix TypeError startswith first arg must be str or a tuple of str, not int
        attempt("prefix", lambda: "abc".startswith(1))
        # CHECK-NEXT: lists [2, 1, 1]
        attempt("lists", lambda: [[1, 2, 1].index(1, 1), [3, 1, 2].count(1), (1, 2).index(2)])
        items = [3, 1, 2]
        items.append(4)
        items.reverse()
        # CHECK-NEXT: changed [4, 2, 1, 3]
        attempt("changed", lambda: items)
        items.clear()
        # CHECK-NEXT: cleared []
        attempt("cleared", lambda: items)
        d = {"a": 1}
        # CHECK-NEXT: views [dict_keys(['a']), dict_values([1]), dict_items([('a', 1)])]
        attempt("views", lambda: [d.keys(), d.values(), d.items()])
        # CHECK-NEXT: sums ['ab', [1, 2], (1, 2), [1, 1], (1, 2, 1, 2), 'abab', '3', []]
        attempt("sums", lambda: ["a" + "b", [1] + [2], (1,) + (2,), 2 * [1], (1, 2) * 2, "ab" * 2, "%d" % 3, [1] * -1])
        # CHECK-NEXT: merged {'a': 1, 'b': 2}
        attempt("merged", lambda: {"a": 1} | {"b": 2})
        # CHECK-NEXT: add TypeError can only concatenate list (not "tuple") to list
        attempt("add", lambda: [1] + (2,))
        # CHECK-NEXT: times TypeError can't multiply sequence by non-int of type 'str'
        attempt("times", lambda: "a" * "b")
        # CHECK-NEXT: reprs [slice(1, 2, None), range(0, 3), range(0, 4, 2), {1}, frozenset(), (1,)]
        attempt("reprs", lambda: [slice(1, 2), range(3), range(0, 4, 2), {1}, frozenset(), (1,)])
        # CHECK-NEXT: names [torch.float32, device(type='cpu'), <built-in function len>, <class 'int'>, torch.Size([1, 2])]
        attempt("names", lambda: [torch.float32, torch.device("cpu"), len, int, torch.Size([1, 2])])
        # CHECK-NEXT: errors [ValueError('x'), ValueError('x', 1)]
        attempt("errors", lambda: [ValueError("x"), ValueError("x", 1)])
        # CHECK-NEXT: loops {{\[\[2, 4\], \{1, 3\}, \{1: 2\}, 3\]}}
        attempt("loops", lambda: [[2 * i for i in (1, 2)], {i for i in [1, 3]}, {i: i + 1 for i in [1]}, (n := 3)])

    def forward(self, x):
        return x
#--- find.py
import torch

class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        # CHECK: find.py:[[# @LINE + 1]]:18: error: calls of 'str.find' with these arguments aren't supported
        self.a = "abc".find(1)
#--- replace.py
import torch

class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        # CHECK: replace.py:[[# @LINE + 1]]:18: error: calls of 'str.replace' with these arguments aren't supported
        self.a = "a".replace("b", "c", "d")
#--- isalpha.py
import torch

class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        # CHECK: isalpha.py:[[# @LINE + 1]]:18: error: calls of 'str.isalpha' with these arguments aren't supported
        self.a = "abc".isalpha(1)
#--- split.py
import torch

class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        # CHECK: split.py:[[# @LINE + 1]]:18: error: calls of 'str.split' with these arguments aren't supported
        self.a = "a b".split(x=1)
#--- index.py
import torch

class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        # CHECK: index.py:[[# @LINE + 1]]:18: error: calls of 'list.index' with these arguments aren't supported
        self.a = [1].index(1, "a")
#--- keys.py
import torch

class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        # CHECK: keys.py:[[# @LINE + 1]]:18: error: calls of 'dict.keys' with these arguments aren't supported
        self.a = {}.keys(1)
#--- len.py
import torch

class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        # CHECK: len.py:[[# @LINE + 1]]:18: error: TypeError: len() takes exactly one argument (0 given)
        self.a = len()
