//===- TorchForce.h - Forces of archives in OpenMM --------------*- C++ -*-===//
//
//   auto *force = new OpenMMTsc::TorchForce("model.pt");
//   force->addGlobalParameter("k", 2.0);
//   system.addForce(force);
//
// The archive's forward() takes the positions in nm, a tensor of doubles of shape
// {particles, 3}; then, for a periodic force, the box vectors, {3, 3}; then the global
// parameters, tensors of one double each. It gives the energy in kJ/mol, or a tuple of
// the energy and the forces.
//
//===----------------------------------------------------------------------===//
#ifndef OPENMM_TSC_TORCHFORCE_H
#define OPENMM_TSC_TORCHFORCE_H
#include <map>
#include <openmm/Force.h>
#include <string>
#include <torch/script.h>
#include <vector>

namespace OpenMMTsc {

/// A force whose energy is what an archive of torch.jit.save computes. The forces are the negative gradient of the
/// energy by the positions, unless the archive gives forces itself. What is wrong is an OpenMM::OpenMMException.
class TorchForce : public OpenMM::Force {
public:
  /// A global parameter of the context, and its value in contexts that set none.
  struct Parameter {
    std::string name;
    double value;
  };

  /// Loads the archive in a file.
  explicit TorchForce(const std::string &file);
  /// Takes a module that was loaded. Contexts compute with copies of it.
  explicit TorchForce(torch::jit::Module module);

  /// The name of the archive's file; empty where a module was given.
  const std::string &getFile() const { return file; }
  const torch::jit::Module &getModule() const { return module; }

  bool usesPeriodicBoundaryConditions() const override { return isPeriodic; }
  /// Says whether forward() takes the box vectors. The default is that it does not.
  void setUsesPeriodicBoundaryConditions(bool periodic) { isPeriodic = periodic; }
  bool getOutputsForces() const { return givesForces; }
  /// Says whether forward() gives the forces, beside the energy. The default is that it does not.
  void setOutputsForces(bool outputs) { givesForces = outputs; }

  /// Adds an argument of forward(), and returns its index.
  int addGlobalParameter(const std::string &name, double value);
  const std::vector<Parameter> &getGlobalParameters() const { return parameters; }
  /// Asks for the derivative of the energy by a parameter that was added.
  void addEnergyParameterDerivative(const std::string &name);
  const std::vector<std::string> &getEnergyParameterDerivatives() const { return derivatives; }

  /// Properties, which are kept with the force and change nothing here.
  std::map<std::string, std::string> properties;

protected:
  OpenMM::ForceImpl *createImpl() const override;

private:
  std::string file;
  torch::jit::Module module;
  bool isPeriodic = false, givesForces = false;
  std::vector<Parameter> parameters;
  std::vector<std::string> derivatives;
};

/// Registers how forces are written as XML and read from it, under the name "TorchForce". Loading the plug-in calls it.
void registerSerialization();

} // namespace OpenMMTsc

#endif
