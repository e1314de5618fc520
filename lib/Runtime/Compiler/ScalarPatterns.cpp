//===- ScalarPatterns.cpp - Overloads that are one instruction ------------===//
#include "CodeBuilder.h"

using namespace tsc;

#define ALL_MIXED(NAME, INT, FLOAT, RESULT_INT, RESULT_FLOAT, SWAP)                                                    \
  case OpKind::NAME##_int: return ScalarPattern{Opcode::INT, RESULT_INT, "ii", SWAP};                                  \
  case OpKind::NAME##_float:                                                                                           \
  case OpKind::NAME##_int_float:                                                                                       \
  case OpKind::NAME##_float_int: return ScalarPattern{Opcode::FLOAT, RESULT_FLOAT, "ff", SWAP};

std::optional<ScalarPattern> tsc::scalarPattern(OpKind kind) {
  switch (kind) {
    ALL_MIXED(Aten_add, AddI, AddF, 'i', 'f', false)
    ALL_MIXED(Aten_sub, SubI, SubF, 'i', 'f', false)
    ALL_MIXED(Aten_mul, MulI, MulF, 'i', 'f', false)
    ALL_MIXED(Aten_lt, LtI, LtF, 'b', 'b', false)
    ALL_MIXED(Aten_le, LeI, LeF, 'b', 'b', false)
    ALL_MIXED(Aten_gt, LtI, LtF, 'b', 'b', true)
    ALL_MIXED(Aten_ge, LeI, LeF, 'b', 'b', true)
    ALL_MIXED(Aten_eq, EqI, EqF, 'b', 'b', false)
    ALL_MIXED(Aten_ne, NeI, NeF, 'b', 'b', false)
  case OpKind::Aten_eq_bool: return ScalarPattern{Opcode::EqB, 'b', "bb"};
  case OpKind::Aten_ne_bool: return ScalarPattern{Opcode::NeB, 'b', "bb"};
  case OpKind::Aten_div_int: return ScalarPattern{Opcode::DivI, 'f', "ii"};
  case OpKind::Aten_div: // of numbers of two kinds
  case OpKind::Aten_div_float: return ScalarPattern{Opcode::DivF, 'f', "ff"};
  case OpKind::Aten_floordiv_int: return ScalarPattern{Opcode::FloorDivI, 'i', "ii"};
  case OpKind::Aten_remainder_int: return ScalarPattern{Opcode::RemI, 'i', "ii"};
  case OpKind::Aten___and___bool: return ScalarPattern{Opcode::AndB, 'b', "bb"};
  case OpKind::Aten___or___bool: return ScalarPattern{Opcode::OrB, 'b', "bb"};
  case OpKind::Aten___xor___bool: return ScalarPattern{Opcode::NeB, 'b', "bb"};
  case OpKind::Aten___and___int: return ScalarPattern{Opcode::AndI, 'i', "ii"};
  case OpKind::Aten___or___int: return ScalarPattern{Opcode::OrI, 'i', "ii"};
  case OpKind::Aten___xor___int: return ScalarPattern{Opcode::XorI, 'i', "ii"};
  case OpKind::Aten___lshift___int: return ScalarPattern{Opcode::ShlI, 'i', "ii"};
  case OpKind::Aten___rshift___int: return ScalarPattern{Opcode::ShrI, 'i', "ii"};
  case OpKind::Aten___not__: return ScalarPattern{Opcode::NotB, 'b', "b"};
  case OpKind::Aten_neg_int: return ScalarPattern{Opcode::NegI, 'i', "i"};
  case OpKind::Aten_neg_float: return ScalarPattern{Opcode::NegF, 'f', "f"};
  case OpKind::Prim_abs_int: return ScalarPattern{Opcode::AbsI, 'i', "i"};
  case OpKind::Prim_abs_float: return ScalarPattern{Opcode::AbsF, 'f', "f"};
  case OpKind::Prim_min_int: return ScalarPattern{Opcode::MinI, 'i', "ii"};
  case OpKind::Prim_max_int: return ScalarPattern{Opcode::MaxI, 'i', "ii"};
  case OpKind::Aten_floor_float: return ScalarPattern{Opcode::FloorF, 'i', "f"};
  case OpKind::Aten_ceil_float: return ScalarPattern{Opcode::CeilF, 'i', "f"};
  case OpKind::Aten_sqrt_float: return ScalarPattern{Opcode::SqrtF, 'f', "f"};
  case OpKind::Aten_exp_float: return ScalarPattern{Opcode::ExpF, 'f', "f"};
  case OpKind::Aten_log_float: return ScalarPattern{Opcode::LogF, 'f', "f"};
  case OpKind::Aten_sin_float: return ScalarPattern{Opcode::SinF, 'f', "f"};
  case OpKind::Aten_cos_float: return ScalarPattern{Opcode::CosF, 'f', "f"};
  case OpKind::Aten_Float_int: return ScalarPattern{Opcode::IntToFloat, 'f', "i"};
  case OpKind::Aten_Int_float: return ScalarPattern{Opcode::FloatToInt, 'i', "f"};
  case OpKind::Aten_Int_bool: return ScalarPattern{Opcode::BoolToInt, 'i', "b"};
  case OpKind::Aten_Bool_int: return ScalarPattern{Opcode::IntToBool, 'b', "i"};
  case OpKind::Aten_Bool_float: return ScalarPattern{Opcode::FloatToBool, 'b', "f"};
  case OpKind::Aten___range_length: return ScalarPattern{Opcode::RangeLength, 'i', "iii"};
  case OpKind::Aten___derive_index: return ScalarPattern{Opcode::DeriveIndex, 'i', "iii"};
  case OpKind::Python_div_int: return ScalarPattern{Opcode::CheckedDivI, 'f', "ii"};
  case OpKind::Python_div:
  case OpKind::Python_div_float: return ScalarPattern{Opcode::CheckedDivF, 'f', "ff"};
  case OpKind::Python_floordiv_float:
  case OpKind::Python_floordiv_int_float:
  case OpKind::Python_floordiv_float_int: return ScalarPattern{Opcode::CheckedFloorDivF, 'f', "ff"};
  case OpKind::Python_remainder_float:
  case OpKind::Python_remainder_int_float:
  case OpKind::Python_remainder_float_int: return ScalarPattern{Opcode::CheckedRemF, 'f', "ff"};
  case OpKind::Python_sqrt_float: return ScalarPattern{Opcode::CheckedSqrtF, 'f', "f"};
  case OpKind::Python_exp_float: return ScalarPattern{Opcode::CheckedExpF, 'f', "f"};
  case OpKind::Python_log_float: return ScalarPattern{Opcode::CheckedLogF, 'f', "f"};
  case OpKind::Python_sin_float: return ScalarPattern{Opcode::CheckedSinF, 'f', "f"};
  case OpKind::Python_cos_float: return ScalarPattern{Opcode::CheckedCosF, 'f', "f"};
  case OpKind::Python_len_str: return ScalarPattern{Opcode::LetterCount, 'i', "v"};
  case OpKind::Python___getitem___str:
  case OpKind::Python_StringIndex: return ScalarPattern{Opcode::LetterAt, 'v', "vi"};
  case OpKind::Aten_eq_str: return ScalarPattern{Opcode::EqS, 'b', "vv"};
  case OpKind::Aten_ne_str: return ScalarPattern{Opcode::NeS, 'b', "vv"};
  default: return std::nullopt;
  }
}

std::optional<JumpPattern> tsc::jumpPattern(Opcode compare, bool outcome) {
  switch (compare) {
  case Opcode::LtI: return outcome ? JumpPattern{Opcode::JumpLtI, false} : JumpPattern{Opcode::JumpLeI, true};
  case Opcode::LeI: return outcome ? JumpPattern{Opcode::JumpLeI, false} : JumpPattern{Opcode::JumpLtI, true};
  case Opcode::EqI:
  case Opcode::EqB: return JumpPattern{outcome ? Opcode::JumpEqI : Opcode::JumpNeI, false};
  case Opcode::NeI:
  case Opcode::NeB: return JumpPattern{outcome ? Opcode::JumpNeI : Opcode::JumpEqI, false};
  // Not less is not the same as greater or equal: a NaN is neither.
  case Opcode::LtF: return JumpPattern{outcome ? Opcode::JumpLtF : Opcode::JumpNotLtF, false};
  case Opcode::LeF: return JumpPattern{outcome ? Opcode::JumpLeF : Opcode::JumpNotLeF, false};
  case Opcode::EqF: return JumpPattern{outcome ? Opcode::JumpEqF : Opcode::JumpNeF, false};
  case Opcode::NeF: return JumpPattern{outcome ? Opcode::JumpNeF : Opcode::JumpEqF, false};
  case Opcode::EqS: return JumpPattern{outcome ? Opcode::JumpEqS : Opcode::JumpNeS, false};
  case Opcode::NeS: return JumpPattern{outcome ? Opcode::JumpNeS : Opcode::JumpEqS, false};
  default: return std::nullopt;
  }
}
