//===- MemoryDAG.cpp - What may point to which memory ---------------------===//
//
// Elements and their edges, sets of locations, and wildcards for what comes from
// outside. Edges only ever add locations, so sets grow until nothing changes;
// union-find makes locations one where a set would grow too large or types say that
// two wildcards may be one object.
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/MemoryDAG.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

static unsigned number(Element element) { return static_cast<unsigned>(element); }
static unsigned number(Location location) { return static_cast<unsigned>(location); }

/// Most values have one element, and most that have one are the origin of a location.
MemoryDAG::MemoryDAG(const Graph &graph) : graph(graph) {
  elements.reserve(graph.numIds<Value>());
  locations.reserve(graph.numIds<Value>());
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The type without Optional and without the alternatives of a Union that have no memory; null when several remain.
static const Type *memoryType(const Type *type) {
  while (type) {
    if (const auto *optional = dyn_cast<OptionalType>(type)) {
      type = optional->element();
      continue;
    }
    if (type->kind() != TypeKind::Union)
      return type;
    const Type *only = nullptr;
    for (const Type *member : type->contained())
      if (member->isMutable()) {
        if (only)
          return nullptr;
        only = member;
      }
    type = only;
  }
  return type;
}

Element MemoryDAG::makeTuple(ArrayRef<Element> fields) {
  ElementNode tuple;
  tuple.isTuple = true;
  tuple.firstChild = children.size();
  tuple.numChildren = fields.size();
  children.insert(children.end(), fields.begin(), fields.end());
  elements.push_back(std::move(tuple));
  return Element(elements.size() - 1);
}

Element MemoryDAG::makeElement(const Type *type) {
  assert(type && "whether an element can be written, its type says");
  if (!type->isMutable())
    return Element::None;
  if (const auto *tuple = llvm::dyn_cast_or_null<TupleType>(memoryType(type))) {
    llvm::SmallVector<Element, 4> fields;
    for (const Type *field : tuple->elements())
      fields.push_back(makeElement(field));
    return makeTuple(fields);
  }
  elements.emplace_back().epoch = epoch;
  return Element(elements.size() - 1);
}

void MemoryDAG::forEachLeaf(Element element, llvm::function_ref<void(Element)> visit) const {
  if (element == Element::None)
    return;
  if (!node(element).isTuple)
    return visit(element);
  for (unsigned i = 0; i != node(element).numChildren; ++i) // `children` may grow under us
    forEachLeaf(children[node(element).firstChild + i], visit);
}

void MemoryDAG::makePointerTo(Element from, Element to) {
  if (from == Element::None || to == Element::None || from == to)
    return;
  if (isTuple(from) && isTuple(to) && node(from).numChildren == node(to).numChildren) {
    for (unsigned i = 0; i != node(from).numChildren; ++i)
      makePointerTo(children[node(from).firstChild + i], children[node(to).firstChild + i]);
    return;
  }
  if (isTuple(from) || isTuple(to)) { // the shape is not known on one side: every field may be any
    forEachLeaf(from, [&](Element target) { forEachLeaf(to, [&](Element source) { addEdge(target, source); }); });
    return;
  }
  addEdge(from, to);
}

void MemoryDAG::addEdge(Element from, Element to) {
  if (from == to || (isInferring && !inferredEdges.insert({number(from), number(to)}).second))
    return;
  edges.push_back({from, node(to).firstEdge});
  node(to).firstEdge = edges.size() - 1;
  canonicalize(to);
  LocationSet known = node(to).pointsTo;
  include(from, known);
}

void MemoryDAG::pointTo(Element element, Location location) {
  forEachLeaf(element, [&](Element leaf) { include(leaf, find(location)); });
}

void MemoryDAG::pointToWildcard(Element element, const Type *type) {
  const Type *shape = memoryType(type);
  const auto *tuple = llvm::dyn_cast_or_null<TupleType>(shape);
  if (isTuple(element) && tuple && tuple->elements().size() == node(element).numChildren) {
    for (unsigned i = 0; i != node(element).numChildren; ++i)
      pointToWildcard(children[node(element).firstChild + i], tuple->elements()[i]);
    return;
  }
  llvm::SmallVector<Location, 2> outside;
  wildcards(type, outside);
  for (Location wildcard : outside)
    pointTo(element, wildcard);
}

//===----------------------------------------------------------------------===//
// Sets of locations
//===----------------------------------------------------------------------===//

static void sortUnique(llvm::SmallVectorImpl<Location> &set) {
  llvm::sort(set);
  set.erase(std::unique(set.begin(), set.end()), set.end());
}

void MemoryDAG::canonicalize(Element element) {
  ElementNode &e = node(element);
  if (e.epoch == epoch)
    return;
  e.epoch = epoch;
  for (Location &location : e.pointsTo)
    location = find(location);
  if (e.pointsTo.size() > 1)
    sortUnique(e.pointsTo);
}

void MemoryDAG::enqueue(Element element) {
  ElementNode &e = node(element);
  if (e.isQueued || (e.firstEdge == ~0u && e.firstRule == ~0u))
    return;
  e.isQueued = true;
  queue.push_back(element);
}

/// Adds locations. A full set becomes one location, and from then on whatever is added becomes one with it.
void MemoryDAG::include(Element element, ArrayRef<Location> added) {
  canonicalize(element);
  ElementNode &e = node(element);
  size_t before = e.pointsTo.size();
  std::optional<Location> joined;
  if (e.isSaturated)
    for (Location location : e.pointsTo)
      if (!locations[number(location)].isWildcard)
        joined = location;
  for (Location location : added) {
    location = find(location);
    auto place = llvm::lower_bound(e.pointsTo, location);
    if (place != e.pointsTo.end() && *place == location)
      continue;
    if (joined && !locations[number(location)].isWildcard)
      unifications.push_back({*joined, location});
    else
      e.pointsTo.insert(place, location);
  }
  if (e.pointsTo.size() == before)
    return;
  enqueue(element);
  if (e.pointsTo.size() <= maxLocations)
    return;
  e.isSaturated = true;
  std::optional<Location> first;
  for (Location location : e.pointsTo) {
    if (locations[number(location)].isWildcard)
      continue;
    if (first)
      unifications.push_back({*first, location});
    else
      first = location;
  }
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

Location MemoryDAG::makeLocation(const Type *type, const Value *origin) {
  LocationNode location;
  location.type = memoryType(type);
  location.origin = origin;
  location.parent = Location(locations.size());
  locations.push_back(std::move(location));
  return Location(locations.size() - 1);
}

Location MemoryDAG::find(Location location) const {
  auto &all = const_cast<std::vector<LocationNode> &>(locations); // path halving changes no answer
  while (all[number(location)].parent != location)
    location = all[number(location)].parent = all[number(all[number(location)].parent)].parent;
  return location;
}

/// What a container of the type holds. A dict's contents are a pair of key and value.
Element MemoryDAG::makeContents(const Type *type) {
  if (const auto *dict = llvm::dyn_cast_or_null<DictType>(type))
    return makeTuple({makeElement(dict->key()), makeElement(dict->value())});
  if (const auto *holder = llvm::dyn_cast_or_null<ElementType>(type))
    return makeElement(holder->element());
  return makeElement(Type::anyType());
}

ArrayRef<std::pair<Field, Location>> MemoryDAG::attributes(Location object) const {
  unsigned list = at(object).attributeList;
  return list == ~0u ? ArrayRef<std::pair<Field, Location>>() : attributeLists[list].inOrder;
}

void MemoryDAG::addAttribute(Location object, Field field, Location attribute) {
  unsigned &list = at(object).attributeList;
  if (list == ~0u) {
    list = attributeLists.size();
    attributeLists.emplace_back();
  }
  attributeLists[list].inOrder.push_back({field, attribute});
  attributeLists[list].byField.try_emplace(field, attribute);
}

std::optional<Location> MemoryDAG::knownAttribute(Location object, Field field) const {
  unsigned list = at(object).attributeList;
  if (list == ~0u)
    return std::nullopt;
  auto known = attributeLists[list].byField.find(field);
  return known == attributeLists[list].byField.end() ? std::nullopt : std::optional(known->second);
}

Location MemoryDAG::attributeOf(Location object, Field field) {
  object = find(object);
  if (std::optional<Location> known = knownAttribute(object, field))
    return find(*known);
  Location attribute = makeLocation(Type::anyType(), nullptr);
  at(attribute).isAttribute = true;
  at(attribute).owner = object;
  addAttribute(object, field, attribute);
  return attribute;
}

const Type *MemoryDAG::attributeType(Location object, Field field) const {
  const auto *type = llvm::dyn_cast_or_null<ClassType>(at(object).type);
  auto slot = type ? type->findAttribute(fieldNames[static_cast<unsigned>(field)]) : std::nullopt;
  return slot ? type->attribute(*slot).type : nullptr;
}

Element MemoryDAG::contents(Location location, Field field, const Type *type) {
  location = find(location);
  if (field != Field::Contents) {
    Location attribute = attributeOf(location, field);
    if (at(attribute).contents != Element::None)
      return at(attribute).contents;
    if (const Type *declared = attributeType(location, field))
      type = declared;
    Element held = makeElement(type);
    at(attribute).contents = held;
    at(attribute).type = type;
    if (at(location).isWildcard)
      open(attribute);
    return held;
  }
  if (at(location).contents == Element::None) {
    Element held = makeContents(at(location).type);
    at(location).contents = held;
    if (at(location).isWildcard)
      open(location);
  }
  return at(location).contents;
}

/// Makes what a location holds that is known outside: whatever outside holds.
void MemoryDAG::open(Location wildcard) {
  LocationNode &location = at(wildcard);
  location.isWildcard = true;
  if (location.contents != Element::None) {
    Element held = location.contents;
    if (location.isAttribute)
      pointToWildcard(held, location.type);
    else if (const auto *dict = llvm::dyn_cast_or_null<DictType>(location.type)) {
      llvm::SmallVector<Element, 2> pair(fields(held));
      pointToWildcard(pair[0], dict->key());
      pointToWildcard(pair[1], dict->value());
    } else {
      const auto *holder = llvm::dyn_cast_or_null<ElementType>(location.type);
      pointToWildcard(held, holder ? holder->element() : Type::anyType());
    }
    if (hasUnknownCode)
      escape(held);
  }
  llvm::SmallVector<Location, 4> inner;
  for (auto [field, attribute] : attributes(wildcard))
    if (!at(attribute).isWildcard)
      inner.push_back(attribute);
  for (Location attribute : inner)
    open(attribute);
}

/// One text for all types whose values may be one object: without Optional, names of tuples, facts of tensors.
static void printKey(const Type *type, std::string &key) {
  switch (type->kind()) {
  case TypeKind::Optional: return printKey(cast<OptionalType>(type)->element(), key);
  case TypeKind::Tensor: key += "Tensor"; return;
  case TypeKind::List:
  case TypeKind::Dict:
  case TypeKind::Tuple:
  case TypeKind::Future:
  case TypeKind::Await:
  case TypeKind::RRef:
  case TypeKind::Union:
    key += type->kind() == TypeKind::List    ? "List["
           : type->kind() == TypeKind::Dict  ? "Dict["
           : type->kind() == TypeKind::Tuple ? "Tuple["
           : type->kind() == TypeKind::Union ? "Union["
                                             : "Future[";
    for (auto [i, inner] : llvm::enumerate(type->contained())) {
      key += i ? ", " : "";
      printKey(inner, key);
    }
    key += "]";
    return;
  default: key += type->str();
  }
}

static bool mayBeOneObject(const Type *a, const Type *b) {
  if (a == b || !a || !b)
    return a == b;
  std::string keyOfA, keyOfB;
  printKey(a, keyOfA);
  printKey(b, keyOfB);
  return keyOfA == keyOfB;
}

/// Makes two locations one, with all that they hold.
void MemoryDAG::unify(Location a, Location b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return;
  if (b < a)
    std::swap(a, b);
  ++epoch;
  LocationNode &to = locations[number(a)], &from = locations[number(b)];
  bool becomesWildcard = to.isWildcard != from.isWildcard;
  llvm::SmallVector<std::pair<Field, Location>, 0> moved(attributes(b));
  from.parent = a;
  to.isConstant |= from.isConstant;
  to.isOpen |= from.isOpen;
  if (!mayBeOneObject(to.type, from.type))
    to.type = nullptr;
  if (to.isWildcard || from.isWildcard)
    to.isWildcard = from.isWildcard = true;
  if (!to.isAttribute != !from.isAttribute)
    to.isAttribute = false;
  Element held = from.contents, ours = to.contents;
  if (ours == Element::None)
    to.contents = held;
  for (auto [field, attribute] : moved) {
    if (std::optional<Location> same = knownAttribute(a, field))
      unifications.push_back({*same, attribute});
    else
      addAttribute(a, field, attribute);
  }
  if (ours != Element::None && held != Element::None) {
    makePointerTo(ours, held);
    makePointerTo(held, ours);
  }
  if (!at(a).type)
    forgetShapeOfContents(a);
  if (becomesWildcard)
    open(a);
}

/// The pair of a dict's key and value stands for what a dict holds alone: of a location that may be something else,
/// too, any part may be anything.
void MemoryDAG::forgetShapeOfContents(Location location) {
  const Element shaped = at(location).contents;
  if (shaped == Element::None || !isTuple(shaped))
    return;
  const Element held = makeElement(Type::anyType());
  at(location).contents = held;
  makePointerTo(held, shaped);
  makePointerTo(shaped, held);
  if (at(location).isWildcard)
    open(location);
}

//===----------------------------------------------------------------------===//
// Outside
//===----------------------------------------------------------------------===//

Location MemoryDAG::wildcardNamed(StringRef key, const Type *type) {
  auto [entry, isNew] = wildcardOfKey.try_emplace(key);
  if (isNew) {
    Location wildcard = makeLocation(type, nullptr);
    locations[number(wildcard)].type = type;
    at(wildcard).isWildcard = true;
    at(wildcard).isOpen = !type || type->kind() == TypeKind::Class;
    entry->second = wildcard;
  }
  return find(entry->second);
}

/// Of values whose type says nothing: from now on everything outside is one location.
Location MemoryDAG::anyWildcard() {
  if (!any) {
    llvm::SmallVector<Location> others;
    for (auto &entry : wildcardOfKey)
      others.push_back(entry.second);
    llvm::sort(others);
    any = wildcardNamed("", nullptr);
    for (Location other : others)
      unifications.push_back({*any, other});
  }
  return find(*any);
}

/// Of values of an interface: all objects outside are one.
Location MemoryDAG::classWildcard() {
  if (!anyClass) {
    anyClass = wildcardNamed("object", nullptr);
    for (auto &entry : wildcardOfType)
      if (entry.first->kind() == TypeKind::Class)
        unifications.push_back({*anyClass, entry.second});
  }
  return find(*anyClass);
}

void MemoryDAG::wildcards(const Type *type, llvm::SmallVectorImpl<Location> &into) {
  if (!type) {
    into.push_back(anyWildcard());
    return;
  }
  if (!type->isMutable())
    return;
  if (any) {
    into.push_back(find(*any));
    return;
  }
  switch (type->kind()) {
  case TypeKind::Optional:
  case TypeKind::Union:
  case TypeKind::Tuple:
    for (const Type *inner : type->contained())
      wildcards(inner, into);
    return;
  case TypeKind::Interface:
  case TypeKind::AnyClass: into.push_back(classWildcard()); return;
  case TypeKind::Class:
    if (anyClass) {
      into.push_back(classWildcard());
      return;
    }
    [[fallthrough]];
  case TypeKind::Tensor:
  case TypeKind::List:
  case TypeKind::Dict:
  case TypeKind::Future:
  case TypeKind::Await:
  case TypeKind::RRef:
  case TypeKind::Generator:
  case TypeKind::Stream: {
    auto known = wildcardOfType.find(type);
    if (known == wildcardOfType.end()) {
      std::string key;
      printKey(type, key);
      known = wildcardOfType.try_emplace(type, wildcardNamed(key, type)).first;
    }
    into.push_back(find(known->second));
    return;
  }
  default: into.push_back(anyWildcard());
  }
}

void MemoryDAG::setHasUnknownCode() {
  if (hasUnknownCode)
    return;
  hasUnknownCode = true;
  for (size_t i = 0; i != locations.size(); ++i)
    if (find(Location(i)) == Location(i) && locations[i].isWildcard && locations[i].contents != Element::None)
      escape(locations[i].contents);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

Field MemoryDAG::field(StringRef attribute) {
  auto [entry, isNew] = fieldNumbers.try_emplace(attribute, Field(fieldNames.size()));
  if (isNew)
    fieldNames.push_back(entry->first());
  return entry->second;
}

void MemoryDAG::addRule(Element element, Rule rule) {
  forEachLeaf(element, [&](Element leaf) {
    rule.next = node(leaf).firstRule;
    rules.push_back(rule);
    node(leaf).firstRule = rules.size() - 1;
    canonicalize(leaf);
    LocationSet known = node(leaf).pointsTo;
    for (Location location : known)
      apply(rule, location);
  });
}

void MemoryDAG::load(Element base, Field field, Element result, const Type *type) {
  if (result != Element::None || field != Field::Contents) // an attribute is memory also when it holds an int
    addRule(base, {RuleKind::Load, field, result, type, 0});
}
void MemoryDAG::store(Element base, Field field, Element value, const Type *type) {
  if (value != Element::None || field != Field::Contents)
    addRule(base, {RuleKind::Store, field, value, type, 0});
}
void MemoryDAG::escape(Element element) {
  addRule(element, {RuleKind::Escape, Field::Contents, Element::None, nullptr, 0});
}

void MemoryDAG::apply(const Rule &rule, Location location) {
  switch (rule.kind) {
  case RuleKind::Load: return makePointerTo(rule.other, contents(location, rule.field, rule.type));
  case RuleKind::Store: return makePointerTo(contents(location, rule.field, rule.type), rule.other);
  case RuleKind::Escape: {
    if (at(location).isWildcard)
      return;
    llvm::SmallVector<Location, 2> outside;
    wildcards(at(location).type, outside);
    for (Location wildcard : outside)
      unifications.push_back({wildcard, location});
  }
  }
}

void MemoryDAG::propagate(Element element) {
  node(element).isQueued = false;
  canonicalize(element);
  LocationSet known = node(element).pointsTo;
  for (unsigned i = node(element).firstEdge; i != ~0u; i = edges[i].next)
    include(edges[i].target, known);
  for (unsigned i = node(element).firstRule; i != ~0u; i = rules[i].next) {
    Rule rule = rules[i];
    for (Location location : known)
      apply(rule, location);
  }
}

/// The edges that come of it may have come of it before.
void MemoryDAG::solve() {
  isInferring = true;
  for (;;) {
    if (!unifications.empty()) {
      auto [a, b] = unifications.back();
      unifications.pop_back();
      unify(a, b);
    } else if (!queue.empty()) {
      Element next = queue.back();
      queue.pop_back();
      propagate(next);
    } else {
      isInferring = false;
      return;
    }
  }
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

void MemoryDAG::forEachHeld(Location location, llvm::function_ref<void(Location)> visit) const {
  forEachLeaf(at(location).contents, [&](Element leaf) { llvm::for_each(node(leaf).pointsTo, visit); });
  for (auto [field, attribute] : attributes(location))
    visit(find(attribute));
}

/// Spreads a flag from holders to what they hold.
void MemoryDAG::closeOverContents(bool LocationNode::*flag) {
  llvm::SmallVector<Location> pending;
  for (size_t i = 0; i != locations.size(); ++i)
    if (find(Location(i)) == Location(i) && locations[i].*flag)
      pending.push_back(Location(i));
  while (!pending.empty())
    forEachHeld(pending.pop_back_val(), [&](Location held) {
      if (at(held).*flag)
        return;
      at(held).*flag = true;
      pending.push_back(held);
    });
}

void MemoryDAG::spreadToHolders(std::vector<bool> &flags) const {
  assert(flags.size() == locations.size() && "one flag for each location");
  std::vector<std::pair<Location, Location>> holders; // what is held, and by whom: few locations hold others
  llvm::SmallVector<Location> pending;
  for (size_t i = 0; i != locations.size(); ++i) {
    if (find(Location(i)) != Location(i))
      continue;
    forEachHeld(Location(i), [&](Location held) { holders.push_back({held, Location(i)}); });
    if (flags[i])
      pending.push_back(Location(i));
  }
  llvm::sort(holders);
  while (!pending.empty()) {
    Location held = pending.pop_back_val();
    for (auto entry = llvm::lower_bound(holders, std::pair(held, Location(0)));
         entry != holders.end() && entry->first == held; ++entry)
      if (!flags[number(entry->second)]) {
        flags[number(entry->second)] = true;
        pending.push_back(entry->second);
      }
  }
}

void MemoryDAG::finish(ArrayRef<Element> outputs) {
  solve();
  // What lists and dicts outside hold, so that the answers below see it; the list grows.
  for (size_t i = 0; i != locations.size(); ++i) {
    Location location = find(Location(i));
    if (at(location).isWildcard && !at(location).isOpen && !at(location).isAttribute &&
        llvm::isa_and_nonnull<ElementType, DictType>(at(location).type)) {
      contents(location, Field::Contents, nullptr);
      solve();
    }
  }
  for (size_t i = 0; i != elements.size(); ++i)
    canonicalize(Element(i));
  for (LocationNode &location : locations)
    location.isVisible = location.isWildcard;
  closeOverContents(&LocationNode::isVisible);
  for (LocationNode &location : locations)
    location.escapes = location.isVisible || location.isConstant;
  for (Element output : outputs)
    forEachLeaf(output, [&](Element leaf) {
      for (Location location : node(leaf).pointsTo)
        at(location).escapes = true;
    });
  closeOverContents(&LocationNode::escapes);
}

void MemoryDAG::collect(Element element, llvm::SmallVectorImpl<Location> &into) const {
  size_t before = into.size();
  unsigned leaves = 0;
  forEachLeaf(element, [&](Element leaf) {
    into.append(node(leaf).pointsTo);
    ++leaves;
  });
  if (before || leaves > 1)
    sortUnique(into);
}

void MemoryDAG::walkReachable(ArrayRef<Location> from, llvm::function_ref<bool(Location)> visit) const {
  llvm::SmallVector<Location, 8> pending(from);
  llvm::SmallDenseSet<unsigned, 8> seen;
  while (!pending.empty()) {
    Location location = find(pending.pop_back_val());
    if (!seen.insert(number(location)).second)
      continue;
    if (!visit(location))
      return;
    forEachHeld(location, [&](Location held) { pending.push_back(held); });
  }
}

std::optional<Location> MemoryDAG::attribute(Location object, Field field) const {
  std::optional<Location> known = knownAttribute(object, field);
  return known ? std::optional(find(*known)) : std::nullopt;
}

std::string MemoryDAG::name(Location location) const {
  const LocationNode &l = at(location);
  if (l.isAttribute) {
    for (auto [field, attribute] : attributes(l.owner))
      if (find(attribute) == find(location))
        return name(l.owner) + "." + fieldNames[static_cast<unsigned>(field)].str();
  }
  if (l.isWildcard) {
    std::string key;
    if (l.type)
      printKey(l.type, key);
    return "outside" + (key.empty() ? "" : "(" + key + ")");
  }
  if (!l.origin)
    return "contents";
  return (&l.origin->graph() == &graph ? "%" : "inner %") + l.origin->displayName() +
         (l.isConstant ? " (constant)" : "");
}
