//===- Function.cpp - Functions and compilation units ---------------------===//
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include <mutex>
using namespace tsc;

Function::Function(std::string qualifiedName) : qualified(std::move(qualifiedName)) {}
Function::~Function() = default;
void Function::setGraph(std::unique_ptr<Graph> g) { body = std::move(g); }

/// Bodies are compiled one at a time: one may ask for others, in a frontend that threads must not share, and a thread
/// that makes plans asks while another one calls.
static std::recursive_mutex &definitionLock() {
  static std::recursive_mutex lock;
  return lock;
}

llvm::LogicalResult Function::ensureDefined() {
  std::lock_guard lock(definitionLock());
  if (body || defining)
    return llvm::success();
  if (failed || !creator)
    return llvm::failure();
  defining = true;
  Creator create = std::exchange(creator, nullptr);
  failed = llvm::failed(create(*this));
  defining = false;
  return llvm::success(!failed);
}

CompilationUnit::~CompilationUnit() = default;

Function *CompilationUnit::create(StringRef qualifiedName) {
  auto [it, isNew] = table.try_emplace(qualifiedName, std::make_unique<Function>(qualifiedName.str()));
  assert(isNew && "function exists");
  (void)isNew;
  order.push_back(it->second.get());
  return it->second.get();
}

Function *CompilationUnit::find(StringRef qualifiedName) const {
  auto it = table.find(qualifiedName);
  return it == table.end() ? nullptr : it->second.get();
}
