//===- ModuleDump.cpp - A module as PyTorch's Module::dump prints it ------===//
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;

/// Each line behind so many spaces.
static void printIndented(llvm::raw_ostream &os, llvm::StringRef text, unsigned indent) {
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    os.indent(indent) << line << '\n';
    rest = next;
  }
}

static void printAttribute(llvm::raw_ostream &os, llvm::StringRef name, const IValue &value, bool withValue) {
  std::string text;
  llvm::raw_string_ostream line(text);
  line << name << " = ";
  if (withValue)
    printValue(line, value);
  else
    line << "...";
  printIndented(os, text, 4);
}

static void printMethod(llvm::raw_ostream &os, Function &method, bool withBody) {
  os << "    method " << method.name() << " {\n";
  if (withBody && succeeded(method.ensureDefined()) && method.graph()) {
    printIndented(os, method.graph()->str(), 6);
    os << "  \n";
  }
  os << "    }\n";
}

void Module::dump(llvm::raw_ostream &os, DumpOptions options,
                  llvm::SmallPtrSetImpl<const ObjectValue *> &printed) const {
  constexpr unsigned maxPrinted = 100'000;
  os << "module " << self->type->name() << " {\n  parameters {\n";
  for (const ModuleAttribute &named : namedParameters(/*recurse=*/false))
    printAttribute(os, named.path, named.value, options.parameters);
  os << "  }\n  attributes {\n";
  for (const ModuleAttribute &named : namedAttributes(/*recurse=*/false))
    printAttribute(os, named.path, named.value, !named.value.isTensor() || options.attributes);
  os << "  }\n  methods {\n";
  for (Function *method : self->type->methods())
    printMethod(os, *method, options.methods);
  os << "  }\n  submodules {\n";
  for (const NamedModule &named : namedChildren()) {
    const ObjectValue *inner = named.module.object().get();
    if (printed.size() == maxPrinted || !printed.insert(inner).second) {
      os << "    module " << inner->type->name() << " { ... }\n"; // above, where it may hold this one
      continue;
    }
    std::string text;
    llvm::raw_string_ostream stream(text);
    named.module.dump(stream, options, printed);
    printIndented(os, text, 4);
  }
  os << "  }\n}\n";
}

void Module::dump(llvm::raw_ostream &os, DumpOptions options) const {
  llvm::SmallPtrSet<const ObjectValue *, 16> printed{self.get()};
  dump(os, options, printed);
}
