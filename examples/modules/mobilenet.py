import torch
from torch import Tensor, nn


class ConvNormActivation(nn.Sequential):
    def __init__(self, in_planes: int, out_planes: int, kernel_size: int = 3, stride: int = 1, groups: int = 1):
        super().__init__(
            nn.Conv2d(in_planes, out_planes, kernel_size, stride, (kernel_size - 1) // 2, groups=groups, bias=False),
            nn.BatchNorm2d(out_planes),
            nn.ReLU6(inplace=True),
        )


class InvertedResidual(nn.Module):
    """Widens, convolves each channel alone, narrows; the sum with the input where the shapes agree."""

    def __init__(self, in_planes: int, out_planes: int, stride: int, expand_ratio: int):
        super().__init__()
        hidden = in_planes * expand_ratio
        self.has_skip = stride == 1 and in_planes == out_planes
        layers = []
        if expand_ratio != 1:
            layers.append(ConvNormActivation(in_planes, hidden, kernel_size=1))
        layers.append(ConvNormActivation(hidden, hidden, stride=stride, groups=hidden))
        layers.append(nn.Conv2d(hidden, out_planes, 1, bias=False))
        layers.append(nn.BatchNorm2d(out_planes))
        self.conv = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        if self.has_skip:
            return x + self.conv(x)
        return self.conv(x)


class MobileNetV2(nn.Module):
    def __init__(self, num_classes: int = 1000, dropout: float = 0.2):
        super().__init__()
        planes = 32
        layers = [ConvNormActivation(3, planes, stride=2)]
        # Expansion, channels, blocks, stride of the first block.
        for t, c, n, s in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
                           (6, 320, 1, 1)]:
            for i in range(n):
                layers.append(InvertedResidual(planes, c, s if i == 0 else 1, t))
                planes = c
        layers.append(ConvNormActivation(planes, 1280, kernel_size=1))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(dropout), nn.Linear(1280, num_classes))
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out")
            elif isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, 0, 0.01)
                nn.init.zeros_(m.bias)

    def forward(self, x: Tensor) -> Tensor:
        x = self.features(x)
        x = nn.functional.adaptive_avg_pool2d(x, (1, 1))
        return self.classifier(torch.flatten(x, 1))


def mobilenet_v2(**kwargs):
    return MobileNetV2(**kwargs)


if __name__ == "__main__":
    torch.manual_seed(0)
    model = mobilenet_v2(num_classes=10)
    model.eval()
    print(sum(p.numel() for p in model.parameters()))
    print(model(torch.randn(1, 3, 64, 64)))
