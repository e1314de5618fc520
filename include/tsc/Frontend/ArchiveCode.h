//===- ArchiveCode.h - What loaders ask of archives' code -------*- C++ -*-===//
#ifndef TSC_FRONTEND_ARCHIVECODE_H
#define TSC_FRONTEND_ARCHIVECODE_H

#include "tsc/Frontend/Compiler.h"

namespace tsc {

class Graph;

/// Whether `torch.X` or `ops.N.X` names something that there is, may an archive call it or not. After
/// Compiler::setArchive.
bool knowsArchiveFunction(Compiler &compiler, llvm::StringRef dottedName);

/// What is done to every body of the archive's code when it has been compiled, before anybody sees it. After each
/// Compiler::setArchive.
void setArchiveBodyPass(Compiler &compiler, std::function<void(Graph &)> pass);

} // namespace tsc

#endif
