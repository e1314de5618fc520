# What operators give on a GPU beside what they give on the processor.
import torch


def close(here: torch.Tensor, there: torch.Tensor, what: str):
    back = there.cpu()
    unit = 1e-5
    if here.dtype == torch.half:
        unit = 5e-3
    elif here.dtype == torch.bfloat16:
        unit = 4e-2
    assert there.is_cuda and back.dtype == here.dtype and back.shape == here.shape, what
    assert back.stride() == here.stride(), what
    difference = (back.double() - here.double()).abs()
    assert bool((difference <= unit * (1 + here.double().abs())).all()), what


def g(t: torch.Tensor):
    return t.cuda()
