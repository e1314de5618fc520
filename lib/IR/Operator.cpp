//===- Operator.cpp - Overloads and their table ---------------------------===//
//
// Records are constant data; an Operator is made for each overload of a name when
// that name is first asked for, and its schema is parsed when that is.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Operator.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Support/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

Operator::Operator(Context &context, Symbol symbol, const OpRecord *record)
    : context(context), name(symbol), opRecord(record) {
  assert(record && "an operator that nobody registered has a record");
}
Operator::Operator(Context &context, Symbol symbol, FunctionSchema schema, CustomKernel kernel, CustomKernelMaker maker)
    : context(context), name(symbol), opRecord(nullptr), custom(std::move(kernel)), maker(std::move(maker)),
      parsed(std::move(schema)) {
  assert(bool(custom) != bool(this->maker) && "an operator that is registered has one kernel, or makes them");
}

const FunctionSchema &Operator::schema() const {
  if (opRecord)
    std::call_once(once, [&] { parsed = parseKnownSchema(context, opRecord->schema); });
  return parsed;
}

struct OperatorTable::Impl {
  struct Overloads {
    std::vector<std::unique_ptr<Operator>> owned;
    std::vector<const Operator *> list;
  };
  explicit Impl(Context &context) : context(context) {}

  /// The entry of a name, made from its records the first time. The lock is held.
  Overloads &entry(Symbol name) {
    if (auto found = byName.find(name); found != byName.end())
      return *found->second;
    auto made = std::make_unique<Overloads>(); // none is found that has a part of its operators
    for (const OpRecord &record : opRecordsNamed(name.qualified())) {
      made->owned.push_back(std::make_unique<Operator>(context, name, &record));
      made->list.push_back(made->owned.back().get());
    }
    return *(byName[name] = std::move(made));
  }

  Context &context;
  std::mutex mutex;
  llvm::DenseMap<Symbol, std::unique_ptr<Overloads>> byName;
  std::vector<std::vector<const Operator *>> replacedLists; ///< Those handed out before a registration made them grow.
};

OperatorTable::OperatorTable(Context &context) : impl(std::make_unique<Impl>(context)) {}
OperatorTable::~OperatorTable() = default;

ArrayRef<const Operator *> OperatorTable::overloads(Symbol name) {
  std::lock_guard lock(impl->mutex);
  return impl->entry(name).list;
}

const Operator *OperatorTable::find(StringRef name, StringRef overload) {
  for (const Operator *candidate : overloads(impl->context.symbol(name)))
    if ((candidate->record() ? StringRef(candidate->record()->overload) : candidate->schema().overloadName()) ==
        overload)
      return candidate;
  return nullptr;
}

Status OperatorTable::registerOperator(StringRef schema, CustomKernel kernel) {
  return add(schema, std::move(kernel), nullptr);
}
Status OperatorTable::registerNodeOperator(StringRef schema, CustomKernelMaker maker) {
  return add(schema, nullptr, std::move(maker));
}

Status OperatorTable::add(StringRef schema, CustomKernel kernel, CustomKernelMaker maker) {
  DiagnosticEngine diags;
  SourceBuffer text("schema", schema.str());
  auto parsed = parseSchema(impl->context, text, diags);
  if (failed(parsed))
    return invalidArgument(diags.str());
  Symbol name = impl->context.symbol(parsed->name());
  std::lock_guard lock(impl->mutex);
  Impl::Overloads &entry = impl->entry(name);
  for (const Operator *known : entry.list)
    if ((known->record() ? StringRef(known->record()->overload) : known->schema().overloadName()) ==
        parsed->overloadName())
      return invalidArgument("operator '" + parsed->name() + "' has an overload '" + parsed->overloadName() +
                             "' already");
  std::vector<const Operator *> longer = entry.list;
  entry.owned.push_back(
      std::make_unique<Operator>(impl->context, name, std::move(*parsed), std::move(kernel), std::move(maker)));
  longer.push_back(entry.owned.back().get());
  impl->replacedLists.emplace_back();
  std::swap(longer, entry.list);
  std::swap(longer, impl->replacedLists.back());
  return okStatus();
}

std::vector<std::string> OperatorTable::similarNames(StringRef name, unsigned limit) {
  std::vector<std::pair<unsigned, StringRef>> near;
  StringRef last;
  unsigned allowed = std::max<size_t>(1, (name.split("::").second.size() + 1) / 3);
  for (const OpRecord &record : allOpRecords()) {
    StringRef known = record.qualified;
    if (known == last || known.starts_with("python::")) // programs do not name those
      continue;
    last = known;
    unsigned distance = name.edit_distance(known, /*AllowReplacements=*/true, /*MaxEditDistance=*/allowed);
    if (distance <= allowed)
      near.emplace_back(distance, known);
  }
  llvm::sort(near);
  std::vector<std::string> names;
  for (auto &[distance, known] : near)
    if (names.size() < limit)
      names.push_back(known.str());
  return names;
}
