#include "OpModel.h"
using namespace tsc::tblgen;
bool tsc::tblgen::emitPointwiseKinds(llvm::raw_ostream &os, const llvm::RecordKeeper &records) { return false; }
bool tsc::tblgen::emitPointwiseBodies(llvm::raw_ostream &os, const llvm::RecordKeeper &records) { return false; }
bool tsc::tblgen::emitPointwiseTable(llvm::raw_ostream &os, const llvm::RecordKeeper &records) { return false; }
