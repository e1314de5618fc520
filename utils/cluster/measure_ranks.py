#!/usr/bin/env python3
"""Measures exchanges between ranks of this machine, fits the model of simulate_ranks.py to those of two ranks, and compares what it
then says of more ranks with what was measured.

    utils/cluster/measure_ranks.py [--build build/development] [--mpi openmpi] [--ranks 4] [--seconds 60] [--times FILE]

The cost of a call is that of one rank alone. Latency, overhead, the costs of bytes, and what it costs that ranks are more than
cores are fitted to two ranks, on two cores and on one. Nothing of the ranks that are predicted is used. Of each time the least is
kept, since other work only adds to it; `--times` keeps the least also from one call of this program to the next. Run by hand."""
import argparse
import dataclasses
import json
import math
import os
import pathlib
import shutil
import subprocess

import simulate_ranks
from simulate_ranks import Machine, text

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = pathlib.Path(__file__).resolve().parent / "mpi/exchange_times.py"
CALLS = 4  # simulated for each time, so that every rank is a broadcast's root


def measure(options, ranks, cores):
    """Returns {"exchange bytes": seconds} for so many ranks on the last `cores` cores."""
    launcher = shutil.which(f"mpirun.{options.mpi}") or "mpirun"
    oversubscribe = ["--oversubscribe", "--bind-to", "none"] if options.mpi == "openmpi" else ["-bind-to", "none"]
    command = ["taskset", "-c", f"{os.cpu_count() - cores}-{os.cpu_count() - 1}", launcher, "-n", str(ranks), *oversubscribe,
               str(options.build.resolve() / "bin/tsc-run"), "--args", f"{options.largest}, {options.seconds:.1f}", str(PROGRAM)]
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout
    lines = [line.split() for line in out.splitlines() if line.startswith("time ")]
    return {f"{what} {size}": float(nanoseconds) * 1e-9 for _, what, size, nanoseconds in lines}


def simulated(machine, ranks, key):
    what, size = key.split()
    return simulate_ranks.time_of(machine, ranks, what, int(size), CALLS)


def errors_of(machine, ranks, times):
    """The factors by which the model is wrong, as logarithms"""
    return [math.log(simulated(machine, ranks, key) / seconds) for key, seconds in times.items()]


def loss_of(machine, times):
    """What fit() makes small: times that are longer than the model says count less, as other work may have made them so."""
    errors = errors_of(machine, 2, times["2"]) + errors_of(dataclasses.replace(machine, cores=1), 2, times["2 on one core"])
    return sum(4 * error if error > 0 else -error for error in errors)


def middle_error(machine, ranks, times):
    errors = sorted(abs(error) for error in errors_of(machine, ranks, times))
    return f"half of the errors are below {100 * math.exp(errors[len(errors) // 2]) - 100:.0f} %"


def fit(machine, times, names):
    """Changes one parameter after the other by a factor, as long as that makes the error smaller, then by a smaller factor."""
    best, factor = loss_of(machine, times), 4.0
    while factor > 1.02:
        is_better = False
        for name in names:
            for by in factor, 1 / factor:
                other = dataclasses.replace(machine, **{name: getattr(machine, name) * by})
                loss = loss_of(other, times)
                if loss < best - 1e-6:
                    machine, best, is_better = other, loss, True
        if not is_better:
            factor = math.sqrt(factor)
    return machine


def configurations(options):
    """Returns (name, ranks, cores) of what is fitted, and then of what is predicted."""
    fitted = [("1", 1, 1), ("2", 2, 2), ("2 on one core", 2, 1)]
    predicted = []
    for count in options.ranks.split(","):
        predicted += [(f"{count} on one core", int(count), 1), (count, int(count), 2)]
    return fitted, predicted


def merged(options):
    """Measures what the options ask for, and returns the least of it and of what the file of times has."""
    known = json.loads(options.times.read_text()) if options.times and options.times.exists() else {}
    for name, ranks, cores in sum(configurations(options), []):
        if options.seconds > 0 and (not options.only or name in options.only):
            found, before = measure(options, ranks, cores), known.get(f"{options.mpi} {name}", {})
            known[f"{options.mpi} {name}"] = {key: min(seconds, before.get(key, seconds)) for key, seconds in found.items()}
            if options.times:
                options.times.write_text(json.dumps(known, indent=1))
    return {name.removeprefix(f"{options.mpi} "): times for name, times in known.items() if name.startswith(options.mpi)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/development")
    parser.add_argument("--mpi", default="openmpi", help="openmpi or mpich")
    parser.add_argument("--ranks", default="4", help="the numbers of ranks that are predicted, on one core and on two")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each measurement; with 0, --times is read alone")
    parser.add_argument("--only", action="append", help="measure this and stop: 1, 2, \"2 on one core\", 4, …")
    parser.add_argument("--largest", type=int, default=16 << 20, help="bytes")
    parser.add_argument("--times", type=pathlib.Path, help="a file that keeps what was measured")
    options = parser.parse_args()
    times = merged(options)
    if options.only:
        return

    alone = [seconds for key, seconds in times["1"].items() if key.endswith(" 16")]
    machine = Machine(5e-7, 3e-7, 1e-10, 1e-10, 1e-10, sum(alone) / len(alone), 1e-5, cores=2, is_shared=True)
    machine = fit(machine, times, ["overhead", "latency", "byte", "add", "copy", "switch"])
    rates = [f"{1e-9 / rate:.1f} GB/s" for rate in (machine.byte, machine.copy, machine.add)]
    print(f"call {text(machine.call)}, overhead {text(machine.overhead)}, latency {text(machine.latency)}, switch "
          f"{text(machine.switch)}, moved {rates[0]}, copied {rates[1]}, added {rates[2]}")
    print(f"two ranks, fitted: {middle_error(machine, 2, times['2'])}")
    print(f"two ranks on one core, fitted: {middle_error(dataclasses.replace(machine, cores=1), 2, times['2 on one core'])}")
    for name, ranks, cores in configurations(options)[1]:
        if name in times:
            print_prediction(dataclasses.replace(machine, cores=cores), name, ranks, times)


def print_prediction(machine, name, ranks, times):
    two = "2 on one core" if machine.cores == 1 else "2"
    print(f"{name}, predicted: {middle_error(machine, ranks, times[name])}\n")
    print(f"| exchange | bytes | {two}: measured | model | {name}: measured | model | error |\n|---|---|---|---|---|---|---|")
    for key, seconds in times[name].items():
        if key in times[two]:
            predicted, of_two = simulated(machine, ranks, key), simulated(machine, 2, key)
            print(f"| {key.replace(' ', ' | ')} | {text(times[two][key])} | {text(of_two)} | {text(seconds)} | {text(predicted)} | "
                  f"{100 * predicted / seconds - 100:+.0f} % |")
    print()


if __name__ == "__main__":
    main()
