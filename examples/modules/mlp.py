import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes=(8, 32, 32, 4), dropout=0.0):
        super().__init__()
        layers = []
        for i, (fan_in, fan_out) in enumerate(zip(sizes[:-1], sizes[1:])):
            layers.append(nn.Linear(fan_in, fan_out))
            if i < len(sizes) - 2:
                layers += [nn.ReLU(), nn.Dropout(dropout)]
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


if __name__ == "__main__":
    torch.manual_seed(0)
    model = MLP().eval()
    print(model)
    print(sum(p.numel() for p in model.parameters()))
    print(model(torch.randn(2, 8)))
