"""The recorded cases of ../shared: folders with model.pt and io.pt, perhaps in a tar file."""
import json
import pathlib
import tarfile

SHARED = pathlib.Path(__file__).resolve().parent.parent.parent / "shared"


def default_places():
    return [*sorted((SHARED / "corpus/run").glob("*.tar.gz")), SHARED / "realworld"]


def find_cases(where, scratch, limit=0):
    """The folders under each place; tar files are unpacked into `scratch`. With a limit, about so many, evenly spread."""
    cases = []
    for place in map(pathlib.Path, where):
        if place.is_file():
            target = pathlib.Path(scratch) / place.name.split(".")[0]
            with tarfile.open(place) as archive:
                archive.extractall(target)
            place = target
        cases += sorted(io.parent for io in place.rglob("io.pt") if (io.parent / "model.pt").exists())
    return cases[:: max(1, len(cases) // limit)] if limit else cases


def call_options(case):
    """How tsc-run must be told to call the case."""
    file = case / "meta.json"
    meta = json.loads(file.read_text()) if file.exists() else {}
    entry = ["--entry", meta["method"]] if isinstance(meta.get("method"), str) else []
    seed = meta.get("io", {}).get("rng_seed_before_first_call")
    return [*entry, *(["--seed", str(seed)] if seed is not None else []), "--inputs", str(case / "io.pt"), str(case / "model.pt")]
