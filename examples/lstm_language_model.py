# A language model of characters, its LSTM cell written out in TorchScript: training without Python. The text is made by a
# small grammar, in which verbs agree with nouns.
#   tsc-run examples/lstm_language_model.py                             200 steps; nothing is written
#   tsc-run --args '1500, "/tmp/lstm"' examples/lstm_language_model.py  writes /tmp/lstm.pt and /tmp/lstm.svg
# A run that is stopped goes on from the .pt file where it was, and gives what it would have given.
import torch
import torch.nn.functional as F
from pathlib import Path
from typing import Dict, List, Tuple
from torch import Tensor

LETTERS = "abcdefghijklmnopqrstuvwxyz .,"


class LanguageModel:
    def __init__(self, width: int, size: int):
        count = len(LETTERS)
        self.size = size
        self.embedding = (torch.randn([count, width]) * 0.5).requires_grad_()
        self.w_ih = (torch.randn([4 * size, width]) * width ** -0.5).requires_grad_()
        self.w_hh = (torch.randn([4 * size, size]) * size ** -0.5).requires_grad_()
        self.bias = torch.zeros([4 * size]).requires_grad_()
        self.w_out = (torch.randn([count, size]) * size ** -0.5).requires_grad_()
        self.b_out = torch.zeros([count]).requires_grad_()

    def parameters(self) -> List[Tensor]:
        return [self.embedding, self.w_ih, self.w_hh, self.bias, self.w_out, self.b_out]

    def cell(self, gates: Tensor, hidden: Tensor, memory: Tensor) -> Tuple[Tensor, Tensor]:
        ingate, forgetgate, cellgate, outgate = (gates + hidden.mm(self.w_hh.t())).chunk(4, 1)
        memory = torch.sigmoid(forgetgate + 1.0) * memory + torch.sigmoid(ingate) * torch.tanh(cellgate)
        return torch.sigmoid(outgate) * torch.tanh(memory), memory

    # Scores of the next letter after each one; the text is [length, batch].
    def forward(self, text: Tensor) -> Tensor:
        inputs = F.linear(F.embedding(text, self.embedding), self.w_ih, self.bias)
        hidden = torch.zeros([text.size(1), self.size])
        memory = torch.zeros([text.size(1), self.size])
        outputs: List[Tensor] = []
        for step in range(text.size(0)):
            hidden, memory = self.cell(inputs[step], hidden, memory)
            outputs.append(hidden)
        return F.linear(torch.stack(outputs), self.w_out, self.b_out)


# Sentences of the grammar: "the small dogs see a bird, and the cats sleep."
def make_text(sentences: int) -> str:
    nouns = ["dog", "cat", "bird", "child", "friend", "robot"]
    adjectives = ["", "small ", "old ", "happy ", "red "]
    verbs = ["see", "like", "follow", "find"]
    acts = ["sleep", "run", "sing", "wait"]
    torch.manual_seed(1)
    draws: List[List[int]] = torch.randint(0, 60, [sentences, 8]).tolist()
    parts: List[str] = []
    for draw in draws:
        several, others = draw[0] % 2 == 1, draw[1] % 2 == 1
        parts.append(("the " if several or draw[0] % 4 == 0 else "a ") + adjectives[draw[2] % 5] + nouns[draw[3] % 6])
        parts.append("s " if several else " ")
        parts.append(verbs[draw[4] % 4] + (" the " if several else "s the "))
        parts.append(nouns[draw[5] % 6] + ("s, and " if others else ", and "))
        parts.append(("they " if several else "it ") + acts[draw[6] % 4] + (". " if several else "s. "))
    return "".join(parts)


def encode(text: str) -> Tensor:
    numbers: List[int] = []
    for i in range(len(text)):
        numbers.append(LETTERS.find(text[i]))
    return torch.tensor(numbers)


# The likeliest text after a beginning.
def go_on(model: LanguageModel, text: str, count: int) -> str:
    with torch.no_grad():
        for i in range(count):
            scores = model.forward(encode(text[-40:]).unsqueeze(1))
            letter = int(scores[-1, 0].argmax())
            text = text + LETTERS[letter]
    return text


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
def save(model: LanguageModel, optimizer: torch.optim.Adam, losses: List[float], path: str) -> None:
    state: Dict[str, Tensor] = {"losses": torch.tensor(losses)}
    for i, parameter in enumerate(model.parameters()):
        state["parameter." + str(i)] = parameter.detach()
    for name, tensor in optimizer.state_dict().items():
        state["optimizer." + name] = tensor
    torch.save(state, path)


def load(model: LanguageModel, optimizer: torch.optim.Adam, path: str) -> List[float]:
    state = torch.load(path)
    of_optimizer: Dict[str, Tensor] = {}
    for name, tensor in state.items():
        if name.startswith("optimizer."):
            of_optimizer[name[len("optimizer."):]] = tensor
    optimizer.load_state_dict(of_optimizer)
    with torch.no_grad():
        for i, parameter in enumerate(model.parameters()):
            parameter.copy_(state["parameter." + str(i)])
    losses: List[float] = state["losses"].tolist()
    return losses


# Up in a line for 20 steps, then half as much every 500.
def learning_rate(step: int) -> float:
    return 0.01 * min(1.0, (step + 1) / 20) * 0.5 ** (step / 500)


def set_learning_rate(optimizer: torch.optim.Adam, rate: float) -> None:
    if torch.jit.is_scripting():
        optimizer.lr = rate
    else:
        for group in optimizer.param_groups:
            group["lr"] = rate


def main(steps: int = 200, path: str = ""):
    length, batch = 32, 16
    text = encode(make_text(1000))
    torch.manual_seed(0)
    model = LanguageModel(16, 48)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses: List[float] = []
    if path != "" and Path(path + ".pt").exists():
        losses = load(model, optimizer, path + ".pt")
        print("going on at step", len(losses))
    for step in range(len(losses), steps):
        torch.manual_seed(step)
        begins = torch.randint(0, text.size(0) - length - 1, [batch])
        letters = text[begins + torch.arange(length + 1).unsqueeze(1)]
        set_learning_rate(optimizer, learning_rate(step))
        optimizer.zero_grad()
        loss = F.cross_entropy(model.forward(letters[:-1]).flatten(0, 1), letters[1:].flatten())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(float(loss.detach()))
        if step % 50 == 0 or step == steps - 1:
            print("step", step, "loss", losses[-1])
        if path != "" and (step % 100 == 99 or step == steps - 1):
            save(model, optimizer, losses, path + ".pt")
    if path != "" and len(losses) > 0:
        Path(path + ".svg").write_text(curve(losses, "A language model of characters"))
    print(go_on(model, "the old ", 60))
