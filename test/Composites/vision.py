# Recorded by utils/record_composite_tests.py with PyTorch's values; do not edit, edit vision.cases.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
# CHECK-NOT: differs
# CHECK: 21 cases
import torch
from typing import List, Optional
from checks import check
from torch import Tensor


def part0() -> None:
    image = torch.sin(torch.arange(1512.) * 0.41).reshape([2, 12, 9, 7])
    rois = torch.tensor([[0., 1.2, 0.7, 6.3, 7.9], [1., -3., -2., 12., 14.], [0., 2.5, 3.5, 2.9, 3.7], [1., 4., 4., 2., 4.], [1., 0.5, 0.5, 5.5, 8.5]])
    grad = torch.cos(torch.arange(360.)).reshape([5, 12, 3, 2])
    few = torch.cos(torch.arange(60.)).reshape([5, 2, 3, 2])
    corner = torch.cos(torch.arange(60.) * 1.7).reshape([30, 2]) * 5 + 5
    boxes = torch.cat([corner, corner + 1 + 2 * torch.abs(torch.sin(torch.arange(60.)).reshape([30, 2]))], 1)
    scores = torch.sin(torch.arange(30.) * 2.3)
    x = torch.sin(torch.arange(336.) * 0.37).reshape([2, 4, 7, 6])
    w = torch.cos(torch.arange(72.) * 0.7).reshape([6, 2, 3, 2])
    offset = torch.sin(torch.arange(1536.) * 0.9).reshape([2, 24, 4, 8]) * 2
    mask = torch.sigmoid(torch.cos(torch.arange(768.)).reshape([2, 12, 4, 8]))
    bias = torch.arange(6.)
    out = torch.cos(torch.arange(384.)).reshape([2, 6, 4, 8])
    check("nms", torch.ops.torchvision.nms(boxes, scores, 0.1), [12], 189., -14.0737, 61.5873)
    check("nms", torch.ops.torchvision.nms(boxes, scores, 0.5), [27], 399., 17.9067, 88.2326)
    check("nms", torch.ops.torchvision.nms(boxes, torch.zeros([30]), 0.3), [22], 232., 8.09832, 57.9137)
    check("roi_align", torch.ops.torchvision.roi_align(image, rois, 1.0, 3, 2, 2, True), [5, 12, 3, 2], -6.88863, 0.151978, 5.35408)
    check("roi_align", torch.ops.torchvision.roi_align(image, rois, 0.5, 3, 2, 0, False), [5, 12, 3, 2], 1.93832, 4.66446, 5.57777)
    check("_roi_align_backward", torch.ops.torchvision._roi_align_backward(grad, rois, 1.0, 3, 2, 2, 12, 9, 7, 0, True), [2, 12, 9, 7], 0.212582, 1.89271, 2.94349)
    check("roi_pool", torch.ops.torchvision.roi_pool(image, rois, 0.5, 3, 2)[0], [5, 12, 3, 2], 185.376, 1.29186, 14.8558)
    check("roi_pool", torch.ops.torchvision.roi_pool(image, rois, 1.0, 3, 2)[1], [5, 12, 3, 2], 11152., -561.051, 655.086)
    check("_roi_pool_backward", torch.ops.torchvision._roi_pool_backward(grad, rois, torch.ops.torchvision.roi_pool(image, rois, 1.0, 3, 2)[1], 1.0, 3, 2, 2, 12, 9, 7), [2, 12, 9, 7], -9.55666, 7.96633, 8.97246)
    check("ps_roi_align", torch.ops.torchvision.ps_roi_align(image, rois, 1.0, 3, 2, 2)[0], [5, 2, 3, 2], -1.24835, 1.54327, 2.2125)
    check("ps_roi_align", torch.ops.torchvision.ps_roi_align(image, rois, 1.0, 3, 2, 2)[1], [5, 2, 3, 2], 330., -37.9257, 50.2991)
    check("_ps_roi_align_backward", torch.ops.torchvision._ps_roi_align_backward(few, rois, torch.ops.torchvision.ps_roi_align(image, rois, 1.0, 3, 2, 2)[1], 1.0, 3, 2, 2, 2, 12, 9, 7), [2, 12, 9, 7], 1.2939, -2.09797, 2.62947)
    check("ps_roi_pool", torch.ops.torchvision.ps_roi_pool(image, rois, 1.0, 3, 2)[0], [5, 2, 3, 2], 0.140658, 0.997358, 3.49957)
    check("_ps_roi_pool_backward", torch.ops.torchvision._ps_roi_pool_backward(few, rois, torch.ops.torchvision.ps_roi_pool(image, rois, 1.0, 3, 2)[1], 1.0, 3, 2, 2, 12, 9, 7), [2, 12, 9, 7], 0.697231, -3.22418, 3.76838)
    check("deform_conv2d", torch.ops.torchvision.deform_conv2d(x, w, offset, mask, bias, 2, 1, 1, 2, 1, 2, 2, 2, True), [2, 6, 4, 8], 960.466, 2.37769, 60.3627)
    check("deform_conv2d", torch.ops.torchvision.deform_conv2d(x, w, offset, mask, bias, 2, 1, 1, 2, 1, 2, 2, 2, False), [2, 6, 4, 8], 960.932, 2.44346, 62.7866)
    check("_deform_conv2d_backward", torch.ops.torchvision._deform_conv2d_backward(out, x, w, offset, mask, bias, 2, 1, 1, 2, 1, 2, 2, 2, True)[0], [2, 4, 7, 6], 2.673, 1.21746, 5.7167)
    check("_deform_conv2d_backward", torch.ops.torchvision._deform_conv2d_backward(out, x, w, offset, mask, bias, 2, 1, 1, 2, 1, 2, 2, 2, True)[1], [6, 2, 3, 2], 0.450044, -0.370763, 3.73787)
    check("_deform_conv2d_backward", torch.ops.torchvision._deform_conv2d_backward(out, x, w, offset, mask, bias, 2, 1, 1, 2, 1, 2, 2, 2, True)[2], [2, 24, 4, 8], -2.2926, -1.50075, 9.07766)
    check("_deform_conv2d_backward", torch.ops.torchvision._deform_conv2d_backward(out, x, w, offset, mask, bias, 2, 1, 1, 2, 1, 2, 2, 2, True)[3], [2, 12, 4, 8], 0.385942, 0.656302, 7.22466)


def part1() -> None:
    image = torch.sin(torch.arange(1512.) * 0.41).reshape([2, 12, 9, 7])
    rois = torch.tensor([[0., 1.2, 0.7, 6.3, 7.9], [1., -3., -2., 12., 14.], [0., 2.5, 3.5, 2.9, 3.7], [1., 4., 4., 2., 4.], [1., 0.5, 0.5, 5.5, 8.5]])
    grad = torch.cos(torch.arange(360.)).reshape([5, 12, 3, 2])
    few = torch.cos(torch.arange(60.)).reshape([5, 2, 3, 2])
    corner = torch.cos(torch.arange(60.) * 1.7).reshape([30, 2]) * 5 + 5
    boxes = torch.cat([corner, corner + 1 + 2 * torch.abs(torch.sin(torch.arange(60.)).reshape([30, 2]))], 1)
    scores = torch.sin(torch.arange(30.) * 2.3)
    x = torch.sin(torch.arange(336.) * 0.37).reshape([2, 4, 7, 6])
    w = torch.cos(torch.arange(72.) * 0.7).reshape([6, 2, 3, 2])
    offset = torch.sin(torch.arange(1536.) * 0.9).reshape([2, 24, 4, 8]) * 2
    mask = torch.sigmoid(torch.cos(torch.arange(768.)).reshape([2, 12, 4, 8]))
    bias = torch.arange(6.)
    out = torch.cos(torch.arange(384.)).reshape([2, 6, 4, 8])
    check("_deform_conv2d_backward", torch.ops.torchvision._deform_conv2d_backward(out, x, w, offset, mask, bias, 2, 1, 1, 2, 1, 2, 2, 2, True)[4], [6], 0.733389, -0.327395, 0.355433)


def main():
    part0()
    part1()
    print(21, "cases")
