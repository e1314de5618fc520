//===- Symbol.cpp - The names that are known when tsc is built ------------===//
#include "tsc/IR/Symbol.h"
using namespace tsc;

const detail::SymbolEntry detail::builtinSymbols[static_cast<unsigned>(SymbolId::NumBuiltin)] = {
    {"", 0, SymbolId::Other},
#define TSC_SYMBOL(NS, NAME) {#NS "::" #NAME, sizeof(#NS) - 1, SymbolId::NS##_##NAME},
#include "tsc/IR/Symbols.def"
};
