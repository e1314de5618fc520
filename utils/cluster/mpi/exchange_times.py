# How long exchanges take, by their bytes: the least of some rounds of the slowest rank's time for one call, in nanoseconds. Each
# round goes through all of them, so that other work which comes and goes meets none of them always.
# utils/cluster/measure_ranks.py reads the lines that rank 0 prints.
#   mpirun -n 2 tsc-run --args '16777216, 20.0' utils/cluster/mpi/exchange_times.py
import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed import Work
from typing import List


class Case:
    def __init__(self, what: str, bytes: int):
        ranks = dist.get_world_size()
        self.what = what
        self.bytes = bytes
        self.whole = torch.zeros([bytes // 4])
        self.other = torch.zeros([bytes // 4])
        self.part = torch.zeros([bytes // 4 // ranks])
        self.calls = 4
        self.least = 1e18

    def exchange(self, turn: int) -> None:
        me, ranks = dist.get_rank(), dist.get_world_size()
        if self.what == "all_reduce":
            dist.all_reduce(self.whole)
        elif self.what == "all_gather":
            dist.all_gather_into_tensor(self.whole, self.part)
        elif self.what == "reduce_scatter":
            dist.reduce_scatter_tensor(self.part, self.whole)
        elif self.what == "broadcast":
            dist.broadcast(self.whole, turn % ranks)
        elif self.what == "all_to_all":
            dist.all_to_all_single(self.other, self.whole)
        elif self.what == "ping_pong" and me < 2:  # there and back
            for sender in range(2):
                if me == sender:
                    dist.send(self.whole, 1 - me)
                else:
                    dist.recv(self.whole, 1 - me)
        elif self.what == "burst" and me < 2:
            works: List[Work] = []
            for i in range(64):
                works.append(dist.isend(self.whole, 1) if me == 0 else dist.irecv(self.other, 0))
            for work in works:
                work.wait()

    def run(self) -> None:
        dist.barrier()
        begin: int = torch.ops.prim.TimePoint()
        for turn in range(self.calls):
            self.exchange(turn)
        end: int = torch.ops.prim.TimePoint()
        slowest = torch.tensor([end - begin])
        dist.all_reduce(slowest, dist.ReduceOp.MAX)
        self.least = min(self.least, float(slowest) / self.calls)
        self.calls = max(1, min(20, int(3e5 / self.least)))  # a short turn may find the processors free


def main(largest: int = 16777216, seconds: float = 20.0):
    dist.init_process_group("mpi")
    cases: List[Case] = []
    whats = ["all_reduce", "all_gather", "reduce_scatter", "broadcast", "all_to_all"]
    if dist.get_world_size() > 1:
        whats = ["ping_pong", "burst"] + whats
    for what in whats:
        for bytes in [16] if what == "burst" else [16, 1024, 8192, 65536, 1048576, 16777216]:
            if bytes <= largest:
                cases.append(Case(what, bytes))
    begin: int = torch.ops.prim.TimePoint()
    turn = 0
    goes_on = True
    while goes_on:
        for case in cases:
            if case.bytes < 1048576 or turn % 4 == 0:
                case.run()
        turn += 1
        end: int = torch.ops.prim.TimePoint()
        spent = torch.tensor([end - begin])
        dist.broadcast(spent, 0)
        goes_on = float(spent) * 1e-9 < seconds
    if dist.get_rank() == 0:
        for case in cases:
            print("time %s %d %.0f" % (case.what, case.bytes, case.least))
    dist.destroy_process_group()
