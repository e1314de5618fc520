"""Makes potential.pt, a small random potential with the interface of SevenNet's archives: potential.py FILE

Its energy is a repulsion of pairs and what two layers of messages, of scalars and of vectors, give each atom.
"""
import sys
import tempfile
import warnings
import zipfile
from typing import Dict

import torch

CUTOFF = 4.0
FILES = {"chemical_symbols_to_index": "Si O", "cutoff": str(CUTOFF), "num_species": "2", "model_type": "E3_equivariant_model",
         "version": "0", "dtype": "single", "time": "0", "flashTP": "no", "oeq": "no"}


class Layer(torch.nn.Module):
    def __init__(self, width: int, waves: int):
        super().__init__()
        # Without biases, so that atoms at the cutoff have no part in the energy.
        self.radial = torch.nn.Sequential(torch.nn.Linear(waves, width, bias=False), torch.nn.SiLU(),
                                          torch.nn.Linear(width, 2 * width, bias=False))
        self.mix = torch.nn.Linear(2 * width, width)

    def forward(self, x, waves, direction, src, dst):
        weights = self.radial(waves)
        width = x.size(1)
        message = x.index_select(0, src)
        scalars = torch.zeros_like(x).index_add(0, dst, message * weights[:, :width])
        vectors = (message * weights[:, width:]).unsqueeze(-1) * direction.unsqueeze(1)
        summed = torch.zeros([x.size(0), width, 3], dtype=x.dtype).index_add(0, dst, vectors)
        return x + torch.nn.functional.silu(self.mix(torch.cat([scalars, summed.square().sum(-1)], 1)))


class Potential(torch.nn.Module):
    def __init__(self, width: int = 16, waves: int = 8):
        super().__init__()
        self.embedding = torch.nn.Embedding(2, width)
        self.layers = torch.nn.ModuleList([Layer(width, waves), Layer(width, waves)])
        self.energy = torch.nn.Linear(width, 1)
        self.register_buffer("frequencies", torch.arange(1, waves + 1) * torch.pi / CUTOFF)
        self.cutoff: float = CUTOFF

    def forward(self, data: Dict[str, torch.Tensor]) -> Dict[str, torch.Tensor]:
        vectors, edges = data["edge_vec"], data["edge_index"]
        distance = vectors.square().sum(1, keepdim=True).sqrt()
        near = distance / self.cutoff
        envelope = 1 - 10 * near.pow(3) + 15 * near.pow(4) - 6 * near.pow(5)
        waves = torch.sin(self.frequencies * distance) / distance * envelope
        x = self.embedding(data["x"])
        for layer in self.layers:
            x = layer(x, waves, vectors / distance, edges[1], edges[0])
        atoms = self.energy(x)
        repulsion = (2.0 * envelope * torch.exp(-3.0 * (distance - 2.0)))
        atoms = atoms.index_add(0, edges[0], 0.5 * repulsion).squeeze(1)
        data["atomic_energy"] = atoms
        data["inferred_total_energy"] = atoms.sum().unsqueeze(0)
        return data


def save_without_places(module, path):
    """Saves an archive without the files that say where in Python's source its code was."""
    with tempfile.TemporaryDirectory() as folder:
        module.save(f"{folder}/potential.pt", _extra_files=FILES)
        with zipfile.ZipFile(f"{folder}/potential.pt") as whole, zipfile.ZipFile(path, "w") as kept:
            for entry in whole.infolist():
                if not entry.filename.endswith(".debug_pkl"):
                    kept.writestr(zipfile.ZipInfo(entry.filename), whole.read(entry))


warnings.filterwarnings("ignore")
torch.manual_seed(5)
save_without_places(torch.jit.freeze(torch.jit.script(Potential().eval())), sys.argv[1])
