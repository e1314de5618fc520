//===- PythonModules.h - Classes of Python's modules ------------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_SCRIPT_PYTHONMODULES_H
#define TSC_BINDINGS_PYTHON_SCRIPT_PYTHONMODULES_H

#include "../Python.h"
#include "tsc/Frontend/HostModules.h"

namespace tsc::bindings {

class ScriptUnit;

/// A class of torch.nn.Module's that live modules have. An object of Python's answers for it (class ModuleClass of
/// tsc/jit/_modules.py).
///
/// Threads: asked by the thread that compiles, which has not the GIL.
class PythonModuleClass final : public HostModuleClass {
public:
  PythonModuleClass(ScriptUnit &unit, nb::object answers, std::string name, bool isLibrary)
      : HostModuleClass(std::move(name), isLibrary), unit(unit), answers(std::move(answers)) {}

  std::optional<HostMethod> findMethod(llvm::StringRef name, const HostModuleClass *after) override;
  bool derivesFrom(llvm::StringRef library) override;
  bool derivesFromUsers(llvm::StringRef name) override;
  std::vector<std::string> attributeNames() override;

private:
  ScriptUnit &unit;
  nb::object answers;
};

} // namespace tsc::bindings

#endif
