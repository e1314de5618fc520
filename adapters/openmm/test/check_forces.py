"""Compares energies, forces and derivatives by parameters with what formulas give: check_forces.py PLUGIN ARCHIVES

ARCHIVES is the folder of the archives of this folder's programs. The exit status is 0 where all agree.
"""
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import openmm
import openmm_tsc

PLUGIN, ARCHIVES = sys.argv[1], pathlib.Path(sys.argv[2])
PLATFORMS = ("Reference", "CPU")
random.seed(3)
POSITIONS = [[random.uniform(-1, 1) for _ in range(3)] for _ in range(12)]
BOX = (2.0, 3.0, 4.0)
K, R0 = 2.5, 0.25
problems = []


def norm(p):
    return math.sqrt(sum(x * x for x in p))


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def context(name, platform, **options):
    system = openmm.System()
    for _ in POSITIONS:
        system.addParticle(1.0)
    system.setDefaultPeriodicBoxVectors(*(openmm.Vec3(*(length * (i == j) for j in range(3))) for i, length in enumerate(BOX)))
    system.addForce(openmm_tsc.torch_force(ARCHIVES / f"{name}.pt", **options))
    system = openmm.XmlSerializer.deserialize(openmm.XmlSerializer.serialize(system))  # as a user who saves it
    made = openmm.Context(system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName(platform))
    made.setPositions(POSITIONS)
    return made


def check(what, made, energy, force, derivatives=None):
    state = made.getState(energy=True, forces=True, parameterDerivatives=True)
    forces = state.getForces().value_in_unit_system(openmm.unit.md_unit_system)
    right = close(state.getPotentialEnergy().value_in_unit(openmm.unit.kilojoule_per_mole), energy)
    right = right and all(close(a, b) for p, f in zip(POSITIONS, forces) for a, b in zip(force(p), f))
    found = dict(state.getEnergyParameterDerivatives())
    right = right and found.keys() == (derivatives or {}).keys() and all(close(found[name], value) for name, value in (derivatives or {}).items())
    print(f"{what}: {'as expected' if right else 'differs'}", flush=True)
    if not right:
        problems.append(what)


def refused(what, text, make):
    try:
        make()
    except openmm.OpenMMException as error:
        if text in str(error):
            print(f"{what}: as expected")
            return
        print(f"{what}: {error}")
    else:
        print(f"{what}: nothing was refused")
    problems.append(what)


def check_platform(platform):
    radii = [norm(p) for p in POSITIONS]
    check(f"central, {platform}", context("central", platform), sum(map(math.exp, radii)), lambda p: [-x / norm(p) * math.exp(norm(p)) for x in p])
    check(f"forces, {platform}", context("forces", platform, outputs_forces=True), sum(r * r for r in radii) / 2, lambda p: [-x for x in p])
    wrapped = [[x - math.floor(x / length) * length for x, length in zip(p, BOX)] for p in POSITIONS]
    inside = {tuple(p): q for p, q in zip(POSITIONS, wrapped)}
    check(f"periodic, {platform}", context("periodic", platform, periodic=True), sum(norm(q)**2 for q in wrapped),
          lambda p: [-2 * x for x in inside[tuple(p)]])
    bent = context("parameters", platform, parameters={"k": K, "r0": R0}, derivatives=["r0", "k"])
    for r0 in (R0, 0.5):  # the default value, and one of the context
        bent.setParameter("r0", r0)
        stretch = sum((r - r0)**2 for r in radii)
        check(f"parameters, r0 = {r0}, {platform}", bent, K * stretch, lambda p: [-2 * K * (norm(p) - r0) * x / norm(p) for x in p],
              {"k": stretch, "r0": -2 * K * sum(r - r0 for r in radii)})
    refused(f"a missing parameter, {platform}", "forward() is missing value for argument 'r0'",
            lambda: context("parameters", platform, parameters={"k": K}).getState(energy=True))


openmm_tsc.load(PLUGIN)
for name in PLATFORMS:
    check_platform(name)
refused("a derivative by nothing", "there is no global parameter 'j'", lambda: context("central", "Reference", derivatives=["j"]))
refused("no archive", "cannot load the archive", lambda: openmm_tsc.torch_force(b"nothing"))
print(f"{len(problems)} differ" if problems else "all as expected")
sys.exit(bool(problems))
