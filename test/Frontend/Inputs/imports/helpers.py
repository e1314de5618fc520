from typing import List
from enum import Enum
from errors import Late
import torch
LIMIT = 10
FACTOR = 1.5
Ints = List[int]
class Color(Enum):
    RED = 1
class Point:
    def __init__(self, x: int, y: int) -> None:
        self.x = x
        self.y = y
    def sum(self) -> float:
        return (self.x + self.y) * FACTOR
def scale(x: float) -> float:
    return x * FACTOR
def fail(n: int) -> None:
    if n < 0:
        raise Late("below zero")
