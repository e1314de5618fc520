import torch
import helpers
import pkg.blocks
import pkg.deep.core as core
from helpers import Point, scale as times, LIMIT, Color
from pkg import double, blocks as b
from errors import Late
from torch import Tensor
from typing import List


class Point3(Point):
    def __init__(self, x: int, y: int, z: int) -> None:
        super().__init__(x, y)
        self.z = z


def check(n: int) -> str:
    try:
        helpers.fail(n)
    except Late as e:
        return "late " + str(e)
    return "fine"


def area(p: helpers.Point) -> int:
    return p.x * p.y


def main():
    p = Point(3, 4)
    print(area(p), p.sum(), times(2.0), LIMIT, helpers.LIMIT + 1)
    print(double(5), b.triple(5), pkg.blocks.triple(6), core.deepest(7), pkg.deep.core.deepest(8))
    print(check(1), check(-1))
    q = Point3(1, 2, 3)
    print(q.sum(), q.z, area(helpers.Point(5, 6)))
    c = Color.RED
    print(c == helpers.Color.RED, c.value)
    xs: helpers.Ints = [1, 2]
    print(xs)
