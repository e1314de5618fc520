#!/usr/bin/env python3
"""Runs the tests of serving, batch work and ranks: the backend of NVIDIA's Triton against the server, tsc.ray on a local cluster,
torch.distributed with the MPI libraries that are installed.

    utils/check_cluster.py [--build build/development] [triton] [ray] [mpi] [TEST...]
    utils/check_cluster.py --throughput

The server comes with the Python package nvidia-pytriton (`--server FOLDER` names one that has bin/tritonserver); the clients with
tritonclient[all], Ray with ray[data,serve]. Tests of what is not installed are skipped, with a sentence that says so. All that is
started listens on loopback alone, and ends with this program. Of MPI the launchers mpirun.openmpi and mpirun.mpich are used, as
Debian has them. `TEST` is a class of utils/cluster/triton_tests.py, ray_tests.py or mpi_tests.py, or one of its tests, as in Sequences.test_vad. With --throughput, requests per second and latencies are measured, beside the
server's own Python backend with torch.jit where that Python has torch.

Exits with 1 where a test fails.
"""
import argparse
import importlib
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "utils/cluster"))


def import_tsc(folder):
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module("tsc")
    except ImportError:
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/development", help="the build that is tested")
    parser.add_argument("--backends", type=pathlib.Path, help="the folder with tsc/libtriton_tsc.so, if it is not the build's")
    parser.add_argument("--tsc", type=pathlib.Path, help="the folder with the Python package, if it is not the build's")
    parser.add_argument("--server", help="the folder with bin/tritonserver")
    parser.add_argument("--requests", type=int, default=100000, help="of the test of endurance")
    parser.add_argument("--batches", type=int, default=10000, help="of the test of many batches with Ray")
    parser.add_argument("--throughput", action="store_true", help="measure instead of testing")
    parser.add_argument("names", nargs="*", help="triton, ray, mpi, or names of tests; default: all")
    settings = parser.parse_args()
    settings.backends = (settings.backends or settings.build / "lib/tsc/triton/backends").resolve()
    settings.run = (settings.build / "bin/tsc-run").resolve()
    settings.translate = (settings.build / "bin/tsc-translate").resolve()
    settings.realworld = ROOT.parent / "shared/realworld"
    settings.package = (settings.tsc or settings.build / "python").resolve()
    settings.tsc = import_tsc(settings.package)
    if settings.throughput:
        import throughput

        return throughput.measure(settings)
    tests = unittest.TestSuite()
    parts = "triton", "ray", "mpi"
    for part in parts:
        if part not in settings.names and settings.names and set(settings.names) <= set(parts):
            continue
        try:
            module = importlib.import_module(f"{part}_tests")
        except ImportError as error:
            print(f"skipped: the tests of {part}: {error}")
            continue
        getattr(module, f"{part.capitalize()}Test").settings = settings
        names = [name for name in settings.names if hasattr(module, name.split(".")[0])]
        if names:
            tests.addTests(unittest.defaultTestLoader.loadTestsFromNames(names, module))
        elif part in settings.names or not settings.names:
            tests.addTests(unittest.defaultTestLoader.loadTestsFromModule(module))
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    for test, reason in result.skipped:
        print(f"skipped: {test}: {reason}")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
