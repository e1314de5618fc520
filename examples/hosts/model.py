"""Writes model.pt, the archive that the hosts of this folder load: python model.py. Needs PyTorch."""
from typing import Dict, List, Tuple
import torch


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)
        self.register_buffer("scale", torch.tensor(0.5))

    def forward(self, x):
        return torch.tanh(self.linear(x)) * self.scale


class Model(torch.nn.Module):
    cutoff: float
    names: List[str]

    def __init__(self):
        super().__init__()
        self.layer = Layer()
        self.cutoff = 5.5
        self.names = ["C", "H"]
        self.gain = 1
        self.register_buffer("forward_params", torch.tensor([4, 1, 3, 1]))

    def forward(self, x):
        return self.layer(x)

    @torch.jit.export
    def energy(self, positions: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
        """Springs between neighbours."""
        lengths = (positions[1:] - positions[:-1]).norm(2.0, dim=1)
        return (k * (lengths - 1.0) ** 2).sum()

    @torch.jit.export
    def atoms(self, data: Dict[str, torch.Tensor]) -> Dict[str, torch.Tensor]:
        energies = (data["pos"] ** 2).sum(1) * (data["types"] + 1)
        return {"atomic_energy": energies, "total_energy": energies.sum()}

    @torch.jit.export
    def both(self, x) -> Tuple[torch.Tensor, List[torch.Tensor]]:
        return x.sum(), [x, x * 2]

    @torch.jit.export
    def embed(self, x):
        return torch.sin(x @ x.t())

    @torch.jit.export
    def readout(self, h):
        return (h * h).sum()

    @torch.jit.export
    def get_gain(self) -> List[int]:
        return [self.gain]

    @torch.jit.export
    def set_gain(self, gain: int) -> int:
        self.gain = gain
        return 0

    @torch.jit.export
    def amplify(self, x):
        return x * self.gain

    @torch.jit.export
    def checked(self, x):
        if bool((x < 0).any()):
            raise ValueError("negative input")
        return x.sqrt()


torch.manual_seed(1)
torch.jit.save(torch.jit.script(Model()).eval(), "model.pt", _extra_files={"config.json": '{"r_max": 5.5}', "types": "C H"})
