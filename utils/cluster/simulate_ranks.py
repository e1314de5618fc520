#!/usr/bin/env python3
"""Simulates exchanges between ranks, rank by rank and message by message, and says what they cost with more ranks than are at hand.

    utils/cluster/simulate_ranks.py [--latency 2e-6] [--bandwidth 12.5e9] [--overhead 4e-7] [--ranks 16,128,1000] [PART...]

Parts: `formulas` compares the simulation with the closed formulas of textbook algorithms, `exchanges` gives the times of
torch.distributed's exchanges by bytes, `training` what the reduction of gradients costs beside backward(), and `dynamics` what the
exchange of ghosts costs a step of examples/ranks/dynamics.py. A thousand ranks that send something to each other are a million
messages, which takes a minute. utils/cluster/measure_ranks.py finds the parameters of a machine, and compares with what was
measured.

The model is LogGP (Alexandrov et al. 1995): a message takes its sender's processor `overhead` seconds, then both ranks' links
`byte` seconds for each byte, arrives `latency` seconds later, and takes its receiver's processor `overhead` seconds. The formulas
are those of Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in MPICH" (2005), where
alpha = latency + 2 overhead, beta = byte, gamma = add. Simulated are also the algorithms of lib/Collectives/Ranks, whose messages
are described in its Messages.h: a first one with a header, and the rest, which begins when the receiver has asked for it.
"""
import argparse
import dataclasses
import heapq
import math
import sys

HEADER, FIRST = 40, 4096  # the bytes of Messages.h
SMALL, FEW = 16384, 12  # so many bytes, and so many ranks, divide the algorithms of sums (Algorithms.cpp)
AT_ONCE = 64  # messages of an exchange that are received at once (RankEngine.cpp)
BUCKET = 2 << 20  # of DistributedDataParallel


@dataclasses.dataclass
class Machine:
    """What things cost, in seconds.

    `cores` are shared by all ranks; None gives each rank its own. Where ranks are more than cores, a rank that had to wait needs
    `switch` more until it goes on, as another one had its core. With `is_shared`, ranks are processes of one machine: there are
    no links, and the receiver's processor moves the bytes that are no part of a first message."""
    latency: float = 2e-6
    overhead: float = 4e-7
    byte: float = 1 / 12.5e9
    add: float = 1 / 8e9  # for each byte that is added to another
    copy: float = 1 / 10e9  # for each byte of a first message, at each end, and of a rank's own part
    call: float = 0.0  # for each exchange, whatever its messages
    switch: float = 0.0
    nap: float = 0.0  # how long a rank that waits sleeps before it looks again; 0 where it looks all the time
    cores: int = None
    is_shared: bool = False


class Message:
    """Bytes under way. `ready` is when they are there, or, with `is_shared`, when the receiver can begin to move them."""
    __slots__ = "sender", "receiver", "bytes", "asked", "posted", "ready", "waiting"

    def __init__(self):
        self.asked = self.posted = self.ready = None
        self.waiting = ()


class Simulation:
    """Runs one generator for each rank, which yields seconds of its processor's work, or a message that it waits for.

    Ranks run ahead of each other up to where they wait, so that the heap has messages alone. Where cores are shared, also
    every piece of work is an event, and pieces get cores in the order in which they become ready."""

    def __init__(self, machine, ranks, program):
        self.machine = machine
        self.clock = [0.0] * ranks
        self.sent = [0] * ranks  # messages
        self.bytes = [0.0] * ranks
        self._out, self._into = [0.0] * ranks, [0.0] * ranks  # when each link is free
        self._events, self._number = [], 0
        self._unmatched = {}
        self._free = machine.cores
        self._is_crowded = machine.cores is not None and ranks > machine.cores
        self._queue = []
        self._programs = [program(Rank(self, rank, ranks)) for rank in range(ranks)]
        self._is_done = [False] * ranks

    def run(self):
        """Returns when the last rank is done."""
        for rank in range(len(self.clock)):
            self._resume(rank)
        while self._events:
            time, _, action, subject = heapq.heappop(self._events)
            action(time, subject)
        if not all(self._is_done):
            raise RuntimeError(f"rank {self._is_done.index(False)} waits for a message that nobody sends")
        return max(self.clock)

    def message(self, key):
        """Returns the message of a key, for the first that asks and for the second, who are its sender and its receiver."""
        found = self._unmatched.pop(key, None)
        if found is None:
            found = self._unmatched[key] = Message()
        return found

    def send(self, rank, to, size, key, must_ask):
        message = self.message(key)
        message.sender, message.receiver, message.bytes = rank, to, size
        self.sent[rank] += 1
        self.bytes[rank] += size
        if not must_ask:
            self._transmit(self.clock[rank], message)
        else:  # the receiver has to say that it has room
            message.asked = self.clock[rank] + self.machine.latency
            if message.posted is not None:
                self._answer(message)
        return message

    def receive(self, rank, key):
        message = self.message(key)
        message.posted = self.clock[rank]
        if message.asked is not None:
            self._answer(message)
        return message

    def _push(self, time, action, subject):
        self._number += 1
        heapq.heappush(self._events, (time, self._number, action, subject))

    def _answer(self, message):
        time = max(message.asked, message.posted)
        if self.machine.is_shared:
            self._push(time, self._arrive, message)
        else:
            self._push(time + self.machine.latency, self._transmit, message)

    def _transmit(self, time, message):
        if self.machine.is_shared:
            self._push(time + self.machine.latency, self._arrive, message)
            return
        start = max(time, self._out[message.sender])
        self._out[message.sender] = start + message.bytes * self.machine.byte
        self._push(start + self.machine.latency, self._come, message)

    def _come(self, time, message):
        end = max(time, self._into[message.receiver]) + message.bytes * self.machine.byte
        self._into[message.receiver] = end
        self._arrive(end, message)

    def _arrive(self, time, message):
        message.ready = time
        for rank in message.waiting:
            wait = max(0.0, time - self.clock[rank])
            self.clock[rank] += math.ceil(wait / self.machine.nap) * self.machine.nap if self.machine.nap else wait
            if self._is_crowded:
                self._push(self.clock[rank], self._want_core, (rank, self.machine.switch))
            else:
                self._resume(rank)

    def _want_core(self, time, wanted):
        if self._free == 0:
            self._queue.append(wanted)
            return
        self._free -= 1
        rank, seconds = wanted
        self._push(time + seconds, self._leave_core, rank)

    def _leave_core(self, time, rank):
        self._free += 1
        self.clock[rank] = time
        if self._queue:
            self._want_core(time, self._queue.pop(0))
        self._resume(rank)

    def _resume(self, rank):
        for step in self._programs[rank]:
            if isinstance(step, Message):
                if step.ready is None:
                    step.waiting += (rank,)
                    return
                self.clock[rank] = max(self.clock[rank], step.ready)
            elif self._is_crowded:
                self._push(self.clock[rank], self._want_core, (rank, step))
                return
            else:
                self.clock[rank] += step
        self._is_done[rank] = True


class Rank:
    """A rank of a simulation, as algorithms see it."""

    def __init__(self, simulation, me, ranks):
        self.simulation, self.machine, self.me, self.ranks = simulation, simulation.machine, me, ranks
        self.call = 0  # how many exchanges it made

    def _key(self, sender, receiver, step, is_rest):
        return (((self.call * 64 + step) * 2 + is_rest) * self.ranks + sender) * self.ranks + receiver

    def plain(self, step, to, sent, source, received):
        """Sends a message and receives one at the same time, as the formulas have it; None for neither."""
        if to is not None:
            yield self.machine.overhead
            self.simulation.send(self.me, to, sent, self._key(self.me, to, step, False), False)
        if source is not None:
            yield self.simulation.receive(self.me, self._key(source, self.me, step, False))
            yield self.machine.overhead

    def exchange(self, step, sends, receives):
        """What GroupLink::exchange of RankEngine.cpp does: pairs of a rank and a number of bytes are sent all at once, and taken
        in their order. Of the messages that are received at once, only the first ones of a long row wait for each other."""
        machine, simulation, me = self.machine, self.simulation, self.me
        firsts = [simulation.receive(me, self._key(source, me, step, False)) for source, _ in receives]
        rests = []
        for to, size in sends:
            first = min(size, FIRST - HEADER)
            yield machine.overhead + first * machine.copy
            simulation.send(me, to, HEADER + first, self._key(me, to, step, False), False)
            if first != size:
                yield machine.overhead
                rests.append(simulation.send(me, to, size - first, self._key(me, to, step, True), True))
        asked = []
        for number, (message, (source, size)) in enumerate(zip(firsts, receives)):
            yield message
            first = min(size, FIRST - HEADER)
            yield machine.overhead + first * machine.copy
            asked.append(simulation.receive(me, self._key(source, me, step, True)) if first != size else None)
            if number + 1 >= AT_ONCE:
                yield from self._take(asked[number + 1 - AT_ONCE])
        for rest in asked[max(0, len(asked) + 1 - AT_ONCE):]:
            yield from self._take(rest)
        if not machine.is_shared:  # who sends waits until it may write to the bytes again
            yield from (rest for rest in rests)

    def _take(self, rest):
        if rest is not None:
            yield rest
            yield self.machine.overhead + (rest.bytes * self.machine.byte if self.machine.is_shared else 0)

    def others(self):
        return [(self.me + i) % self.ranks for i in range(1, self.ranks)]


# ---- Textbook algorithms: a generator that a rank runs, and a formula of machine, ranks and bytes


def ring_all_reduce(rank, size):
    """Every rank hands parts on to the next: first sums, then results."""
    ranks, part = rank.ranks, size / rank.ranks
    for step in range(2 * (ranks - 1)):
        rank.call += 1
        yield from rank.plain(0, (rank.me + 1) % ranks, part, (rank.me - 1) % ranks, part)
        if step < ranks - 1:
            yield part * rank.machine.add


def recursive_doubling(rank, size):
    for step in range(rank.ranks.bit_length() - 1):
        other = rank.me ^ 1 << step
        yield from rank.plain(step, other, size, other, size)
        yield size * rank.machine.add


def rabenseifner(rank, size):
    """Halves what is summed while the distance doubles, which keeps the order of Algorithms.h, and goes back the same way."""
    steps = rank.ranks.bit_length() - 1
    for step in range(steps):
        other, part = rank.me ^ 1 << step, size / (2 << step)
        yield from rank.plain(step, other, part, other, part)
        yield part * rank.machine.add
    for step in reversed(range(steps)):
        other, part = rank.me ^ 1 << step, size / (2 << step)
        yield from rank.plain(2 * steps - step, other, part, other, part)


def binomial_broadcast(rank, size):
    distance = 1
    while distance < rank.ranks and not rank.me & distance:
        distance *= 2
    if rank.me != 0:
        yield from rank.plain(0, None, 0, rank.me - distance, size)
    while distance > 1:
        distance //= 2
        if rank.me + distance < rank.ranks:
            yield from rank.plain(0, rank.me + distance, size, None, 0)


def ring_all_gather(rank, size):
    part = size / rank.ranks
    for _ in range(rank.ranks - 1):
        rank.call += 1
        yield from rank.plain(0, (rank.me + 1) % rank.ranks, part, (rank.me - 1) % rank.ranks, part)


def pairwise_all_to_all(rank, size):
    part = size / rank.ranks
    for step in range(1, rank.ranks):
        rank.call += 1
        yield from rank.plain(0, (rank.me + step) % rank.ranks, part, (rank.me - step) % rank.ranks, part)


def alpha(machine):
    return machine.latency + 2 * machine.overhead


def rounds(ranks):
    return (ranks - 1).bit_length()


FORMULAS = {  # name: (program, formula, whether it is for powers of two of ranks alone)
    "ring all_reduce": (ring_all_reduce, lambda m, p, n: (p - 1) * (2 * alpha(m) + n / p * (2 * m.byte + m.add)), False),
    "recursive doubling": (recursive_doubling, lambda m, p, n: rounds(p) * (alpha(m) + n * (m.byte + m.add)), True),
    "Rabenseifner": (rabenseifner, lambda m, p, n: 2 * rounds(p) * alpha(m) + (p - 1) / p * n * (2 * m.byte + m.add), True),
    "binomial broadcast": (binomial_broadcast, lambda m, p, n: rounds(p) * (alpha(m) + n * m.byte), False),
    "ring all_gather": (ring_all_gather, lambda m, p, n: (p - 1) * (alpha(m) + n / p * m.byte), False),
    "pairwise all_to_all": (pairwise_all_to_all, lambda m, p, n: (p - 1) * (alpha(m) + n / p * m.byte), False)}


# ---- The exchanges of lib/Collectives/Ranks/Algorithms.cpp. A size is of the tensor with the elements of all ranks


def to_all(rank, step, part):
    pieces = [(other, part) for other in rank.others()]
    yield from rank.exchange(step, pieces, pieces)


def combine_part(rank, part):
    yield from to_all(rank, 0, part)
    yield (rank.ranks - 1) * part * rank.machine.add


def along_tree(rank, size):
    for step in range(rounds(rank.ranks)):
        distance = 1 << step
        if rank.me & distance:
            yield from rank.exchange(step, [(rank.me - distance, size)], [])
            break
        if rank.me + distance < rank.ranks:
            yield from rank.exchange(step, [], [(rank.me + distance, size)])
            yield size * rank.machine.add
    yield from send_down(rank, 0, size, 40)


def all_reduce(rank, size, turn=0):
    if size <= SMALL and rank.ranks & rank.ranks - 1 == 0:
        for step in range(rank.ranks.bit_length() - 1):
            piece = [(rank.me ^ 1 << step, size)]
            yield from rank.exchange(step, piece, piece)
            yield size * rank.machine.add
    elif size <= SMALL and rank.ranks > FEW:
        yield from along_tree(rank, size)
    else:
        yield from combine_part(rank, size / rank.ranks)
        yield from to_all(rank, 1, size / rank.ranks)


def reduce_scatter(rank, size, turn=0):
    yield from combine_part(rank, size / rank.ranks)
    yield 2 * size / rank.ranks * rank.machine.copy


def all_gather(rank, size, turn=0):
    yield size / rank.ranks * rank.machine.copy
    yield from to_all(rank, 0, size / rank.ranks)


all_to_all = all_gather


def broadcast(rank, size, turn=0):
    yield from send_down(rank, turn % rank.ranks, size, 0)


def send_down(rank, root, size, step):
    place, distance = (rank.me - root) % rank.ranks, 1
    while distance < rank.ranks and not place & distance:
        distance *= 2
    if place != 0:
        yield from rank.exchange(step, [], [((place - distance + root) % rank.ranks, size)])
    sends = []
    while distance > 1:
        distance //= 2
        if place + distance < rank.ranks:
            sends.append(((place + distance + root) % rank.ranks, size))
    yield from rank.exchange(step, sends, [])


def ghosts(rank, size, turn=0):
    """An all_to_all of `size` bytes for each neighbour, and none for others."""
    near = {(rank.me + 1) % rank.ranks, (rank.me - 1) % rank.ranks} - {rank.me}
    pieces = [(other, size if other in near else 0) for other in rank.others()]
    yield from rank.exchange(0, pieces, pieces)


def ping_pong(rank, size, turn=0):
    """There and back, which is two calls."""
    if rank.me < 2:
        piece = [(1 - rank.me, size)]
        for step in range(2):
            yield from rank.exchange(step, *((piece, []) if rank.me == step else ([], piece)))
            if step == 0:
                yield rank.machine.call


def burst(rank, size, turn=0):
    if rank.me < 2:
        for _ in range(64):
            yield from rank.exchange(0, *(([(1, size)], []) if rank.me == 0 else ([], [(0, size)])))
            yield rank.machine.call
            rank.call += 1


EXCHANGES = {"all_reduce": all_reduce, "all_gather": all_gather, "reduce_scatter": reduce_scatter, "broadcast": broadcast,
             "all_to_all": all_to_all, "ghosts": ghosts, "ping_pong": ping_pong, "burst": burst}


def time_of(machine, ranks, exchange, size, calls=1):
    """Returns the time of one of some calls, one after the other, as utils/cluster/mpi/exchange_times.py measures them."""
    def program(rank):
        for turn in range(calls):
            yield machine.call
            if ranks > 1:
                yield from EXCHANGES[exchange](rank, size, turn)
            rank.call += 1

    return Simulation(machine, ranks, program).run() / calls


def simulate_formula(machine, ranks, name, size):
    program = FORMULAS[name][0]
    simulation = Simulation(machine, ranks, lambda rank: program(rank, size))
    return simulation.run(), simulation


# ---- What a program pays


def training_step(gradients, backward, bucket, during, after):
    """Returns the time from the beginning of backward() to the end of reduce(). Buckets become complete at equal distances and are
    reduced one after the other: one takes `during` seconds if backward() goes on when it begins, else `after`."""
    count, end = max(1, math.ceil(gradients / bucket)), 0.0
    for number in range(1, count + 1):
        begin = max(end, backward * number / count)
        end = begin + (during if begin < backward else after)
    return end


def dynamics_step(machine, ranks, ghost_rows):
    """Returns what a step of dynamics.py exchanges, in seconds: the numbers of ghosts, their coordinates, and the forces on them;
    every ten steps atoms that move, and energies."""
    counts = time_of(machine, ranks, "all_to_all", 8 * ranks)
    rows = time_of(machine, ranks, "ghosts", 24 * ghost_rows)
    moved = time_of(machine, ranks, "ghosts", 56 * ghost_rows / 50)
    energies = time_of(machine, ranks, "all_reduce", 16)
    return counts + 2 * rows + (counts + moved + energies) / 10


def text(seconds):
    for unit, name in (1, "s"), (1e-3, "ms"):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds * 1e6:.3g} us"


def print_formulas(machine, counts):
    print("| algorithm | ranks | bytes | formula | simulation |\n|---|---|---|---|---|")
    for name, (_, formula, is_for_powers) in FORMULAS.items():
        for ranks in counts:
            if ranks > 300 and "ring" in name or "pairwise" in name and ranks > 300 or is_for_powers and ranks & ranks - 1:
                continue
            for size in 8, 65536, 16 << 20:
                simulated = simulate_formula(machine, ranks, name, size)[0]
                print(f"| {name} | {ranks} | {size} | {text(formula(machine, ranks, size))} | {text(simulated)} |")


def print_exchanges(machine, counts):
    print("| exchange | bytes |" + "".join(f" {ranks} ranks |" for ranks in counts) + "\n|---|---|" + "---|" * len(counts))
    for exchange, sizes in ("all_reduce", (8, 2 << 20, 16 << 20)), ("broadcast", (8, 2 << 20)), ("all_to_all", (8000,)):
        for size in sizes:
            row = [text(time_of(machine, ranks, exchange, size)) for ranks in counts]
            print(f"| {exchange} | {size} | " + " | ".join(row) + " |", flush=True)


def print_training(machine, counts, options):
    print("| bucket | ranks | one bucket beside backward() | afterwards | all buckets afterwards | backward() and reduction |\n"
          "|---|---|---|---|---|---|")
    for bucket in options.bucket:
        for ranks in counts:
            count = math.ceil(options.gradients / bucket)
            after = time_of(machine, ranks, "all_reduce", options.gradients / count)
            napping = dataclasses.replace(machine, nap=options.nap)
            during = time_of(napping, ranks, "all_reduce", options.gradients / count)
            step = training_step(options.gradients, options.backward, bucket, during, after)
            print(f"| {bucket} | {ranks} | {text(during)} | {text(after)} | {text(count * after)} | "
                  f"{text(step)} ({100 * step / options.backward - 100:+.0f} %) |", flush=True)


def print_dynamics(machine, counts, rows):
    print("| ranks | exchanges of a step | with two neighbours alone |\n|---|---|---|")
    few = text(dynamics_step(machine, 3, rows))
    for ranks in counts:
        print(f"| {ranks} | {text(dynamics_step(machine, ranks, rows))} | {few} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    machine = Machine()
    for name in "latency", "overhead", "add", "copy", "call":
        parser.add_argument(f"--{name}", type=float, default=getattr(machine, name), help="seconds")
    parser.add_argument("--bandwidth", type=float, default=1 / machine.byte, help="bytes a second of a rank's link")
    parser.add_argument("--ranks", default="16,128,1000")
    parser.add_argument("--gradients", type=float, default=100e6, help="bytes of gradients in `training`")
    parser.add_argument("--backward", type=float, default=0.2, help="seconds of backward() in `training`")
    parser.add_argument("--bucket", type=int, action="append", help=f"bytes of a bucket in `training`; default: {BUCKET}")
    parser.add_argument("--nap", type=float, default=2.5e-4,
                        help="seconds that the library's thread sleeps between two looks while the program computes")
    parser.add_argument("--ghosts", type=int, default=1000, help="ghosts that a rank gets from each neighbour in `dynamics`")
    parser.add_argument("parts", nargs="*", help="formulas, exchanges, training, dynamics; default: all")
    options = parser.parse_args()
    options.bucket = options.bucket or [BUCKET]
    machine = Machine(options.latency, options.overhead, 1 / options.bandwidth, options.add, options.copy, options.call)
    counts = [int(count) for count in options.ranks.split(",")]
    parts = {"formulas": lambda: print_formulas(machine, counts), "exchanges": lambda: print_exchanges(machine, counts),
             "training": lambda: print_training(machine, counts, options),
             "dynamics": lambda: print_dynamics(machine, counts, options.ghosts)}
    for part in options.parts or parts:
        if part not in parts:
            parser.error(f"there is no part '{part}', but {', '.join(parts)}")
        print(f"\n{part}:\n")
        parts[part]()


if __name__ == "__main__":
    sys.exit(main())
