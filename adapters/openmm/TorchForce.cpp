//===- TorchForce.cpp - Forces of archives in OpenMM ----------------------===//
//
// The plug-in for OpenMM's platforms without a GPU, Reference and CPU.
//
//===----------------------------------------------------------------------===//
#include "TorchForce.h"
#include <algorithm>
#include <openmm/Kernel.h>
#include <openmm/KernelFactory.h>
#include <openmm/OpenMMException.h>
#include <openmm/Platform.h>
#include <openmm/internal/ContextImpl.h>
#include <openmm/internal/ForceImpl.h>
#include <openmm/reference/ReferencePlatform.h>

using namespace OpenMM;
using namespace OpenMMTsc;

// The name of a kernel says which class its platform makes: another plug-in for archives may be loaded as well.
static const char kernelName[] = "CalcTscTorchForce";

static torch::jit::Module loadArchive(const std::string &file) {
  try {
    return torch::jit::load(file);
  } catch (const std::exception &error) {
    throw OpenMMException("TorchForce: cannot load " + file + ": " + error.what());
  }
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {
/// Computes the force of a context, whose data are a ReferencePlatform's.
class TorchForceKernel : public KernelImpl {
public:
  using KernelImpl::KernelImpl;

  void initialize(const TorchForce &force) {
    module = force.getModule().clone();
    module.eval();
    module = torch::jit::freeze(module);
    isPeriodic = force.usesPeriodicBoundaryConditions();
    givesForces = force.getOutputsForces();
    parameters = force.getGlobalParameters();
    derivatives = force.getEnergyParameterDerivatives();
  }
  /// Returns the energy. Adds the forces, where they are asked for, and the derivatives by parameters to the context's.
  double execute(ContextImpl &context, bool includeForces);

private:
  torch::Tensor parameterOf(ContextImpl &context, const std::string &name) const {
    const bool isDifferentiated = std::find(derivatives.begin(), derivatives.end(), name) != derivatives.end();
    return torch::tensor(context.getParameter(name),
                         torch::TensorOptions(torch::kFloat64).requires_grad(isDifferentiated));
  }

  torch::jit::Module module;
  bool isPeriodic = false, givesForces = false;
  std::vector<TorchForce::Parameter> parameters;
  std::vector<std::string> derivatives;
};
} // namespace

/// Adds a multiple of the forces to the context's.
static void addForces(const torch::Tensor &forces, double factor, std::vector<Vec3> &sums) {
  const torch::Tensor doubles = forces.to(torch::kFloat64).contiguous();
  if (doubles.dim() != 2 || doubles.size(0) != static_cast<int64_t>(sums.size()) || doubles.size(1) != 3)
    throw OpenMMException("TorchForce: the archive gives forces of another shape than {particles, 3}");
  const double *numbers = doubles.const_data_ptr<double>();
  for (Vec3 &sum : sums)
    for (int axis = 0; axis != 3; ++axis)
      sum[axis] += factor * *numbers++;
}

double TorchForceKernel::execute(ContextImpl &context, bool includeForces) {
  auto &data = *static_cast<ReferencePlatform::PlatformData *>(context.getPlatformData());
  const bool isDifferentiated = (includeForces && !givesForces) || !derivatives.empty();
  const torch::TensorOptions doubles(torch::kFloat64);
  torch::Tensor positions = torch::from_blob(data.positions->data(), {static_cast<int64_t>(data.positions->size()), 3},
                                             doubles.requires_grad(includeForces && !givesForces));
  std::vector<torch::IValue> inputs{positions};
  if (isPeriodic)
    inputs.push_back(torch::from_blob(data.periodicBoxVectors, {3, 3}, doubles));
  const size_t first = inputs.size();
  for (const TorchForce::Parameter &parameter : parameters)
    inputs.push_back(parameterOf(context, parameter.name));
  torch::AutoGradMode mode(isDifferentiated);
  const torch::IValue output = module.forward(inputs);
  const torch::Tensor energy = givesForces ? output.toTupleRef().elements().at(0).toTensor() : output.toTensor();
  if (isDifferentiated)
    energy.backward();
  if (includeForces)
    addForces(givesForces ? output.toTupleRef().elements().at(1).toTensor() : positions.grad(),
              givesForces ? 1.0 : -1.0, *data.forces);
  for (size_t i = 0; i != parameters.size(); ++i) {
    const std::string &name = parameters[i].name;
    if (std::find(derivatives.begin(), derivatives.end(), name) != derivatives.end())
      (*data.energyParameterDerivatives)[name] += inputs[first + i].toTensor().grad().item<double>();
  }
  return energy.item<double>();
}

namespace {
/// Makes kernels for a ReferencePlatform, or the CPU platform, which is one.
class TorchForceKernelFactory : public KernelFactory {
public:
  KernelImpl *createKernelImpl(std::string name, const Platform &platform, ContextImpl &) const override {
    return new TorchForceKernel(std::move(name), platform);
  }
};

/// The force of one context.
class TorchForceImpl : public ForceImpl {
public:
  explicit TorchForceImpl(const TorchForce &owner) : owner(owner) {}
  using ForceImpl::updateContextState;
  void initialize(ContextImpl &context) override {
    kernel = context.getPlatform().createKernel(kernelName, context);
    rethrown([&] { return kernel.getAs<TorchForceKernel>().initialize(owner), 0.0; });
  }
  const Force &getOwner() const override { return owner; }
  void updateContextState(ContextImpl &, bool &) override {}
  double calcForcesAndEnergy(ContextImpl &context, bool includeForces, bool, int groups) override {
    if ((groups & (1 << owner.getForceGroup())) == 0)
      return 0;
    return rethrown([&] { return kernel.getAs<TorchForceKernel>().execute(context, includeForces); });
  }
  std::map<std::string, double> getDefaultParameters() override {
    std::map<std::string, double> defaults;
    for (const TorchForce::Parameter &parameter : owner.getGlobalParameters())
      defaults[parameter.name] = parameter.value;
    return defaults;
  }
  std::vector<std::string> getKernelNames() override { return {kernelName}; }

private:
  /// Calls a function, and throws its exceptions as OpenMM's.
  template <typename F> static double rethrown(F function) {
    try {
      return function();
    } catch (const OpenMMException &) {
      throw;
    } catch (const std::exception &error) {
      throw OpenMMException(std::string("TorchForce: ") + error.what());
    }
  }

  const TorchForce &owner;
  Kernel kernel;
};
} // namespace

//===----------------------------------------------------------------------===//
// The force
//===----------------------------------------------------------------------===//

TorchForce::TorchForce(const std::string &file) : file(file), module(loadArchive(file)) {}
TorchForce::TorchForce(torch::jit::Module module) : module(std::move(module)) {}

int TorchForce::addGlobalParameter(const std::string &name, double value) {
  parameters.push_back({name, value});
  return static_cast<int>(parameters.size()) - 1;
}
void TorchForce::addEnergyParameterDerivative(const std::string &name) {
  for (const Parameter &parameter : parameters)
    if (parameter.name == name) {
      derivatives.push_back(name);
      return;
    }
  throw OpenMMException("TorchForce: there is no global parameter '" + name + "' to differentiate by");
}
ForceImpl *TorchForce::createImpl() const { return new TorchForceImpl(*this); }

//===----------------------------------------------------------------------===//
// What OpenMM calls when it loads the plug-in
//===----------------------------------------------------------------------===//

extern "C" OPENMM_EXPORT void registerPlatforms() {}
extern "C" OPENMM_EXPORT void registerKernelFactories() {
  for (int i = 0; i != Platform::getNumPlatforms(); ++i)
    if (auto *platform = dynamic_cast<ReferencePlatform *>(&Platform::getPlatform(i)))
      platform->registerKernelFactory(kernelName, new TorchForceKernelFactory);
  registerSerialization();
}
