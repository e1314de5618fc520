//===- ShapeRules.h - The records' columns for propagation ------*- C++ -*-===//
//
// Shapes and strides of results are rules written once, in TorchScript
// (lib/Analysis/Shapes/Rules), and named by the records' columns. Compiling
// them takes the frontend, which Analysis does not know: whoever has it hands in a
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

/// The columns of an operator's record that shape propagation reads. Each text has one entry for each result, separated
/// by ';', and is empty where nothing is known (docs/ShapeRules.md).
struct ShapeColumns {
  llvm::StringRef shape, dtype, strides;
  uint32_t promoting; ///< Bit i is set where argument i takes part in the promotion of dtypes.
  /// The compute types (Base.td) that a point-wise operator is defined for, as bits: 1 Real, 2 Int, 4 Bool, 8 Cplx. 0
  /// for other operators, and for one that may fail because of more than its operands' dtypes and sizes.
  uint8_t computeTypes;
};
/// Returns the columns of an operator, which must not be OpKind::Unknown.
ShapeColumns shapeColumns(OpKind kind);

/// Returns the TorchScript source of all rules: the files of lib/Analysis/Shapes/Rules, one after the other.
std::string_view shapeRuleText();

/// Gives the functions of shapeRuleText(), compiled. Their graphs may belong to a Context of their own.
class ShapeRuleSource {
public:
  virtual ~ShapeRuleSource() = default;
  /// Returns the rule of that name with its body compiled, or null where there is none.
  virtual Function *rule(llvm::StringRef name) = 0;
};

/// An entry of a shape or strides column: an operand, or a rule applied to operands.
struct RuleExpr {
  /// What an expression is, which says how its fields are read.
  enum class Kind : uint8_t {
    Operand, ///< An operand: the sizes of a tensor (`self`), the value of all else (`size`). See `isBare`.
    Strides, ///< The strides of an operand: `self.strides`.
    DTypes,  ///< The dtypes, as numbers, of the tensors in a list: `indices.dtypes`.
    Literal, ///< A number, True, False, None or a string.
    List,    ///< A list of expressions: `[1, 2]`.
    Call,    ///< A rule applied to arguments: `mm(self, mat2)`.
  };
  Kind kind = Kind::Operand;
  std::string name; ///< The name of the operand or rule, or the literal's text; empty where nothing is known.
  /// Whether it is a name alone. It then has the kind Operand, but is a rule without arguments where the schema has no
  /// argument of that name (`broadcast`).
  bool isBare = false;
  std::vector<RuleExpr> arguments;
};

/// Parses a column into one expression for each result. Where the text is wrong it returns none, and `why` says what is
/// wrong; else `why` is empty.
std::vector<RuleExpr> parseRuleColumn(llvm::StringRef text, std::string &why);

} // namespace tsc

#endif
