#!/usr/bin/env python3
"""Check that freezing and folding leave the numbers of archives as they are.

usage: check_frozen.py BUILD_DIR [DIR_OR_TAR...] [--level N] [--tolerance X] [--jobs N] [--limit N]

Every case (without places: of the run corpus and the published archives) runs twice, at -O<level> (default 2) with and without --freeze. A case
passes when each tensor of the frozen run is within the tolerance (default 1e-6) of the unfrozen one, relative to the
largest element of that tensor, and everything else is equal. Cases that fail unfrozen are left out and counted. Needs a
Python with torch to read results; prints one JSON line, and what was frozen in all.
"""
import argparse
import json
import sys

import torch

from recorded_cases import add_arguments, for_each_case, name_of, run_case


def difference(a, b):
    """The largest difference of two results relative to the size of the tensor it is in; infinite when they differ otherwise."""
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        if a.shape != b.shape or a.dtype != b.dtype:
            return float("inf")
        if a.is_sparse or a.is_quantized or not a.numel():
            return 0.0
        wide = torch.complex128 if a.is_complex() else torch.float64
        a, b = a.detach().to(wide), b.detach().to(wide)
        same = (a == b) | (a.isnan() & b.isnan())
        if same.all():
            return 0.0
        scale = a[a.isfinite()].abs().max() if a.isfinite().any() else torch.tensor(0.0)
        return float(((a - b).abs()[~same] / scale).nan_to_num(nan=float("inf")).max()) if scale else float("inf")
    if isinstance(a, dict) and isinstance(b, dict):
        return max([difference(a[key], b[key]) for key in a], default=0.0) if a.keys() == b.keys() else float("inf")
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return max(map(difference, a, b), default=0.0) if len(a) == len(b) else float("inf")
    if isinstance(a, (float, complex)) and isinstance(b, (float, complex)):
        parts = [torch.view_as_real(torch.tensor(complex(x), dtype=torch.complex128)) for x in (a, b)]
        return difference(*parts)
    return 0.0 if a == b else float("inf")


def check(tool, case, level, scratch):
    """Outcome, difference and remarks of one case."""
    plain, frozen = (scratch / f"{case.parent.name}-{case.name}.{kind}" for kind in ("plain", "frozen"))
    before = run_case(tool, case, f"-O{level}", "--output", plain, timeout=120)
    if before is None or before.returncode != 0 or not plain.exists():
        return "not run", 0.0, ""
    after = run_case(tool, case, f"-O{level}", "--freeze", "--verbose", "--output", frozen, timeout=120)
    if after is None or after.returncode != 0:
        return "fails frozen", 0.0, after.stderr if after else "timeout"
    try:
        return "run", difference(torch.load(plain), torch.load(frozen)), after.stderr
    finally:
        plain.unlink()
        frozen.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--level", type=int, default=2)
    parser.add_argument("--tolerance", type=float, default=1e-6)
    options = parser.parse_args()
    torch.set_num_threads(1)
    tool = options.build / "bin/tsc-run"
    counts = {"passed": 0, "differ": 0, "fails frozen": 0, "not run": 0}
    largest, frozen, kept = 0.0, 0, 0
    for case, (outcome, found, said) in for_each_case(options, lambda case, scratch: check(tool, case, options.level, scratch)):
        if outcome == "run":
            outcome = "passed" if found <= options.tolerance else "differ"
            largest = max(largest, found)
        counts[outcome] += 1
        frozen += sum(line.startswith("froze ") for line in said.splitlines())
        kept += sum(line.startswith("kept ") for line in said.splitlines())
        if outcome in ("differ", "fails frozen"):
            reason = f"{found:.2g}" if outcome == "differ" else said.strip().splitlines()[-1:]
            print(f"{name_of(case)}: {outcome} {reason}", file=sys.stderr)
    print(json.dumps({**counts, "largest_relative_difference": largest, "attributes_frozen": frozen, "attributes_kept": kept}))
    sys.exit(bool(counts["differ"] or counts["fails frozen"]))


main()
