# try and match where a file is loaded and modules are made; hooks.
# RUN: tsc-run %s --entry main --args "torch.ones(1, 4)" | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt 2>&1 | FileCheck --check-prefix=LOADING %s
# RUN: tsc-run %t.pt --args "torch.ones(1, 4)" | FileCheck --check-prefix=ARCHIVE %s
import torch
from torch import nn
from typing import Tuple


class ConfigError(ValueError):
    pass


class Wrong(Exception):
    def __init__(self, what, code):
        super().__init__(f"{what}/{code}")
        self.code = code


def width_of(config):
    try:
        return int(config["width"])
    except KeyError as e:
        print("no key", e)
        return 4
    except (ValueError, TypeError) as e:
        print("bad:", type(e).__name__)
        raise ConfigError("width", config)
    finally:
        print("asked")


def activation(kind):
    match kind:
        case "relu" | "relu6":
            return nn.ReLU()
        case {"name": name, "slope": float(slope)} if slope > 0:
            print("from a dict", name)
            return nn.LeakyReLU(slope)
        case ["chain", first, *rest]:
            return nn.Sequential(*[activation(k) for k in [first, *rest]])
        case None:
            return nn.Identity()
        case int(n):
            return nn.Softplus(n)
        case _:
            raise NotImplementedError(kind)


class Net(nn.Module):
    def __init__(self, config, kind):
        super().__init__()
        try:
            width = width_of(config)
        except ConfigError as e:
            print("config", e.args[0], isinstance(e, ValueError))
            width = 2
        else:
            print("fine", width)
        self.fc = nn.Linear(4, width)
        self.act = activation(kind)
        try:
            self.extra = torch.zeros(2) @ torch.zeros(3)
        except RuntimeError as e:
            self.extra = None

    def forward(self, x):
        x = self.act(self.fc(x))
        if self.extra is not None:
            x = x + 1
        return x


def before(self, inputs: Tuple[torch.Tensor]) -> Tuple[torch.Tensor]:
    return (inputs[0] * 2,)


def after(self, inputs: Tuple[torch.Tensor], output: torch.Tensor) -> torch.Tensor:
    return output + inputs[0].sum()


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.a = Net({"width": "3"}, "relu")
        self.b = Net({}, {"name": "leaky", "slope": 0.5})
        self.c = Net({"width": "x"}, ["chain", "relu", None, 2])
        self.a.register_forward_pre_hook(before)
        self.a.register_forward_hook(after)
        self.b.register_forward_hook(after)
        try:
            activation("unknown")
        except NotImplementedError as e:
            print("not implemented:", e)
        try:
            raise Wrong("w", 3)
        except Wrong as e:
            print(e, e.code)
        n = 0
        try:
            try:
                n += 1
                {}["k"]
            finally:
                n += 1
        except LookupError:
            n += 1
        for i in range(3):
            try:
                if i == 1:
                    continue
                if i == 2:
                    break
            finally:
                n += 10
        print("n", n)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([self.a(x), self.b(x), self.c(x)], 1)


main = Main()


# What Python prints:
# CHECK: asked
# CHECK-NEXT: fine 3
# CHECK-NEXT: no key 'width'
# CHECK-NEXT: asked
# CHECK-NEXT: fine 4
# CHECK-NEXT: from a dict leaky
# CHECK-NEXT: bad: ValueError
# CHECK-NEXT: asked
# CHECK-NEXT: config width True
# CHECK-NEXT: not implemented: unknown
# CHECK-NEXT: w/3 3
# CHECK-NEXT: n 33
# CHECK-NEXT: tensor({{[[][[]}}8.0000, 8.3249, 8.0000, 4.6092, 3.9760, 4.5690, 3.2753, 0.3466, 0.3466
# LOADING: n 33
# ARCHIVE-NOT: asked
# ARCHIVE: tensor({{[[][[]}}8.0000, 8.3249, 8.0000, 4.6092, 3.9760, 4.5690, 3.2753, 0.3466, 0.3466
