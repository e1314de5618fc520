# A convolutional network that tells drawn shapes apart: training without Python. It makes its own images.
#   tsc-run examples/convnet.py                                  200 steps; nothing is written
#   tsc-run --args '1000, "/tmp/convnet"' examples/convnet.py    writes /tmp/convnet.pt and /tmp/convnet.svg
# A run that is stopped goes on from the .pt file where it was, and gives what it would have given.
import torch
import torch.nn.functional as F
from pathlib import Path
from typing import Dict, List, Tuple
from torch import Tensor


class Network:
    def __init__(self):
        self.conv1 = (torch.randn([8, 1, 3, 3]) * 0.4).requires_grad_()
        self.bias1 = torch.zeros([8]).requires_grad_()
        self.conv2 = (torch.randn([16, 8, 3, 3]) * 0.15).requires_grad_()
        self.bias2 = torch.zeros([16]).requires_grad_()
        self.weight = (torch.randn([4, 256]) * 0.06).requires_grad_()
        self.bias = torch.zeros([4]).requires_grad_()

    def parameters(self) -> List[Tensor]:
        return [self.conv1, self.bias1, self.conv2, self.bias2, self.weight, self.bias]

    def forward(self, images: Tensor) -> Tensor:
        x = F.avg_pool2d(F.gelu(F.conv2d(images, self.conv1, self.bias1, padding=1)), 2)
        x = F.avg_pool2d(F.gelu(F.conv2d(x, self.conv2, self.bias2, padding=1)), 2)
        return F.linear(x.flatten(1), self.weight, self.bias)


# Disks, squares, diamonds and crosses of any size and place in 16 by 16 pixels, with noise, and which of these each is.
def draw(count: int, seed: int) -> Tuple[Tensor, Tensor]:
    torch.manual_seed(seed)
    labels = torch.randint(0, 4, [count])
    place = torch.rand([count, 2, 1, 1]) * 6 + 5
    radius = torch.rand([count, 1, 1]) * 2 + 3
    at = torch.arange(16).to(torch.float)
    dy, dx = (at.view(1, 16, 1) - place[:, 0]).abs(), (at.view(1, 1, 16) - place[:, 1]).abs()
    longer, shorter = torch.maximum(dx, dy), torch.minimum(dx, dy)
    shapes = torch.stack([dx * dx + dy * dy < radius * radius, longer < radius * 0.85, dx + dy < radius * 1.2,
                          (longer < radius) & (shorter < radius * 0.35)])
    images = shapes[labels, torch.arange(count)].to(torch.float)
    return (images + torch.randn([count, 16, 16]) * 0.3).unsqueeze(1), labels


def accuracy(network: Network) -> float:
    with torch.no_grad():
        images, labels = draw(1000, 1000000)
        return float((network.forward(images).argmax(1) == labels).to(torch.float).mean())


# A line over axes; the values are smoothed by the mean of each and the nine before it.
def curve(values: List[float], title: str) -> str:
    left, top, width, height = 60, 30, 560, 300
    smooth: List[float] = []
    for i in range(len(values)):
        part = values[max(0, i - 9):i + 1]
        smooth.append(sum(part) / len(part))
    highest, last = max(smooth), max(1, len(smooth) - 1)
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 380" font-family="sans-serif" font-size="12">\n'
    svg += '<rect width="640" height="380" fill="white"/>\n'
    svg += '<text x="340" y="20" text-anchor="middle" font-size="14">{}</text>\n'.format(title)
    for i in range(5):
        x, y = left + width * i // 4, top + height * i // 4
        svg += '<path d="M{} {}H{}" stroke="#ddd"/>\n'.format(left, y, left + width)
        svg += '<text x="%d" y="%d" text-anchor="end">%.2f</text>\n' % (left - 6, y + 4, highest * (4 - i) / 4)
        svg += '<text x="{}" y="{}" text-anchor="middle">{}</text>\n'.format(x, top + height + 18, last * i // 4)
    svg += '<path d="M{} {}V{}H{}" fill="none" stroke="black"/>\n'.format(left, top, top + height, left + width)
    svg += '<text x="340" y="370" text-anchor="middle">step</text>\n'
    svg += '<text transform="translate(16 180) rotate(-90)" text-anchor="middle">loss</text>\n'
    points: List[str] = []
    for i, value in enumerate(smooth):
        points.append('%.1f,%.1f' % (left + width * i / last, top + height * (1 - value / highest)))
    return svg + '<polyline fill="none" stroke="#1f77b4" stroke-width="1.5" points="{}"/>\n</svg>\n'.format(
        ' '.join(points))


# All that a run needs to go on: parameters, the optimizer's state, and the losses so far.
def save(network: Network, optimizer: torch.optim.SGD, losses: List[float], path: str) -> None:
    state: Dict[str, Tensor] = {"losses": torch.tensor(losses)}
    for i, parameter in enumerate(network.parameters()):
        state["parameter." + str(i)] = parameter.detach()
    for name, tensor in optimizer.state_dict().items():
        state["optimizer." + name] = tensor
    torch.save(state, path)


def load(network: Network, optimizer: torch.optim.SGD, path: str) -> List[float]:
    state = torch.load(path)
    of_optimizer: Dict[str, Tensor] = {}
    for name, tensor in state.items():
        if name.startswith("optimizer."):
            of_optimizer[name[len("optimizer."):]] = tensor
    optimizer.load_state_dict(of_optimizer)
    with torch.no_grad():
        for i, parameter in enumerate(network.parameters()):
            parameter.copy_(state["parameter." + str(i)])
    losses: List[float] = state["losses"].tolist()
    return losses


def main(steps: int = 200, path: str = ""):
    torch.manual_seed(0)
    network = Network()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4, nesterov=True)
    losses: List[float] = []
    if path != "" and Path(path + ".pt").exists():
        losses = load(network, optimizer, path + ".pt")
        print("going on at step", len(losses))
    for step in range(len(losses), steps):
        images, labels = draw(32, step)
        optimizer.zero_grad()
        loss = F.cross_entropy(network.forward(images), labels)
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
        if step % 50 == 0 or step == steps - 1:
            print("step", step, "loss", losses[-1])
        if path != "" and (step % 100 == 99 or step == steps - 1):
            save(network, optimizer, losses, path + ".pt")
    if path != "" and len(losses) > 0:
        Path(path + ".svg").write_text(curve(losses, "Telling shapes apart"))
    print("accuracy on new images: %.3f" % accuracy(network))
