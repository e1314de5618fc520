# Regions of images.
import torch
from torch import Tensor


def pooled_places(grad: Tensor, rois: Tensor, argmax: Tensor) -> Tensor:
    """The elements of each region's image at its places; zero where a cell has none."""
    planes = grad.index_select(0, rois.select(1, 0).long()).flatten(2)
    places = argmax.long().flatten(2)
    found = planes.gather(2, places.clamp(min=0)) * (places >= 0).to(grad.dtype)
    return found.reshape(argmax.size())
