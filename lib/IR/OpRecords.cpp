//===- OpRecords.cpp - The table of overloads -----------------------------===//
#include "tsc/IR/OpRecord.h"
#include <algorithm>

using namespace tsc;

static constexpr OpRecord records[] = {
#include "tsc/IR/OpRecords.inc"
};

llvm::ArrayRef<OpRecord> tsc::allOpRecords() { return records; }

llvm::ArrayRef<OpRecord> tsc::opRecordsNamed(llvm::StringRef qualified) {
  auto before = [](const OpRecord &r, llvm::StringRef name) { return llvm::StringRef(r.qualified) < name; };
  const OpRecord *first = std::lower_bound(std::begin(records), std::end(records), qualified, before);
  const OpRecord *last = first;
  while (last != std::end(records) && last->qualified == qualified)
    ++last;
  return {first, last};
}

const OpRecord *tsc::findOpRecord(llvm::StringRef qualified, llvm::StringRef overload) {
  for (const OpRecord &record : opRecordsNamed(qualified))
    if (record.overload == overload)
      return &record;
  return nullptr;
}

/// What the schema says behind the type of operand 0: "pow_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)" and
/// "pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor" agree in that.
static llvm::StringRef furtherParameters(const OpRecord &record) {
  llvm::StringRef parameters = llvm::StringRef(record.schema).split('(').second.rsplit(" -> ").first;
  parameters.consume_front("Tensor");
  return parameters.starts_with("(") ? parameters.split(')').second : parameters; // without an alias annotation
}

const OpRecord *tsc::inPlaceFormOf(const OpRecord &record) {
  for (const OpRecord &other : opRecordsNamed(record.qualified.str() + "_"))
    if (other.has(Trait::InPlaceForm) && furtherParameters(other) == furtherParameters(record))
      return &other;
  return nullptr;
}

const OpRecord *tsc::functionalFormOf(const OpRecord &record) {
  llvm::StringRef name = record.qualified;
  if (!record.has(Trait::InPlaceForm) || !name.consume_back("_"))
    return nullptr;
  for (const OpRecord &other : opRecordsNamed(name))
    if (furtherParameters(other) == furtherParameters(record))
      return &other;
  return nullptr;
}
