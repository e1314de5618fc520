"""Forces of TorchScript archives in OpenMM, by tsc.

    import openmm, openmm_tsc
    openmm_tsc.load("build/libOpenMMTsc.so")
    system.addForce(openmm_tsc.torch_force("model.pt", parameters={"k": 2.0}, derivatives=["k"]))
"""
import pathlib
from xml.etree import ElementTree

import openmm


def load(plugin):
    """Loads the plug-in, after the platforms that it is to work with."""
    openmm.Platform.loadPluginLibrary(str(plugin))


def torch_force(archive, parameters=None, derivatives=(), periodic=False, outputs_forces=False, group=0):
    """Returns a force whose energy is what the archive computes.

    `archive` is a file's name or an archive's bytes. forward() takes the positions in nm, then the box vectors where the
    force is periodic, then `parameters`, whose default values are given by their names. The energy's derivatives by those
    that `derivatives` names are computed, too. With `outputs_forces`, forward() gives a tuple of energy and forces.
    """
    data = archive if isinstance(archive, bytes) else pathlib.Path(archive).read_bytes()
    force = ElementTree.Element("Force", type="TorchForce", version="4", file="", encodedFileContents=data.hex(), forceGroup=str(group),
                                usesPeriodic=str(int(periodic)), outputsForces=str(int(outputs_forces)))
    names = ElementTree.SubElement(force, "GlobalParameters")
    for name, value in (parameters or {}).items():
        ElementTree.SubElement(names, "Parameter", name=name, default=repr(float(value)))
    wanted = ElementTree.SubElement(force, "ParameterDerivatives")
    for name in derivatives:
        ElementTree.SubElement(wanted, "Parameter", name=name)
    return openmm.XmlSerializer.deserialize(ElementTree.tostring(force, encoding="unicode", xml_declaration=True))
