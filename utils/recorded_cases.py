"""The recorded cases of ../shared: folders with model.pt and io.pt, perhaps in a tar file; finding and running them."""
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import tarfile
import tempfile

SHARED = pathlib.Path(__file__).resolve().parent.parent.parent / "shared"


def default_places():
    return [*sorted((SHARED / "corpus/run").glob("*.tar.gz")), SHARED / "realworld"]


def add_arguments(parser):
    """What every script that runs cases can be told."""
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("where", nargs="*", type=pathlib.Path)
    parser.add_argument("--limit", type=int, default=0, help="about so many cases, evenly spread")
    parser.add_argument("--jobs", type=int, default=2)


def find_cases(where, scratch, limit=0, is_wanted=lambda name: True):
    """The folders under each place. With a limit, about so many, evenly spread over those whose `category/case` is wanted. Those
    that are chosen from a tar file are unpacked into `scratch`, and no others, since there are thousands."""
    cases = []  # each with the tar file that it is in, or None
    for place in map(pathlib.Path, where):
        archive = place if place.is_file() else None
        if archive:
            with tarfile.open(archive) as listed:
                files = [pathlib.Path(scratch, category_of(archive), name) for name in listed.getnames()]
        else:
            files = place.rglob("*.pt")
        folders = collections.Counter(file.parent for file in files if file.name in ("io.pt", "model.pt"))
        cases += [(case, archive) for case in sorted(folders) if folders[case] == 2 and is_wanted(name_of(case))]
    chosen = cases[:: max(1, len(cases) // limit)] if limit else cases
    for archive in dict.fromkeys(archive for _, archive in chosen if archive):
        unpack(archive, {case for case, where in chosen if where == archive}, pathlib.Path(scratch, category_of(archive)))
    return [case for case, _ in chosen]


def category_of(archive):
    return archive.name.split(".")[0]


def unpack(archive, cases, target):
    """Unpacks what is in the folders `cases` of a tar file; its names are those of files below `target`."""
    with tarfile.open(archive) as opened:
        for member in opened:
            if not cases.isdisjoint((target / member.name).parents):
                opened.extract(member, target)


def for_each_case(options, function):
    """(case, function(case, scratch folder)) of the cases that `options` ask for, some at a time; in order."""
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        cases = find_cases(options.where or default_places(), scratch, options.limit)
        yield from zip(cases, pool.map(lambda case: function(case, pathlib.Path(scratch)), cases))


def name_of(case):
    return f"{case.parent.name}/{case.name}"


def meta_of(case):
    file = case / "meta.json"
    return json.loads(file.read_text()) if file.exists() else {}


def run_case(tool, case, *options, timeout=60, model=None, inputs=None, stdout=subprocess.DEVNULL):
    """Runs the case as it was recorded, perhaps with another archive or other inputs; None when it takes too long."""
    meta = meta_of(case)
    entry = ["--entry", meta["method"]] if isinstance(meta.get("method"), str) else []
    seed = meta.get("io", {}).get("rng_seed_before_first_call")
    command = [tool, *entry, *(["--seed", str(seed)] if seed is not None else []), "--inputs", inputs or case / "io.pt", *options,
               model or case / "model.pt"]
    try:
        return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        return None


def outcome(tool, case, *options, timeout=60):
    """`passed`, or what went wrong: the results must be those that were recorded, or the error must have its words."""
    run = run_case(tool, case, "--check", *options, timeout=timeout)
    if run is None:
        return "time out"
    error = next((line for line in run.stderr.splitlines() if "error" in line), "")
    raises = meta_of(case).get("raises")
    if raises is None:
        return "passed" if run.returncode == 0 else f"exit {run.returncode}: {error}"
    words = (raises.get("message") or "").strip().splitlines()[-1:]
    said = not words or words[0].split(": ", 1)[-1].strip()[:60] in run.stderr
    return "passed" if run.returncode == 1 and said else f"exit {run.returncode}, not the recorded error: {error}"
