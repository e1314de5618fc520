"""Models of torchvision: all that it lists, at small sizes."""
import torch
import torchvision

from .common import Model, image, loss_of_dict

SIZES = {"inception_v3": 96, "vit_h_14": 56, "maxvit_t": 224}
OPTIONS = {"inception_v3": {"init_weights": False}, "googlenet": {"init_weights": False}}
# Sides of a video's pictures, and how many.
VIDEOS = {"mvit_v1_b": (224, 16), "mvit_v2_s": (224, 16), "s3d": (64, 14)}


def models():
    yield from classifiers()
    yield from of_videos()
    for name in torchvision.models.list_models(module=torchvision.models.segmentation):
        yield Model("torchvision", f"segmentation.{name}", maker(name, weights_backbone=None), image(64))
    for name in torchvision.models.list_models(module=torchvision.models.optical_flow):
        yield Model("torchvision", f"optical_flow.{name}", lambda name=name: torchvision.models.get_model(
            name, weights=None), two_images, batches=(1, 2))
    yield from detectors()


def maker(name, **more):
    return lambda: torchvision.models.get_model(name, weights=None, **{"num_classes": 7, **more})


def classifiers():
    for name in torchvision.models.list_models(module=torchvision.models):
        size = SIZES.get(name, 64)
        more = {"image_size": size} if name.startswith("vit_") else OPTIONS.get(name, {})
        yield Model("torchvision", name, maker(name, **more), image(size))


def of_videos():
    for name in torchvision.models.list_models(module=torchvision.models.video):
        def inputs(batch, dtype, name=name):
            side, count = VIDEOS.get(name, (32, 8))
            return (torch.rand(batch, 3, count, side, side, dtype=dtype),), {}

        yield Model("torchvision", f"video.{name}", maker(name), inputs, batches=(1, 2))


def two_images(batch, dtype):
    return (torch.rand(batch, 3, 128, 128, dtype=dtype), torch.rand(batch, 3, 128, 128, dtype=dtype)), {}


def images(batch, dtype):
    return ([torch.rand(3, 80, 96, dtype=dtype) for _ in range(batch)],), {}


def with_targets(batch, dtype, has_keypoints, has_masks):
    targets = []
    for number in range(batch):
        boxes = torch.tensor([[4.0, 6.0, 40.0, 50.0], [30.0, 20.0, 80.0, 70.0]], dtype=dtype) + number
        one = {"boxes": boxes, "labels": torch.tensor([1, 1])}
        if has_masks:
            one["masks"] = (torch.rand(2, 80, 96) > 0.5).to(torch.uint8)
        if has_keypoints:
            one["keypoints"] = torch.rand(2, 17, 3, dtype=dtype) * 30 + 10
            one["keypoints"][:, :, 2] = 1
        targets.append(one)
    return (images(batch, dtype)[0][0], targets), {}


def detectors():
    for name in torchvision.models.list_models(module=torchvision.models.detection):
        has_keypoints, has_masks = "keypoint" in name, "mask" in name
        more = {"num_classes": 2 if has_keypoints else 5, "weights_backbone": None}
        if "ssd" not in name:
            more.update(min_size=96, max_size=128)

        def inputs(batch, dtype, has_keypoints=has_keypoints, has_masks=has_masks):
            return with_targets(batch, dtype, has_keypoints, has_masks)

        yield Model("torchvision", f"detection.{name}", maker(name, **more), images, loss_of_dict, inputs)
