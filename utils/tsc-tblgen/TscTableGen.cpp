//===- TscTableGen.cpp - From operator records to tables ------------------===//
//
// tsc-tblgen -gen-op-kinds -I include include/tsc/IR/Ops/All.td -o OpKinds.inc
//
//===----------------------------------------------------------------------===//
#include "OpModel.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/TableGen/Main.h"

using namespace llvm;
using namespace tsc::tblgen;

namespace {
enum class Action {
  None,
  Kinds,
  Traits,
  Records,
  Decompositions,
  Derivatives,
  PackedDecompositions,
  PackedDerivatives,
  Facts,
  Views,
  Kernels,
  KernelTable,
  CudaKernels,
  PointwiseKinds,
  PointwiseBodies,
  PointwiseBodyFacts,
  PointwiseFunctions,
  PointwiseTable,
  ShapeColumns,
  TorchMethods,
  TorchFunctions,
  TorchNames,
  Docs,
  DerivativeDocs
};
}

static cl::opt<Action> action(
    cl::desc("What to generate:"),
    cl::values(
        clEnumValN(Action::Kinds, "gen-op-kinds", "enumerators of OpKind"),
        clEnumValN(Action::Traits, "gen-op-traits", "enumerators of Trait"),
        clEnumValN(Action::Records, "gen-op-records", "the table of overloads"),
        clEnumValN(Action::Decompositions, "gen-op-decompositions", "TorchScript definitions of composite operators"),
        clEnumValN(Action::Derivatives, "gen-op-derivatives", "gradients of operands, where they are known"),
        clEnumValN(Action::PackedDecompositions, "gen-op-packed-decompositions", "the same definitions, deflated"),
        clEnumValN(Action::PackedDerivatives, "gen-op-packed-derivatives", "the same gradients, deflated"),
        clEnumValN(Action::Facts, "gen-op-facts", "columns that passes and analyses ask for"),
        clEnumValN(Action::Views, "gen-op-views", "typed views of nodes"),
        clEnumValN(Action::Kernels, "gen-op-kernels", "boxed wrappers of one family's kernels"),
        clEnumValN(Action::KernelTable, "gen-op-kernel-table", "boxed wrappers by OpKind"),
        clEnumValN(Action::CudaKernels, "gen-cuda-kernels", "what operators ask of the kernels for GPUs"),
        clEnumValN(Action::PointwiseKinds, "gen-pointwise-kinds", "enumerators of PointwiseKind"),
        clEnumValN(Action::PointwiseBodies, "gen-pointwise-bodies", "scalar bodies as templates over a builder"),
        clEnumValN(Action::PointwiseBodyFacts, "gen-pointwise-body-facts", "name, kind and cost of each scalar body"),
        clEnumValN(Action::PointwiseFunctions, "gen-pointwise-functions", "functions that scalar bodies call or are"),
        clEnumValN(Action::PointwiseTable, "gen-pointwise-table", "descriptions of point-wise operators"),
        clEnumValN(Action::ShapeColumns, "gen-shape-columns", "rules for shapes, dtypes and strides by OpKind"),
        clEnumValN(Action::TorchMethods, "gen-torch-methods", "operators as methods of at::Tensor"),
        clEnumValN(Action::TorchFunctions, "gen-torch-functions", "operators as functions of namespace at"),
        clEnumValN(Action::TorchNames, "gen-torch-names", "names of the functions of namespace at, one a line"),
        clEnumValN(Action::Docs, "gen-docs", "docs/Operators.md"),
        clEnumValN(Action::DerivativeDocs, "gen-derivative-docs", "docs/Derivatives.md")));
static cl::opt<std::string> family("family", cl::desc("The .td file (without extension) to emit kernels of"));

static bool emit(raw_ostream &os, RecordKeeper &records) {
  switch (action) {
  case Action::None: return true;
  case Action::Kinds: return emitOpKinds(os, records);
  case Action::Traits: return emitOpTraits(os, records);
  case Action::Records: return emitOpRecords(os, records);
  case Action::Decompositions: return emitOpDecompositions(os, records);
  case Action::Derivatives: return emitOpDerivatives(os, records);
  case Action::PackedDecompositions: return emitPackedDecompositions(os, records);
  case Action::PackedDerivatives: return emitPackedDerivatives(os, records);
  case Action::Facts: return emitOpFacts(os, records);
  case Action::Views: return emitOpViews(os, records);
  case Action::Kernels: return emitOpKernels(os, records, family);
  case Action::KernelTable: return emitOpKernelTable(os, records);
  case Action::CudaKernels: return emitCudaKernels(os, records);
  case Action::PointwiseKinds: return emitPointwiseKinds(os, records);
  case Action::PointwiseBodies: return emitPointwiseBodies(os, records);
  case Action::PointwiseBodyFacts: return emitPointwiseBodyFacts(os, records);
  case Action::PointwiseFunctions: return emitPointwiseFunctions(os, records);
  case Action::PointwiseTable: return emitPointwiseTable(os, records);
  case Action::ShapeColumns: return emitShapeColumns(os, records);
  case Action::TorchMethods: return emitTorchMethods(os, records);
  case Action::TorchFunctions: return emitTorchFunctions(os, records);
  case Action::TorchNames: return emitTorchNames(os, records);
  case Action::Docs: return emitDocs(os, records);
  case Action::DerivativeDocs: return emitDerivativeDocs(os, records);
  }
  return true;
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "tsc-tblgen: tables from operator records\n");
  return TableGenMain(argv[0], emit);
}
