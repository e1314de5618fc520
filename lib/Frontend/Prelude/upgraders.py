# What operators of old archives meant when these were written. A function is named for the operator, its overload (or
# the type of an argument that decides) and the first format version whose archives mean today's operator; an archive of
# an older one calls it in its place.
import torch
from typing import List, Optional
from torch import Tensor


# Integers were divided without the rest.

def div_Tensor_4(self: Tensor, other: Tensor) -> Tensor:
    if self.is_floating_point() or other.is_floating_point():
        return torch.div(self, other)
    return torch.div(self, other, rounding_mode="trunc")


def div_Scalar_4(self: Tensor, other: number) -> Tensor:
    if self.is_floating_point() or isinstance(other, float):
        return torch.div(self, other)
    return torch.div(self, other, rounding_mode="trunc")


def div_int_4(self: Tensor, other: int) -> Tensor:
    if self.is_floating_point():
        return torch.div(self, other)
    return torch.div(self, other, rounding_mode="trunc")


def div__Tensor_4(self: Tensor, other: Tensor) -> Tensor:
    if self.is_floating_point() or other.is_floating_point():
        return self.div_(other)
    return self.div_(other, rounding_mode="trunc")


def div__Scalar_4(self: Tensor, other: number) -> Tensor:
    if self.is_floating_point() or isinstance(other, float):
        return self.div_(other)
    return self.div_(other, rounding_mode="trunc")


def div__int_4(self: Tensor, other: int) -> Tensor:
    if self.is_floating_point():
        return self.div_(other)
    return self.div_(other, rounding_mode="trunc")


def div_out_4(self: Tensor, other: Tensor, out: Tensor) -> Tensor:
    if self.is_floating_point() or other.is_floating_point() or out.is_floating_point():
        return torch.div(self, other, out=out)
    return torch.div(self, other, rounding_mode="trunc", out=out)


# A tensor without a dtype was of the default one, whatever fills it.

def full_int_5(size: List[int], fill_value: int, dtype: Optional[int], layout: Optional[int], device: Optional[Device],
               pin_memory: Optional[bool]) -> Tensor:
    return torch.full(size, float(fill_value), dtype=None, layout=layout, device=device, pin_memory=pin_memory)


def full__5(size: List[int], fill_value: number, dtype: Optional[int], layout: Optional[int], device: Optional[Device],
            pin_memory: Optional[bool]) -> Tensor:
    if dtype is None:
        return torch.full(size, float(fill_value), dtype=None, layout=layout, device=device, pin_memory=pin_memory)
    return torch.full(size, fill_value, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
