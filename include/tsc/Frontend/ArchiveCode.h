//===- ArchiveCode.h - What loaders ask of archives' code -------*- C++ -*-===//
#ifndef TSC_FRONTEND_ARCHIVECODE_H
#define TSC_FRONTEND_ARCHIVECODE_H

#include "tsc/Frontend/Compiler.h"

namespace tsc {

class Graph;

/// Whether `torch.X` or `ops.N.X` names something that exists, even if an archive may not call it. Called after
/// Compiler::setArchive().
bool knowsArchiveFunction(Compiler &compiler, llvm::StringRef dottedName);

/// Sets a pass that runs on every body of the archive's code when it has been compiled, before anybody sees it. Called
/// after each Compiler::setArchive().
void setArchiveBodyPass(Compiler &compiler, std::function<void(Graph &)> pass);

} // namespace tsc

#endif
