//===- Function.cpp - Functions and compilation units ---------------------===//
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
using namespace tsc;

Function::Function(std::string qualifiedName, CompilationUnit &unit)
    : qualified(std::move(qualifiedName)), unit(unit) {}
Function::~Function() = default;
const FunctionSchema &Function::noSchema() {
  static const FunctionSchema none;
  return none;
}
void Function::setSchema(FunctionSchema s) {
  const FunctionSchema *made = schemas.emplace_back(std::make_unique<const FunctionSchema>(std::move(s))).get();
  signature.store(made, std::memory_order_release);
}
void Function::setGraph(std::unique_ptr<Graph> g) {
  if (body)
    replacedBodies.push_back(std::move(body));
  body = std::move(g);
  isWhole.store(body && !defining, std::memory_order_release);
}

llvm::LogicalResult Function::define() {
  std::lock_guard lock(unit.definitionLock);
  if (body || defining)
    return llvm::success();
  if (failed || !creator)
    return llvm::failure();
  defining = true;
  Creator create = std::exchange(creator, nullptr);
  auto undone = llvm::make_scope_exit([&] { // where memory runs out: as if nobody had asked
    body.reset();
    creator = std::move(create);
    defining = false;
  });
  failed = llvm::failed(create(*this));
  if (!failed && body && unit.admission && llvm::failed(unit.admission(*this))) {
    body.reset();
    failed = true;
  }
  undone.release();
  defining = false;
  isWhole.store(body && !failed, std::memory_order_release);
  return llvm::success(!failed);
}

CompilationUnit::~CompilationUnit() = default;

Function *CompilationUnit::create(StringRef qualifiedName) {
  std::lock_guard lock(tableLock);
  order.push_back(nullptr);
  auto undone = llvm::make_scope_exit([&] { // where memory runs out, also for the table that has the entry
    order.pop_back();
    table.erase(qualifiedName);
  });
  auto [it, isNew] = table.try_emplace(qualifiedName, std::make_unique<Function>(qualifiedName.str(), *this));
  undone.release();
  assert(isNew && "function exists");
  (void)isNew;
  return order.back() = it->second.get();
}

void CompilationUnit::unsafeRemove(Function &function) {
  std::lock_guard lock(tableLock);
  auto it = table.find(function.qualifiedName());
  assert(it != table.end() && it->second.get() == &function && "a function of this unit");
  removed.push_back(std::move(it->second));
  table.erase(it);
  llvm::erase(order, &function);
}

Function *CompilationUnit::find(StringRef qualifiedName) const {
  std::lock_guard lock(tableLock);
  auto it = table.find(qualifiedName);
  return it == table.end() ? nullptr : it->second.get();
}
