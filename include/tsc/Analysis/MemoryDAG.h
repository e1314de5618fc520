//===- MemoryDAG.h - What may point to which memory -------------*- C++ -*-===//
//
// The graph below alias analysis. Elements stand for whatever may refer to
// memory: values of the IR, fields of tuples, what a container holds, a
// temporary. An edge says "may point to whatever that one points to". The leaves
// are memory locations: a tensor's storage, a list, an object, one attribute of
// an object. Two elements may alias when they share a leaf.
//
// A location is one allocation in the program, one constant, or a wildcard:
// everything of one type that comes from outside of the function. Each element
// keeps its set of leaves, found while edges are added; a set that would exceed
// `MaxLocations` has its locations made one (union-find), so that building is
// linear in practice whatever the shape of the program, and a query touches at
// most a handful of numbers.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_ANALYSIS_MEMORYDAG_H
#define TSC_ANALYSIS_MEMORYDAG_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <vector>

namespace tsc {

class Graph;
class Type;
class Value;

/// What a value may refer to. A tuple is no memory of its own: its element has one element a field.
enum class Element : unsigned { None = ~0u };
/// A piece of memory that can be written.
enum class Location : unsigned {};
/// What of a location is meant: what a container holds, or an attribute of an object.
enum class Field : unsigned { Contents = 0 };

class MemoryDAG {
public:
  /// Beyond so many locations an element's set becomes one location.
  static constexpr unsigned maxLocations = 32;

  explicit MemoryDAG(const Graph &graph);

  // Building. Element::None, the element of what has no memory (an int), may be given everywhere.

  /// A new element that points to nothing yet; None when values of the type cannot be written.
  Element makeElement(const Type *type);
  /// `from` may point to whatever `to` points to. Tuples are taken apart field by field.
  void makePointerTo(Element from, Element to);
  /// A new location of that type, made by `origin` (which names it in print).
  Location makeLocation(const Type *type, const Value *origin);
  void pointTo(Element element, Location location);
  /// `element`, of type `type`, may point to anything of that type that comes from outside.
  void pointToWildcard(Element element, const Type *type);
  Field field(llvm::StringRef attribute);
  /// `result` may point to what the field of `base` holds. `type` is the field's type where the class does not say.
  void load(Element base, Field field, Element result, const Type *type);
  void store(Element base, Field field, Element value, const Type *type);
  /// The element may become known to code that is not seen: it becomes one with the wildcard of its type.
  void escape(Element element);
  /// Code that is not seen runs: it may have stored whatever it knows wherever it can.
  void setHasUnknownCode();
  /// A constant outlives the call.
  void setConstant(Location location) { at(location).isConstant = true; }
  /// What the location's field holds.
  Element contents(Location location, Field field, const Type *type);
  /// Follows every edge to the end. Cheap when nothing changed since the last time.
  void solve();
  /// Solves and makes the answers below constant. Locations that `outputs` reach escape.
  void finish(llvm::ArrayRef<Element> outputs);

  // Fields of a tuple's element.
  bool isTuple(Element element) const { return element != Element::None && node(element).isTuple; }
  llvm::ArrayRef<Element> fields(Element element) const {
    return llvm::ArrayRef<Element>(children).slice(node(element).firstChild, node(element).numChildren);
  }

  // Answers, after finish().

  /// The locations of an element, a tuple's fields included; sorted.
  void collect(Element element, llvm::SmallVectorImpl<Location> &into) const;
  /// Calls for every location that can be reached from `from`, itself included, until the callback says false.
  void walkReachable(llvm::ArrayRef<Location> from, llvm::function_ref<bool(Location)> visit) const;
  /// Sets the flag, by location, of whatever holds a location that has it.
  void spreadToHolders(std::vector<bool> &flags) const;
  /// What the location holds, attributes included.
  void forEachHeld(Location location, llvm::function_ref<void(Location)> visit) const;
  /// The memory of an object's attribute; none when nothing in the function names it.
  std::optional<Location> attribute(Location object, Field field) const;
  /// From outside of the function.
  bool isWildcard(Location location) const { return at(location).isWildcard; }
  /// Code that is not seen can reach it while the function runs.
  bool isVisibleOutside(Location location) const { return at(location).isVisible; }
  /// Somebody outside can see it, if only after the function returned.
  bool escapes(Location location) const { return at(location).escapes; }
  /// An object of which not every attribute was listed: it may hold anything that is visible outside.
  bool mayHoldAnythingOutside(Location location) const { return at(location).isWildcard && at(location).isOpen; }
  size_t numLocations() const { return locations.size(); }
  /// The one that stands for all locations it was made one with.
  Location find(Location location) const;
  /// `%x` for what a node made, `inner %x` in a subgraph; `outside(Tensor)`; `%x.name` for an attribute.
  std::string name(Location location) const;

private:
  using LocationSet = llvm::SmallVector<Location, 2>;
  struct ElementNode {
    ElementNode() = default;
    ElementNode(ElementNode &&) noexcept = default; // a vector that grows moves them
    LocationSet pointsTo;                           ///< Sorted roots, as of `epoch`.
    unsigned epoch = 0;                             ///< Unifications that pointsTo knows of.
    unsigned firstEdge = ~0u;                       ///< Elements that point here, as a list in `edges`.
    unsigned firstRule = ~0u;                       ///< Loads, stores, escapes through this one, in `rules`.
    unsigned firstChild = 0, numChildren = 0;
    bool isTuple = false, isQueued = false, isSaturated = false;
  };
  struct Edge {
    Element target;
    unsigned next;
  };
  enum class RuleKind : uint8_t { Load, Store, Escape };
  struct Rule {
    RuleKind kind;
    Field field;
    Element other; ///< Result of a load, value of a store.
    const Type *type;
    unsigned next;
  };
  struct LocationNode {
    LocationNode() = default;
    LocationNode(LocationNode &&) noexcept = default;
    const Type *type = nullptr; ///< Null: of several types.
    const Value *origin = nullptr;
    Location parent{};
    Element contents = Element::None;
    Location owner{}; ///< Of an attribute: the object.
    bool isAttribute = false, isWildcard = false, isConstant = false, isVisible = false, escapes = false;
    bool isOpen = false;          ///< Its fields are not all listed.
    unsigned attributeList = ~0u; ///< Of an object with attributes: its list.
  };
  struct AttributeList {
    llvm::SmallVector<std::pair<Field, Location>, 0> inOrder;
    llvm::DenseMap<Field, Location> byField;
  };

  ElementNode &node(Element e) { return elements[static_cast<unsigned>(e)]; }
  const ElementNode &node(Element e) const { return elements[static_cast<unsigned>(e)]; }
  LocationNode &at(Location l) { return locations[static_cast<unsigned>(find(l))]; }
  const LocationNode &at(Location l) const { return locations[static_cast<unsigned>(find(l))]; }
  void forEachLeaf(Element element, llvm::function_ref<void(Element)> visit) const;
  Element makeTuple(llvm::ArrayRef<Element> fields);
  Element makeContents(const Type *type);
  void addEdge(Element from, Element to);
  void addRule(Element element, Rule rule);
  void apply(const Rule &rule, Location location);
  void include(Element element, llvm::ArrayRef<Location> added);
  void enqueue(Element element);
  void canonicalize(Element element);
  void unify(Location a, Location b);
  void forgetShapeOfContents(Location location);
  void open(Location wildcard);
  void propagate(Element element);
  void wildcards(const Type *type, llvm::SmallVectorImpl<Location> &into);
  Location wildcardNamed(llvm::StringRef key, const Type *type);
  Location anyWildcard();
  Location classWildcard();
  llvm::ArrayRef<std::pair<Field, Location>> attributes(Location object) const;
  void addAttribute(Location object, Field field, Location attribute);
  Location attributeOf(Location object, Field field);
  /// The location of an attribute as it was added, which may have become one with others since.
  std::optional<Location> knownAttribute(Location object, Field field) const;
  const Type *attributeType(Location object, Field field) const;
  void closeOverContents(bool LocationNode::*flag);

  const Graph &graph; ///< Whose values are named without more.
  std::vector<ElementNode> elements;
  std::vector<Element> children;
  std::vector<Edge> edges;
  std::vector<Rule> rules;
  std::vector<LocationNode> locations;
  std::vector<AttributeList> attributeLists;
  std::vector<Element> queue;
  std::vector<std::pair<Location, Location>> unifications;     ///< To be done.
  llvm::DenseSet<std::pair<unsigned, unsigned>> inferredEdges; ///< Those that rules and unifications made.
  bool isInferring = false;
  llvm::StringMap<Location> wildcardOfKey;
  llvm::DenseMap<const Type *, Location> wildcardOfType;
  llvm::StringMap<Field> fieldNumbers;
  std::vector<llvm::StringRef> fieldNames{""};
  std::optional<Location> any, anyClass;
  unsigned epoch = 0;
  bool hasUnknownCode = false;
};

} // namespace tsc

#endif
