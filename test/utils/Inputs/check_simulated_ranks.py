"""Compares utils/cluster/simulate_ranks.py with closed formulas, with sums done by hand, and with the sources that it imitates."""
import dataclasses
import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(SOURCE / "utils/cluster"))
sys.dont_write_bytecode = True
import simulate_ranks as model
from simulate_ranks import Machine

count = 0


def check(is_true, *what):
    global count
    count += 1
    if not is_true:
        print("wrong:", *what)
        sys.exit(1)


def same(a, b, *what):
    check(abs(a - b) <= 1e-9 * max(abs(a), abs(b)), *what, a, b)


SIZES = 0, 8, 1000, 65536, 16 << 20


def check_formulas():
    """The simulation is the formula for powers of two, and not above it for other numbers"""
    for machine in Machine(), Machine(latency=1e-5, overhead=1e-6, byte=1e-9, add=3e-10), Machine(latency=0.0, overhead=1e-6):
        for name, (_, formula, is_for_powers) in model.FORMULAS.items():
            for size in SIZES:
                for ranks in 1, 2, 4, 8, 32:
                    same(model.simulate_formula(machine, ranks, name, size)[0], formula(machine, ranks, size), name, ranks, size)
                for ranks in () if is_for_powers else (3, 5, 6, 7, 23):
                    simulated, most = model.simulate_formula(machine, ranks, name, size)[0], formula(machine, ranks, size)
                    check(simulated <= most * (1 + 1e-9), name, ranks, size)
                    if "ring" in name or "pairwise" in name:
                        same(simulated, most, name, ranks, size)


def check_messages():
    """What each rank sends"""
    size = 1 << 20
    for name, messages in ("ring all_reduce", lambda p: 2 * (p - 1)), ("Rabenseifner", lambda p: 2 * (p.bit_length() - 1)):
        for ranks in 2, 8, 16:
            simulation = model.simulate_formula(Machine(), ranks, name, size)[1]
            check(simulation.sent == [messages(ranks)] * ranks, name, ranks, simulation.sent)
            for sent in simulation.bytes:
                same(sent, 2 * size * (ranks - 1) / ranks, name, ranks)
    # The numbers that the test of lib/Collectives finds.
    for ranks, size, most in (16, 8, 4), (13, 8, 4), (5, 8, 8), (4, 32000, 12):
        simulation = model.Simulation(Machine(), ranks, lambda rank: model.all_reduce(rank, size))
        simulation.run()
        check(max(simulation.sent) == most, "all_reduce", ranks, size, simulation.sent)
    for ranks, size, messages in (6, 4056 * 6, 10), (6, 4060 * 6, 20):
        simulation = model.Simulation(Machine(), ranks, lambda rank: model.all_reduce(rank, size))
        simulation.run()
        check(simulation.sent == [messages] * ranks, "all_reduce", ranks, size, simulation.sent)


def check_by_hand():
    """Exchanges of lib/Collectives, on a machine without costs of bytes"""
    machine = Machine(latency=5e-6, overhead=1e-6, byte=0.0, add=0.0, copy=0.0, call=0.0)
    for exchange in "all_reduce", "all_gather", "reduce_scatter", "broadcast", "all_to_all", "ghosts":
        same(model.time_of(machine, 1, exchange, 1 << 20), 0.0, exchange)
    for ranks in 2, 3, 17:
        # All are sent at once, and the last one is waited for first.
        same(model.time_of(machine, ranks, "all_to_all", 8), 2 * (ranks - 1) * 1e-6 + 5e-6, ranks)
        same(model.time_of(machine, ranks, "ghosts", 8), 2 * (ranks - 1) * 1e-6 + 5e-6, ranks)
    for ranks, rounds in (2, 1), (4, 2), (64, 6):
        same(model.time_of(machine, ranks, "all_reduce", 8), rounds * 7e-6, ranks)
        same(model.time_of(machine, ranks, "broadcast", 8), rounds * 7e-6, ranks)
    # There and back, also with a rest, which begins when who receives it has answered that it is there.
    same(model.time_of(machine, 2, "ping_pong", 8), 2 * 7e-6)
    same(model.time_of(machine, 2, "ping_pong", 5000), 2 * (7e-6 + 1e-6 + 2 * 5e-6))
    same(model.time_of(dataclasses.replace(machine, call=1e-5), 4, "all_gather", 8, 3), 1e-5 + 6e-6 + 5e-6)
    # Bytes of one machine are moved by the receiver.
    shared = dataclasses.replace(machine, byte=1e-9, is_shared=True, cores=2)
    same(model.time_of(shared, 2, "ping_pong", 4056 + 1000), 2 * (7e-6 + 1e-6 + 1e-6))


def check_links():
    machine = Machine(latency=1e-6, overhead=0.0, byte=1e-9)

    def to_one(rank):
        for other in range(1, rank.ranks):
            if rank.me == 0:
                yield from rank.plain(other, None, 0, other, 1000)
            elif rank.me == other:
                yield from rank.plain(other, 0, 1000, None, 0)

    same(model.Simulation(machine, 9, to_one).run(), 1e-6 + 8 * 1e-6)  # one after the other through the link of rank 0

    def from_one(rank):
        for other in range(1, rank.ranks):
            if rank.me == 0:
                yield from rank.plain(other, other, 1000, None, 0)
            elif rank.me == other:
                yield from rank.plain(other, None, 0, 0, 1000)

    same(model.Simulation(machine, 9, from_one).run(), 1e-6 + 8 * 1e-6)

    def with_answer(rank):
        if rank.me == 0:
            yield rank.simulation.send(0, 1, 1000, 7, True)
        else:
            yield rank.simulation.receive(1, 7)

    same(model.Simulation(machine, 2, with_answer).run(), 3 * 1e-6 + 1e-6)  # a question, an answer, and the bytes


def check_limits():
    machine = Machine()
    for exchange in "all_reduce", "all_gather", "reduce_scatter", "broadcast", "all_to_all":
        for ranks in 2, 4, 16:
            times = [model.time_of(machine, ranks, exchange, size) for size in (0, 64, 4096, 16384, 1 << 20, 16 << 20)]
            check(times == sorted(times), exchange, ranks, times)
            for name in "latency", "overhead", "byte":
                slower = dataclasses.replace(machine, **{name: 2 * getattr(machine, name)})
                check(model.time_of(slower, ranks, exchange, 1 << 20) > times[4], exchange, ranks, name)
        free = dataclasses.replace(machine, copy=0.0)  # the more ranks, the less a rank copies of its own
        times = [model.time_of(free, ranks, exchange, 1 << 20) for ranks in (1, 2, 4, 8, 32)]
        check(times == sorted(times), exchange, times)
    for ranks in 2, 8, 31:  # no algorithm sends less, or knows sooner
        least = 2 * (ranks - 1) / ranks * (16 << 20) * machine.byte
        check(least <= model.time_of(machine, ranks, "all_reduce", 16 << 20) <= 4 * least, ranks)


def check_cores():
    """Ranks that share cores take at least as long as their work together, and as long as alone where there are enough"""
    machine = Machine(is_shared=True)
    for size in 64, 1 << 20:
        own = model.time_of(machine, 4, "all_reduce", size)
        same(model.time_of(dataclasses.replace(machine, cores=4), 4, "all_reduce", size), own)
        two = model.time_of(dataclasses.replace(machine, cores=2), 4, "all_reduce", size)
        one = model.time_of(dataclasses.replace(machine, cores=1), 4, "all_reduce", size)
        check(own < two < one, size, own, two, one)
    work = 4 * (2 * 3 / 4 * machine.byte + 3 / 4 * machine.add) * ((1 << 20) - 4 * 4056)
    check(work <= one <= 1.2 * work, one, work)
    check(model.time_of(dataclasses.replace(machine, cores=1, switch=1e-3), 2, "ping_pong", 8) > 2e-3)


def check_programs():
    same(model.training_step(10, 2.0, 1, 0.0, 0.0), 2.0)
    same(model.training_step(10, 10.0, 1, 0.7, 0.5), 10.5)  # ten buckets: all but the last are hidden
    same(model.training_step(10, 1.0, 1, 0.7, 0.5), 0.1 + 2 * 0.7 + 8 * 0.5)  # two begin beside backward()
    # Who naps sees a message at the end of a nap.
    napping = Machine(latency=5e-6, overhead=1e-6, byte=0.0, add=0.0, copy=0.0, nap=1e-3)
    same(model.time_of(napping, 2, "all_gather", 8), 1e-6 + 1e-3 + 1e-6)
    steps = [model.dynamics_step(Machine(), ranks, ghosts) for ranks, ghosts in ((3, 100), (64, 100), (64, 1e5))]
    check(steps == sorted(steps), steps)

    def alone(rank):
        if rank.me == 1:
            yield from rank.exchange(0, [], [(0, 8)])

    try:
        model.Simulation(Machine(), 2, alone).run()
        check(False, "a message that nobody sends")
    except RuntimeError as error:
        check(str(error) == "rank 1 waits for a message that nobody sends", error)


def check_sources():
    def number(path, pattern):
        return eval(re.search(pattern, (SOURCE / path).read_text())[1], {})

    ranks = "lib/Collectives/Ranks/"
    check(number(ranks + "Messages.h", r"firstBytes = (\d+);") == model.FIRST, "firstBytes")
    check(number(ranks + "Algorithms.cpp", r"smallBytes = (\d+);") == model.SMALL, "smallBytes")
    check(number(ranks + "Algorithms.cpp", r"fewRanks = (\d+);") == model.FEW, "fewRanks")
    check(number(ranks + "RankEngine.cpp", r"atOnce = (\d+);") == model.AT_ONCE, "atOnce")
    check(number("lib/Frontend/Prelude/nn_parallel.py", r"bucket_cap_mb: float = ([\d.]+)") * 2**20 == model.BUCKET, "BUCKET")


for part in check_formulas, check_messages, check_by_hand, check_links, check_limits, check_cores, check_programs, check_sources:
    part()
print(count, "comparisons agree")
