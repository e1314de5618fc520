//===- Matches.cpp - match statements -------------------------------------===//
//
// Cases become a chain of conditions on a variable that holds the subject. What a
// pattern asks is written as the expression that would ask it, so that it refines
// types as an `if` does. A part that may be of several types gets a name there
// (`name := part`), for names are what is refined.
//
//===----------------------------------------------------------------------===//
#include "Matches.h"
#include "../../SugaredValues/Values.h"
#include "../Expressions.h"
#include "../Expressions/Conditions.h"
#include "../Expressions/ShortCircuits.h"
#include "../FunctionContext.h"
#include "../Refinement.h"
#include "../Statements.h"
#include "../TypeExpressions.h"
#include "Assignments.h"
#include "Branches.h"

using namespace tsc;

using PatternCase = std::pair<const MatchCase *, const Tree *>; ///< A case, and one of its patterns.

static bool emitCases(FunctionContext &fn, const Match &tree, ArrayRef<PatternCase> cases, StringRef subjectName,
                      bool looksAtTuples = false);

/// The type of a subject that may be of several; null for another.
static const Type *severalTypesOf(const Type *type) {
  return type && (type->isAny() || llvm::isa<UnionType, OptionalType>(type)) ? type : nullptr;
}

template <typename T> static bool mayBe(const Type *several) {
  return llvm::any_of(alternativesOf(several), [](const Type *one) { return llvm::isa<T>(one); });
}

/// The one type of a kind that a value may be of; null where there is none, or several.
template <typename T> static const T *onlyOne(const Type *type) {
  const T *found = nullptr;
  if (type)
    for (const Type *one : alternativesOf(type))
      if (auto *fitting = llvm::dyn_cast<T>(one)) {
        if (found)
          return nullptr;
        found = fitting;
      }
  return found;
}

/// Whether a value of one type may equal a literal. Classes and members of enumerations decide themselves.
static bool mayEqual(const Type *type, const Tree *literal) {
  if (!type || type->isAny() || llvm::isa<ClassType, EnumType>(type))
    return true;
  if (llvm::isa<StringLiteral>(literal))
    return type->isString();
  const bool isNumber = llvm::isa<IntLiteral, FloatLiteral, BoolLiteral, UnaryOp>(literal);
  return !isNumber || !(type->isString() || type->isNone() || llvm::isa<ListType, TupleType, DictType>(type));
}

/// The type of an attribute, where it is known without compiling anything.
static const Type *attributeType(const Type *owner, StringRef name) {
  if (auto *tuple = llvm::dyn_cast_or_null<TupleType>(owner)) {
    const auto *field = llvm::find(tuple->fieldNames(), name);
    return field == tuple->fieldNames().end() ? nullptr : tuple->elements()[field - tuple->fieldNames().begin()];
  }
  auto *object = llvm::dyn_cast_or_null<ClassType>(owner);
  const std::optional<unsigned> slot = object ? object->findAttribute(name) : std::nullopt;
  return slot ? object->attribute(*slot).type : nullptr;
}

namespace {

/// What a pattern asks of a subject, and the names that it gives to parts of it.
struct Question {
  const Tree *condition = nullptr; ///< Null: nothing.
  bool isNever = false;            ///< The types show that nothing matches.
  std::vector<std::pair<const Var *, const Tree *>> names;
};

class PatternReader {
public:
  PatternReader(FunctionContext &fn, SyntaxTree &made, const Tree *whole) : fn(fn), made(made), whole(whole) {}

  bool looksAtTuples = false; ///< Of a subject that may be a list or a tuple, which are two questions.
  /// Whether a pattern asks both of the subject as a whole.
  static bool asksTwice(const Tree *pattern, const Type *type) {
    if (auto *named = llvm::dyn_cast<NamedExpr>(pattern))
      return asksTwice(named->value(), type);
    if (auto *either = llvm::dyn_cast<BinOp>(pattern))
      return asksTwice(either->lhs(), type) || asksTwice(either->rhs(), type);
    const Type *several = llvm::isa<TupleLiteral, ListLiteral>(pattern) ? severalTypesOf(type) : nullptr;
    return several && !several->isAny() && mayBe<ListType>(several) && mayBe<TupleType>(several);
  }

  bool read(const Tree *pattern, const Tree *subject, const Type *type, Question &question) {
    SourceRange range = pattern->range();
    switch (pattern->kind()) {
    case TreeKind::Var:
      if (llvm::cast<Var>(pattern)->name() != "_")
        question.names.emplace_back(llvm::cast<Var>(pattern), subject);
      return true;
    case TreeKind::NamedExpr: { // part as name
      auto *named = llvm::cast<NamedExpr>(pattern);
      if (severalTypesOf(type))
        subject = nameOf(subject, question);
      if (!read(named->value(), subject, type, question))
        return false;
      question.names.emplace_back(named->target(), subject);
      return true;
    }
    case TreeKind::NoneLiteral: return ask(question, compare(TreeOp::Is, subject, pattern));
    case TreeKind::IntLiteral:
    case TreeKind::FloatLiteral:
    case TreeKind::StringLiteral:
    case TreeKind::BoolLiteral: return readLiteral(pattern, subject, type, question);
    case TreeKind::UnaryOp: {
      const Tree *operand = llvm::cast<UnaryOp>(pattern)->operand();
      if (llvm::isa<IntLiteral, FloatLiteral>(operand))
        return readLiteral(pattern, subject, type, question);
      return ask(question, compare(TreeOp::Eq, subject, pattern));
    }
    case TreeKind::Select: return ask(question, compare(TreeOp::Eq, subject, pattern));
    case TreeKind::BinOp: {
      auto *either = llvm::cast<BinOp>(pattern);
      if (either->op() != TreeOp::BitOr)
        break;
      Question left, right;
      if (!read(either->lhs(), subject, type, left) || !read(either->rhs(), subject, type, right))
        return false;
      if (!left.names.empty() || !right.names.empty())
        return fn.error(range, diag::UnsupportedSyntax, "names in alternatives of a pattern");
      if (left.isNever && right.isNever)
        return never(question);
      if (left.isNever || right.isNever) {
        const Tree *asked = (left.isNever ? right : left).condition;
        return !asked || ask(question, asked);
      }
      if (!left.condition || !right.condition)
        return true;
      return ask(question, join(TreeOp::Or, left.condition, right.condition));
    }
    case TreeKind::Apply: return readClass(*llvm::cast<Apply>(pattern), subject, type, question);
    case TreeKind::TupleLiteral:
    case TreeKind::ListLiteral: return readSequence(pattern, subject, type, question);
    case TreeKind::DictLiteral: return readMapping(*llvm::cast<DictLiteral>(pattern), subject, type, question);
    default: break;
    }
    return fn.error(range, diag::UnsupportedSyntax, "patterns of this kind");
  }

private:
  bool ask(Question &question, const Tree *condition) {
    question.condition = question.condition ? join(TreeOp::And, question.condition, condition) : condition;
    return true;
  }
  static bool never(Question &question) {
    question.isNever = true;
    return true;
  }
  template <typename T> const Tree *binary(TreeOp op, const Tree *lhs, const Tree *rhs) {
    Tree *tree = made.make<T>(rhs->range(), {lhs, rhs});
    SyntaxTree::setOp(*tree, op);
    return tree;
  }
  const Tree *compare(TreeOp op, const Tree *lhs, const Tree *rhs) { return binary<Compare>(op, lhs, rhs); }
  const Tree *join(TreeOp op, const Tree *lhs, const Tree *rhs) { return binary<BoolOp>(op, lhs, rhs); }
  const Tree *name(StringRef name, SourceRange range) {
    Tree *var = made.make<Var>(range);
    SyntaxTree::setName(*var, made.save(name));
    return var;
  }
  const Tree *call(StringRef callee, ArrayRef<const Tree *> args, SourceRange range) {
    const Tree *list = made.make<List>(range, args), *none = made.make<List>(range);
    return made.make<Apply>(range, {name(callee, range), list, none});
  }
  const Tree *number(int64_t value, SourceRange range) {
    Tree *literal = made.make<IntLiteral>(range);
    SyntaxTree::setInt(*literal, value);
    return literal;
  }

  /// A name for a part that may be of several types: what is asked of it first narrows what is asked next.
  const Tree *nameOf(const Tree *part, Question &question) {
    if (llvm::isa<Var>(part))
      return part;
    SourceRange range = part->range();
    const Tree *var = name(fn.compiler.hiddenName("part"), range);
    const Tree *given = made.make<NamedExpr>(range, {var, part});
    ask(question, call("isinstance", {given, name("object", range)}, range)); // always
    return var;
  }

  /// A number equals those of its value, of whatever type; other literals only what is of their own.
  bool readLiteral(const Tree *literal, const Tree *subject, const Type *type, Question &question) {
    SourceRange range = literal->range();
    if (type && llvm::none_of(alternativesOf(type), [&](const Type *one) { return mayEqual(one, literal); }))
      return never(question);
    auto *optional = llvm::dyn_cast_or_null<OptionalType>(type); // == takes None
    const Type *several = severalTypesOf(optional ? optional->element() : type);
    if (several)
      subject = nameOf(subject, question);
    auto isOf = [&](StringRef type) { return call("isinstance", {subject, name(type, range)}, range); };
    if (llvm::isa<BoolLiteral>(literal) || (several && llvm::isa<StringLiteral>(literal))) {
      ask(question, isOf(llvm::isa<BoolLiteral>(literal) ? "bool" : "str"));
      return ask(question, compare(TreeOp::Eq, subject, literal));
    }
    if (!several)
      return ask(question, compare(TreeOp::Eq, subject, literal));
    const Type *numbers[] = {Type::intType(), Type::floatType(), Type::boolType(), Type::complexType()};
    const Tree *any = nullptr;
    for (const Type *number : numbers) {
      if (!several->isAny() && !number->isSubtypeOf(several))
        continue;
      const Tree *value = number->isBool() ? call("int", {subject}, range) : subject;
      const Tree *one = join(TreeOp::And, isOf(number->annotation()), compare(TreeOp::Eq, value, literal));
      any = any ? join(TreeOp::Or, any, one) : one;
    }
    return ask(question, any ? any : isOf("int"));
  }

  /// The attributes that the places of a class's pattern stand for; empty where it takes at most the whole.
  std::vector<std::string> attributesByPlace(const Type *type) const {
    if (auto *tuple = llvm::dyn_cast_or_null<TupleType>(type))
      return tuple->fieldNames().vec();
    auto *classType = llvm::dyn_cast_or_null<ClassType>(type);
    auto known = classType ? fn.compiler.classes.find(classType) : fn.compiler.classes.end();
    return known == fn.compiler.classes.end() ? std::vector<std::string>() : known->second.matchNames;
  }

  /// `Point(0, below)`, `Point(x=0, y=below)`, `int(n)`
  bool readClass(const Apply &pattern, const Tree *subject, const Type *type, Question &question) {
    SourceRange range = pattern.range();
    if (severalTypesOf(type))
      subject = nameOf(subject, question);
    ask(question, call("isinstance", {subject, pattern.callee()}, range));
    const Type *owner = tryTypeFromExpression(fn.context(), fn.resolver, pattern.callee());
    auto readAttribute = [&](StringRef name, const Tree *value, SourceRange where) {
      Tree *part = made.make<Select>(where, {subject});
      SyntaxTree::setName(*part, made.save(name));
      return read(value, part, attributeType(owner, name), question);
    };
    const std::vector<std::string> places = attributesByPlace(owner);
    if (places.empty() && pattern.args().size() == 1 && pattern.keywords().empty()) // int(n): the whole
      return read(pattern.args()[0], subject, owner, question);
    if (pattern.args().size() > places.size())
      return fn.error(range, diag::UnsupportedSyntax, "patterns of attributes without their names");
    for (size_t i = 0; i != pattern.args().size(); ++i)
      if (!readAttribute(places[i], pattern.args()[i], pattern.args()[i]->range()))
        return false;
    for (const Tree *keyword : pattern.keywords()) {
      auto *named = llvm::dyn_cast<Keyword>(keyword);
      if (!named)
        return fn.error(keyword->range(), diag::UnsupportedSyntax, unsupportedWords(keyword->kind()));
      if (!readAttribute(named->name(), named->value(), keyword->range()))
        return false;
    }
    return true;
  }

  bool isAskedAsTuple(const Type *several) const {
    return mayBe<TupleType>(several) && (looksAtTuples || !mayBe<ListType>(several));
  }

  /// Asks whether a subject of several types is a list or a tuple, as a pattern of elements wants it, and gives it a
  /// name. False after a report.
  bool askForSequence(const Tree *pattern, const Tree *&subject, const Type *several, Question &question) {
    SourceRange range = pattern->range();
    if (several->isAny())
      return fn.error(range, diag::UnsupportedSyntax,
                      "patterns of parts of a value of type Any, whose elements have no type here,");
    const bool hasLists = mayBe<ListType>(several), hasTuples = mayBe<TupleType>(several);
    if (!hasLists && !hasTuples)
      return never(question);
    if (hasLists && hasTuples && subject != whole)
      return fn.error(range, diag::UnsupportedSyntax, "patterns of parts that may be lists or tuples");
    const bool isTuple = isAskedAsTuple(several);
    if (isTuple && !onlyOne<TupleType>(several))
      return fn.error(range, diag::UnsupportedSyntax, "patterns of what may be one of several tuples");
    subject = nameOf(subject, question);
    return ask(question, call("isinstance", {subject, name(isTuple ? "tuple" : "list", range)}, range));
  }

  /// `[first, *rest, last]`: an element behind the star counts from the end.
  bool readSequence(const Tree *pattern, const Tree *subject, const Type *type, Question &question) {
    SourceRange range = pattern->range();
    auto elements = TreeList<Expr>(pattern);
    const auto stars = llvm::count_if(elements, [](const Tree *each) { return llvm::isa<Starred>(each); });
    if (stars > 1)
      return fn.error(range, diag::UnsupportedSyntax, "several starred names in a pattern");
    const Type *several = severalTypesOf(type);
    if (type && !several && !llvm::isa<ListType, TupleType>(type)) // a string is none whose letters a pattern looks at
      return never(question);
    if (several && !askForSequence(pattern, subject, several, question))
      return false;
    if (question.isNever)
      return true;
    auto *tuple = !several || isAskedAsTuple(several) ? onlyOne<TupleType>(type) : nullptr;
    auto *list = tuple ? nullptr : onlyOne<ListType>(type);
    const auto count = static_cast<int64_t>(elements.size()) - stars;
    if (tuple) {
      const auto length = static_cast<int64_t>(tuple->elements().size());
      if (stars ? length < count : length != count)
        return never(question);
    } else if (count || !stars) {
      ask(question, compare(stars ? TreeOp::Ge : TreeOp::Eq, call("len", {subject}, range), number(count, range)));
    }
    bool isBehindStar = false;
    for (size_t i = 0; i != elements.size(); ++i) {
      SourceRange where = elements[i]->range();
      const auto behind = static_cast<int64_t>(elements.size() - i);
      if (auto *star = llvm::dyn_cast<Starred>(elements[i])) {
        isBehindStar = true;
        auto *name = llvm::dyn_cast<Var>(star->value());
        if (!name)
          return fn.error(where, diag::UnsupportedSyntax, "patterns of this kind");
        if (name->name() == "_")
          continue;
        const Tree *stop = behind > 1 ? number(1 - behind, where) : nullptr;
        const Tree *slice = made.make<Slice>(where, {number(static_cast<int64_t>(i), where), stop, nullptr});
        question.names.emplace_back(name, made.make<Subscript>(where, {subject, made.make<List>(where, {slice})}));
        continue;
      }
      const Tree *index = number(isBehindStar ? -behind : static_cast<int64_t>(i), where);
      const Tree *part = made.make<Subscript>(where, {subject, made.make<List>(where, {index})});
      const size_t place = isBehindStar && tuple ? tuple->elements().size() - behind : i;
      const Type *ofPart = tuple ? tuple->elements()[place] : list ? list->element() : nullptr;
      if (!read(elements[i], part, ofPart, question))
        return false;
    }
    return true;
  }

  /// `{key: value for key, value in subject.items() if key not in (taken,)}`
  const Tree *entriesBut(ArrayRef<const Tree *> taken, const Tree *subject, SourceRange range) {
    const Tree *key = name("$key", range), *value = name("$value", range), *none = made.make<List>(range);
    Tree *items = made.make<Select>(range, {subject});
    SyntaxTree::setName(*items, made.save("items"));
    const Tree *pairs = made.make<Apply>(range, {items, none, none});
    llvm::SmallVector<const Tree *, 4> conditions;
    if (!taken.empty())
      conditions.push_back(compare(TreeOp::NotIn, key, made.make<TupleLiteral>(range, taken)));
    const Tree *target = made.make<TupleLiteral>(range, {key, value});
    const Tree *loop = made.make<Comprehension>(range, {target, pairs, made.make<List>(range, conditions)});
    return made.make<DictComp>(range, {key, value, made.make<List>(range, {loop})});
  }

  /// `{"kind": "add", "value": v}`: further keys don't matter; `**rest` takes them.
  bool readMapping(const DictLiteral &pattern, const Tree *subject, const Type *type, Question &question) {
    if (pattern.keys().size() != pattern.values().size())
      return fn.error(pattern.range(), diag::UnsupportedSyntax, "patterns of this kind");
    auto *dict = onlyOne<DictType>(type);
    if (severalTypesOf(type))
      subject = nameOf(subject, question);
    ask(question, call("isinstance", {subject, name("dict", pattern.range())}, pattern.range()));
    llvm::SmallVector<const Tree *, 8> taken;
    for (size_t i = 0; i != pattern.keys().size(); ++i) {
      const Tree *key = pattern.keys()[i];
      if (auto *rest = llvm::dyn_cast_or_null<DoubleStarred>(key)) {
        auto *named = llvm::dyn_cast<Var>(rest->child(0));
        if (!named || i + 1 != pattern.keys().size())
          return fn.error(pattern.range(), diag::UnsupportedSyntax, "patterns of this kind");
        question.names.emplace_back(named, entriesBut(taken, subject, key->range()));
        return true;
      }
      if (!key)
        return fn.error(pattern.range(), diag::UnsupportedSyntax, "patterns of this kind");
      if (dict && !mayEqual(dict->key(), key))
        return never(question);
      taken.push_back(key);
      ask(question, compare(TreeOp::In, key, subject));
      const Tree *part = made.make<Subscript>(key->range(), {subject, made.make<List>(key->range(), {key})});
      if (!read(pattern.values()[i], part, dict ? dict->value() : nullptr, question))
        return false;
    }
    return true;
  }

  FunctionContext &fn;
  SyntaxTree &made;
  const Tree *whole; ///< The subject itself.
};

} // namespace

/// Whether a pattern gives names to parts.
static bool namesParts(const Tree *pattern) {
  if (auto *var = llvm::dyn_cast_or_null<Var>(pattern))
    return var->name() != "_";
  if (!pattern || llvm::isa<Select>(pattern))
    return false;
  if (auto *call = llvm::dyn_cast<Apply>(pattern)) // whose callee is a class
    return llvm::any_of(call->args(), namesParts) || llvm::any_of(call->keywords(), namesParts);
  return llvm::isa<NamedExpr>(pattern) || llvm::any_of(pattern->children(), namesParts);
}

/// Alternatives that give names to parts are cases of their own, with the same guard and body.
static void addCases(const MatchCase &one, const Tree *pattern, llvm::SmallVectorImpl<PatternCase> &cases) {
  auto *either = llvm::dyn_cast<BinOp>(pattern);
  if (either && either->op() == TreeOp::BitOr && namesParts(pattern)) {
    addCases(one, either->lhs(), cases);
    addCases(one, either->rhs(), cases);
  } else {
    cases.emplace_back(&one, pattern);
  }
}

bool tsc::emitMatch(FunctionContext &fn, const Match &tree) {
  Value *value = emitExpr(fn, tree.subject());
  std::string subject = fn.compiler.hiddenName("subject");
  if (!value)
    return false;
  // A variable is narrowed itself; another expression is worked out once.
  if (auto *var = llvm::dyn_cast<Var>(tree.subject()); var && fn.env.typeOf(var->name()))
    subject = var->name().str();
  else if (!setVariable(fn, subject, fn.simple(value), tree.range()))
    return false;
  llvm::SmallVector<PatternCase, 8> cases;
  for (const MatchCase *one : tree.cases())
    addCases(*one, one->pattern(), cases);
  return emitCases(fn, tree, cases, subject);
}

static bool emitCases(FunctionContext &fn, const Match &tree, ArrayRef<PatternCase> cases, StringRef subjectName,
                      bool looksAtTuples) {
  if (cases.empty())
    return true;
  const MatchCase &one = *cases.front().first;
  const Tree *pattern = cases.front().second;
  SourceRange range = pattern->range();
  SyntaxTree &made = fn.compiler.synthetic(tree.buffer());
  Tree *subject = made.make<Var>(range);
  SyntaxTree::setName(*subject, made.save(subjectName));
  Question question;
  PatternReader reader(fn, made, subject);
  reader.looksAtTuples = looksAtTuples;
  const Type *type = fn.env.typeOf(subjectName);
  const bool isFirstOfTwo = !looksAtTuples && PatternReader::asksTwice(pattern, type);
  if (!reader.read(pattern, subject, type, question))
    return false;
  auto nameParts = [&]() -> bool {
    for (auto &[name, part] : question.names) {
      Value *value = emitExpr(fn, part);
      if (!value || !setVariable(fn, name->name(), fn.simple(value), range))
        return false;
    }
    if (one.name().empty())
      return true;
    return setVariable(fn, one.name(), fn.simple(emitExpr(fn, subject)), range);
  };
  auto others = [&] { return emitCases(fn, tree, cases.drop_front(!isFirstOfTwo), subjectName, isFirstOfTwo); };
  if (question.isNever)
    return others();
  auto body = [&] { return emitStatements(fn, one.body()); };
  Condition condition = question.condition ? emitCondition(fn, question.condition) : knownCondition(fn, true, range);
  if (!condition)
    return false;
  if (one.guard()) {
    if (condition.known && *condition.known) {
      insertRefinements(fn, condition.refinements.whenTrue, range);
      if (!nameParts())
        return false;
      condition = emitCondition(fn, one.guard());
    } else {
      condition = emitShortCircuit(fn, range, /*isOr=*/false, condition,
                                   [&] { return nameParts() ? emitCondition(fn, one.guard()) : Condition(); });
    }
    if (!condition)
      return false;
  }
  auto matched = [&] { return nameParts() && body(); };
  if (!condition.known)
    return emitIfBlocks(fn, range, condition, matched, others);
  insertRefinements(fn, *condition.known ? condition.refinements.whenTrue : condition.refinements.whenFalse, range);
  return *condition.known ? matched() : others();
}
