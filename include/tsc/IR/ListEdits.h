//===- ListEdits.h - What writes do to lists --------------------*- C++ -*-===//
//
// For analyses and passes that follow lists whose elements they know, whatever an
// element is to them.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_LISTEDITS_H
#define TSC_IR_LISTEDITS_H

#include "tsc/IR/OpFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <vector>

namespace tsc {

/// The operands of an edit behind the list itself, as far as they are known.
template <typename Element> struct ListEditOperands {
  std::optional<int64_t> index;                    ///< The index for Insert, Set and Pop; negative counts from the end.
  Element element{};                               ///< The new element for Append, Insert and Set.
  std::optional<llvm::ArrayRef<Element>> others{}; ///< The elements of the other list for Extend.
};

/// Returns which operand of the node is the index, or 0 where the edit takes none.
constexpr unsigned indexOperand(ListEdit edit) {
  return edit == ListEdit::Insert || edit == ListEdit::Set || edit == ListEdit::Pop ? 1 : 0;
}
/// Returns which operand of the node is the new element, or 0 where the edit takes none.
constexpr unsigned elementOperand(ListEdit edit) {
  return edit == ListEdit::Append ? 1 : edit == ListEdit::Insert || edit == ListEdit::Set ? 2 : 0;
}
/// Returns whether the edit leaves the list's length as it is.
constexpr bool keepsLength(ListEdit edit) { return edit == ListEdit::Set || edit == ListEdit::Reverse; }

/// Edits `elements` as the operator edits its list, and sets `popped` to the element that Pop removes. Returns false
/// and leaves the list alone where an operand that is needed is unknown, or an index lies outside of the list.
template <typename Element>
bool applyListEdit(ListEdit edit, std::vector<Element> &elements, const ListEditOperands<Element> &operands,
                   Element &popped) {
  auto size = static_cast<int64_t>(elements.size());
  if (indexOperand(edit) && !operands.index)
    return false;
  int64_t at = operands.index.value_or(0);
  at += at < 0 ? size : 0;
  if (edit == ListEdit::Insert)
    at = std::clamp<int64_t>(at, 0, size);
  else if (indexOperand(edit) && (at < 0 || at >= size))
    return false;
  switch (edit) {
  case ListEdit::Append: elements.push_back(operands.element); return true;
  case ListEdit::Extend: {
    if (!operands.others)
      return false;
    std::vector<Element> others(*operands.others); // which may be the list itself
    elements.insert(elements.end(), others.begin(), others.end());
    return true;
  }
  case ListEdit::Insert: elements.insert(elements.begin() + at, operands.element); return true;
  case ListEdit::Set: elements[at] = operands.element; return true;
  case ListEdit::Pop:
    popped = elements[at];
    elements.erase(elements.begin() + at);
    return true;
  case ListEdit::Reverse: std::reverse(elements.begin(), elements.end()); return true;
  case ListEdit::Clear: elements.clear(); return true;
  }
  return false;
}

} // namespace tsc

#endif
