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

const OpRecord *tsc::inPlaceFormOf(const OpRecord &record) {
  const OpRecord *other = findOpRecord(record.qualified.str() + "_", record.overload);
  return other && other->has(Trait::InPlaceForm) ? other : nullptr;
}

const OpRecord *tsc::functionalFormOf(const OpRecord &record) {
  llvm::StringRef name = record.qualified;
  if (!record.has(Trait::InPlaceForm) || !name.consume_back("_"))
    return nullptr;
  return findOpRecord(name, record.overload);
}
