# Molecular dynamics over ranks: each rank has the atoms of a slab of a periodic box, and gets copies of its neighbours'
# atoms (ghosts) before it computes forces.
#   mpirun -n 4 tsc-run examples/ranks/dynamics.py            100 steps; 1, 2 and 4 ranks print the same energies
# dynamics.c and dynamics.f90 are simulations with a communicator of their own that ask this model for forces.
import torch
from torch import Tensor, nn
from typing import List, Tuple


class Potential(nn.Module):
    """Energies and forces of atoms: repulsion of pairs, and a network of what is around each atom.

    Atoms are rows of seven doubles: a number, three coordinates and three velocities.
    """
    def __init__(self, box: float = 12.0, cutoff: float = 2.5, width: int = 32):
        super().__init__()
        self.box = box
        self.cutoff = cutoff
        self.skin = 0.5  # how far an atom may leave its slab before migrate() gives it to another rank
        self.centres = nn.Parameter(torch.linspace(0.6, cutoff, 16, dtype=torch.double), requires_grad=False)
        self.inner = nn.Parameter(torch.randn([16, width], dtype=torch.double) * 0.2, requires_grad=False)
        self.outer = nn.Parameter(torch.randn([width], dtype=torch.double) * 0.1, requires_grad=False)

    def ranks(self) -> Tuple[int, int]:
        places: List[int] = torch.ops.tsc.ranks_of("0")
        return places[0], len(places) - 1

    def exchange(self, rows: Tensor, given: List[int]) -> Tensor:
        """Sends `given` rows to each rank, in their order, and returns what came. Its gradient goes the way back."""
        counts = torch.ops._c10d_functional.all_to_all_single(torch.tensor(given), [], [], "0")
        taken: List[int] = counts.tolist()
        return torch.ops._c10d_functional.all_to_all_single(rows, taken, given, "0")

    def migrate(self, atoms: Tensor) -> Tensor:
        """Puts atoms back into the box, and gives each to the rank of its slab"""
        rank, ranks = self.ranks()
        places = atoms[:, 1:4] - self.box * torch.floor(atoms[:, 1:4] / self.box)
        atoms = torch.cat([atoms[:, :1], places, atoms[:, 4:]], 1)
        owners = torch.floor(places[:, 0] * (ranks / self.box)).to(torch.int64).clamp(0, ranks - 1)
        given: List[int] = torch.bincount(owners, minlength=ranks).tolist()
        atoms = self.exchange(atoms[torch.argsort(owners)], given)
        return atoms[torch.argsort(atoms[:, 0])]

    def near(self, x: Tensor, width: float, reach: float) -> List[int]:
        """The ranks whose slabs may be within reach of atoms at x, or of their images: of many ranks, a few"""
        others: List[int] = []
        ranks = self.ranks()[1]
        if x.size(0) > 0:
            for image in range(-1, 2):
                least, most = float(x.min()) + image * self.box - reach, float(x.max()) + image * self.box + reach
                for other in range(int(least / width) - 2, int(most / width) + 2):
                    if 0 <= other and other < ranks and other not in others:
                        others.append(other)
        return sorted(others)

    def with_ghosts(self, positions: Tensor) -> Tensor:
        """The positions of the rank's atoms, and behind them those of others' that are near enough, by images"""
        rank, ranks = self.ranks()
        width, reach = self.box / ranks, self.cutoff + self.skin
        given = [0] * ranks
        parts = [positions[:0]]
        for other in self.near(positions[:, 0].detach(), width, reach):
            for image in range(-1, 2):
                if other == rank and image == 0:
                    continue
                x = positions[:, 0].detach() + image * self.box
                near = torch.logical_and(x > other * width - reach, x < (other + 1) * width + reach)
                shift = torch.tensor([image * self.box, 0.0, 0.0], dtype=torch.double)
                parts.append(positions[near] + shift)
                given[other] += parts[-1].size(0)
        return torch.cat([positions, self.exchange(torch.cat(parts), given)])

    def energies(self, positions: Tensor, everyone: Tensor) -> Tensor:
        """The energy of each of the first atoms among everyone"""
        with torch.no_grad():
            away = everyone.unsqueeze(0) - positions.unsqueeze(1)
            away[:, :, 1:] -= self.box * torch.round(away[:, :, 1:] / self.box)
            squares = (away * away).sum(2)
            count = positions.size(0)
            squares[:, :count].fill_diagonal_(1e9)
            pairs = (squares < self.cutoff * self.cutoff).nonzero()
        first, second = pairs[:, 0], pairs[:, 1]
        away = everyone[second] - positions[first]
        turns = torch.round(away.detach() / self.box)
        turns[:, 0] = 0.0  # along x, ghosts are the images
        away = away - self.box * turns
        distances = away.square().sum(1).sqrt()
        near = 0.5 + 0.5 * torch.cos(distances * (3.141592653589793 / self.cutoff))
        repulsion = 0.5 * near * distances ** -6.0
        seen = near.unsqueeze(1) * torch.exp(-4.0 * (distances.unsqueeze(1) - self.centres).square())
        around = torch.zeros([count, seen.size(1)], dtype=torch.double).index_add(0, first, seen)
        energies = torch.tanh(around.matmul(self.inner)).matmul(self.outer)
        return energies.index_add(0, first, repulsion)

    def forces(self, atoms: Tensor) -> Tensor:
        """The forces on the rank's atoms, and behind each its energy"""
        with torch.enable_grad():
            positions = atoms[:, 1:4].detach().clone().requires_grad_()
            energies = self.energies(positions, self.with_ghosts(positions))
            gradient = torch.autograd.grad([energies.sum()], [positions])[0]
        assert gradient is not None
        return torch.cat([-gradient, energies.detach().unsqueeze(1)], 1)

    def lattice(self, side: int) -> Tensor:
        """The rank's part of side^3 atoms in rows, with random velocities"""
        index = torch.arange(side * side * side)
        cells = torch.stack([index // (side * side), index // side % side, index % side], 1).to(torch.double)
        generator = torch.Generator()
        generator.manual_seed(7)
        velocities = torch.randn([side * side * side, 3], dtype=torch.double, generator=generator) * 0.4
        velocities = velocities - velocities.mean(0)
        atoms = torch.cat([index.to(torch.double).unsqueeze(1), (cells + 0.5) * (self.box / side), velocities], 1)
        rank, ranks = self.ranks()
        return self.migrate(atoms if rank == 0 else atoms[:0])

    def total(self, atoms: Tensor, forces: Tensor) -> Tensor:
        """The energy of all ranks' atoms: potential and kinetic"""
        own = torch.stack([forces[:, 3].sum(), 0.5 * atoms[:, 4:].square().sum()])
        return torch.ops._c10d_functional.all_reduce(own, "sum", "0")

    def forward(self, side: int = 8, steps: int = 100, every: int = 10, dt: float = 0.005) -> List[List[float]]:
        """The energies of a simulation, `every` so many steps"""
        atoms = self.lattice(side)
        forces = self.forces(atoms)
        found: List[List[float]] = []
        for step in range(steps + 1):
            if step % every == 0:
                energies: List[float] = self.total(atoms, forces).tolist()
                found.append(energies)
            velocities = atoms[:, 4:] + 0.5 * dt * forces[:, :3]
            atoms = torch.cat([atoms[:, :1], atoms[:, 1:4] + dt * velocities, velocities], 1)
            if step % 10 == 9:
                atoms = self.migrate(atoms)
            forces = self.forces(atoms)
            atoms = torch.cat([atoms[:, :4], atoms[:, 4:] + 0.5 * dt * forces[:, :3]], 1)
        return found


torch.manual_seed(0)
model = Potential()


# tsc-run --entry save --args '"potential.pt"' examples/ranks/dynamics.py
def save(path):
    torch.jit.save(torch.jit.script(model), path)


if __name__ == "__main__":
    import torch.distributed as dist
    dist.init_process_group("mpi")
    for step, energies in enumerate(model()):
        if dist.get_rank() == 0:
            print("step %3d potential %.10f kinetic %.10f total %.10f" % (10 * step, energies[0], energies[1],
                                                                          energies[0] + energies[1]))
    dist.destroy_process_group()
