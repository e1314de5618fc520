//===- OpModel.h - The records as tsc-tblgen's emitters see them -*- C++ -*-===//
#ifndef TSC_TBLGEN_OPMODEL_H
#define TSC_TBLGEN_OPMODEL_H

#include "Schema.h"
#include "llvm/TableGen/Record.h"
#include <memory>

namespace tsc::tblgen {

enum class Form { Functional, InPlace, Out };

/// One overload: a record, or one of the variants derived from it.
struct OpDef {
  const llvm::Record *record = nullptr;
  const OpDef *base = nullptr; ///< What a variant is derived from; itself for a record.
  Form form = Form::Functional;
  Schema schema;
  std::string kind;   ///< Enumerator of OpKind: "Aten_add_Tensor".
  std::string family; ///< "Pointwise": the file that holds the record.
  uint64_t traits = 0;
  size_t position = 0; ///< Among all overloads, as written.

  bool isPointwise() const {
    return record->isSubClassOf("PointwiseOp") && field("kernel").empty() && field("boxedKernel").empty();
  }
  /// A composite without a kernel of its own runs as its definition.
  bool isPlainComposite() const {
    return field("kernel").empty() && field("boxedKernel").empty() && !isPointwise() &&
           !field("decomposition").trim().empty();
  }
  llvm::StringRef field(llvm::StringRef name) const { return record->getValueAsString(name); }
  bool hasTrait(llvm::StringRef name) const {
    return llvm::any_of(record->getValueAsListOfDefs("traits"),
                        [name](const llvm::Record *trait) { return trait->getName() == name; });
  }
  /// How many trailing arguments are out= tensors that the form added.
  unsigned numOutArgs() const { return form == Form::Out ? schema.args.size() - base->schema.args.size() : 0; }
};

struct OpModel {
  /// Every overload, sorted by qualified name; within a name in the order of the records. The index is the OpKind.
  std::vector<std::unique_ptr<OpDef>> ops;
  std::vector<std::string> families; ///< In the order of All.td.
};

/// Reads the records; reports what is wrong with one at its place in the .td file and returns false.
bool readOpModel(const llvm::RecordKeeper &records, OpModel &model);

/// The name of the .td file that holds the record, without extension.
std::string familyOf(const llvm::Record &record);
/// The place in the .td file of the character at `offset` of a record's string or code field.
llvm::SMLoc locationInField(const llvm::Record &record, llvm::StringRef field, size_t offset);

/// Returns the function of tsc/Runtime/Dispatch/Unboxing.h that reads an argument of a schema's type; "drop" for
/// arguments that kernels do not get; empty for a type that only a boxed kernel takes.
llvm::StringRef readerOf(llvm::StringRef type);

/// Whether an argument of a schema cannot have its name in C++.
bool isCppKeyword(llvm::StringRef name);

// The emitters; each returns true on error, as TableGen's main expects.
bool emitOpKinds(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitOpTraits(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitOpRecords(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitOpDecompositions(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitOpDerivatives(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitPackedDecompositions(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitPackedDerivatives(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitOpFacts(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitOpViews(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitOpKernels(llvm::raw_ostream &os, const llvm::RecordKeeper &records, llvm::StringRef family);
bool emitOpKernelTable(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitCudaKernels(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitPointwiseKinds(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitPointwiseBodies(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitPointwiseBodyFacts(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitPointwiseFunctions(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitPointwiseTable(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitShapeColumns(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitTorchMethods(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitTorchFunctions(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitTorchNames(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitDocs(llvm::raw_ostream &os, const llvm::RecordKeeper &records);
bool emitDerivativeDocs(llvm::raw_ostream &os, const llvm::RecordKeeper &records);

} // namespace tsc::tblgen

#endif
