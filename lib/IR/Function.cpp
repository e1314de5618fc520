//===- Function.cpp - Functions and compilation units ---------------------===//
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
using namespace tsc;

Function::Function(std::string qualifiedName, CompilationUnit &unit)
    : qualified(std::move(qualifiedName)), unit(unit) {}
Function::~Function() = default;
void Function::setGraph(std::unique_ptr<Graph> g) { body = std::move(g); }

llvm::LogicalResult Function::ensureDefined() {
  std::lock_guard lock(unit.definitionLock);
  if (body || defining)
    return llvm::success();
  if (failed || !creator)
    return llvm::failure();
  defining = true;
  Creator create = std::exchange(creator, nullptr);
  failed = llvm::failed(create(*this));
  if (!failed && body && unit.admission && llvm::failed(unit.admission(*this))) {
    body.reset();
    failed = true;
  }
  defining = false;
  return llvm::success(!failed);
}

CompilationUnit::~CompilationUnit() = default;

Function *CompilationUnit::create(StringRef qualifiedName) {
  auto [it, isNew] = table.try_emplace(qualifiedName, std::make_unique<Function>(qualifiedName.str(), *this));
  assert(isNew && "function exists");
  (void)isNew;
  order.push_back(it->second.get());
  return it->second.get();
}

Function *CompilationUnit::find(StringRef qualifiedName) const {
  auto it = table.find(qualifiedName);
  return it == table.end() ? nullptr : it->second.get();
}
