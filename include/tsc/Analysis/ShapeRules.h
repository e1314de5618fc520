//===- ShapeRules.h - The records' columns for propagation ------*- C++ -*-===//
//
// Shapes and strides of results are rules written once, in TorchScript
// (lib/Analysis/Shapes/Rules), and named by the records' columns. Compiling
// them takes the frontend, which Analysis does not know: whoever has it gives a
// ShapeRuleSource.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_ANALYSIS_SHAPERULES_H
#define TSC_ANALYSIS_SHAPERULES_H

#include "tsc/IR/OpRecord.h"
#include <string>
#include <string_view>
#include <vector>

namespace tsc {

class Function;

/// One row of the generated table; a text has one entry a result, separated by ';', and is empty where nothing is
/// known.
struct ShapeColumns {
  llvm::StringRef shape, dtype, strides;
  uint32_t promoting; ///< Bits of the arguments that take part in `promote`.
  /// Of a point-wise operator that looks at nothing but dtypes and sizes before it computes: bits of the ComputeTypes
  /// that it is defined for (Base.td): 1 Real, 2 Int, 4 Bool, 8 Cplx. Else 0.
  uint8_t computeTypes;
};
ShapeColumns shapeColumns(OpKind kind);

/// The text of the rules: the files of lib/Analysis/Shapes/Rules, one after the other.
std::string_view shapeRuleText();

/// The functions of that text, compiled. Their graphs may belong to a Context of their own.
class ShapeRuleSource {
public:
  virtual ~ShapeRuleSource() = default;
  /// Null when there is none of that name. The graph is defined.
  virtual Function *rule(llvm::StringRef name) = 0;
};

/// An entry of a shape or strides column: an operand, or a rule applied to operands.
struct RuleExpr {
  enum class Kind : uint8_t {
    Operand, ///< `self`: its sizes; `size`: its value.
    Strides, ///< `self.strides`
    DTypes,  ///< `indices.dtypes`: the number of the dtype of each tensor of a list.
    Literal, ///< A number, True, False, None or a string.
    List,    ///< `[1, 2]`
    Call,    ///< `mm(self, mat2)`; a bare name that is no operand has no arguments and `isBare`.
  };
  Kind kind = Kind::Operand;
  std::string name; ///< Of the operand or rule; the literal's text.
  bool isBare = false;
  std::vector<RuleExpr> arguments;
};

/// Parses a column into one expression a result; `why` says what is wrong with a text, and the result is empty.
std::vector<RuleExpr> parseRuleColumn(llvm::StringRef text, std::string &why);

} // namespace tsc

#endif
