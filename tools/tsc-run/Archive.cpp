//===- Archive.cpp - Files that torch.save and torch.jit.save wrote -------===//
#include "Program.h"

using namespace tsc;
using namespace tsc::run;

Status Program::loadArchive() { return unimplemented("archives cannot be read yet"); }
StatusOr<IValue> Program::readInputs() { return unimplemented("--inputs cannot be read yet"); }
Status run::saveResult(const std::string &, const IValue &) { return unimplemented("--output cannot be written yet"); }
