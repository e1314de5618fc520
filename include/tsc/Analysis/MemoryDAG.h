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
// `maxLocations` has its locations made one (union-find), so that building is
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

/// The number of an element: of whatever may refer to memory, such as a value. A tuple has no memory of its own; its
/// element consists of one element for each field.
enum class Element : unsigned { None = ~0u };
/// The number of a piece of memory that can be written. After locations were made one, several numbers may mean the
/// same location: see MemoryDAG::find().
enum class Location : unsigned {};
/// The part of a location that a load or store concerns: what a container holds, or an attribute of an object.
enum class Field : unsigned { Contents = 0 };

/// The points-to graph of one IR graph. AliasBuilder fills it in and calls finish(); then it answers questions. Borrows
/// the graph, values and types.
///
/// Threads:  one at a time, since also find() changes it.
class MemoryDAG {
public:
  /// The largest set of locations that an element keeps; a larger one is made one location.
  static constexpr unsigned maxLocations = 32;

  explicit MemoryDAG(const Graph &graph);

  // Building. Element::None, which stands for what has no memory (an int), may be given everywhere.

  /// Makes an element that points to nothing yet. Returns Element::None where values of the type cannot be written.
  Element makeElement(const Type *type);
  /// Notes that `from` may point to whatever `to` points to. Tuples are taken apart field by field.
  void makePointerTo(Element from, Element to);
  /// Makes a location of type `type`, which the value `origin` names in print.
  Location makeLocation(const Type *type, const Value *origin);
  /// Notes that `element`, or any field of a tuple, may point to `location`.
  void pointTo(Element element, Location location);
  /// Notes that `element`, of type `type`, may point to anything of that type that comes from outside.
  void pointToWildcard(Element element, const Type *type);
  /// Returns the field for attributes of that name. Borrows the name.
  Field field(llvm::StringRef attribute);
  /// Notes that `result` may point to what the field of `base` holds. `type` is the field's type where the class does
  /// not say it.
  void load(Element base, Field field, Element result, const Type *type);
  /// Notes that the field of `base` may hold whatever `value` points to.
  void store(Element base, Field field, Element value, const Type *type);
  /// Notes that unseen code may get to know the element: its locations become one with the wildcards of their types.
  void escape(Element element);
  /// Notes that unseen code runs, which may store whatever it knows wherever it can.
  void setHasUnknownCode();
  /// Notes that the location is a constant's, which outlives the call.
  void setConstant(Location location) { at(location).isConstant = true; }
  /// Returns the element that stands for what the location's field holds, made on first use. `type` is the field's type
  /// where the class does not say it.
  Element contents(Location location, Field field, const Type *type);
  /// Follows all that was noted until no element's set grows any more. Cheap when nothing changed since the last time.
  void solve();
  /// Solves, and computes the answers below. Locations that `outputs` can reach escape. Nothing may be added
  /// afterwards.
  void finish(llvm::ArrayRef<Element> outputs);

  /// Whether the element is a tuple's, or a pair of a dict's keys and values.
  bool isTuple(Element element) const { return element != Element::None && node(element).isTuple; }
  /// Returns the elements of the fields of a tuple, which `element` must be.
  llvm::ArrayRef<Element> fields(Element element) const {
    assert(isTuple(element) && "only a tuple has fields");
    return llvm::ArrayRef<Element>(children).slice(node(element).firstChild, node(element).numChildren);
  }

  // Answers, after finish().

  /// Appends the locations of an element, or of all fields of a tuple, to `into`, and leaves it sorted.
  void collect(Element element, llvm::SmallVectorImpl<Location> &into) const;
  /// Calls `visit` for `from` and every location that can be reached from it, each once, until it returns false.
  void walkReachable(llvm::ArrayRef<Location> from, llvm::function_ref<bool(Location)> visit) const;
  /// Sets the flag of every location that holds one whose flag is set, directly or not. `flags` has one entry a
  /// location.
  void spreadToHolders(std::vector<bool> &flags) const;
  /// Calls `visit` for every location that this one holds directly, attributes included. One may come twice.
  void forEachHeld(Location location, llvm::function_ref<void(Location)> visit) const;
  /// Returns the memory of an object's attribute; nullopt where nothing in the function names that attribute.
  std::optional<Location> attribute(Location object, Field field) const;
  /// Whether the location comes from outside of the function.
  bool isWildcard(Location location) const { return at(location).isWildcard; }
  /// Whether unseen code can reach the location while the function runs.
  bool isVisibleOutside(Location location) const { return at(location).isVisible; }
  /// Whether code outside can see the location, if only after the function has returned.
  bool escapes(Location location) const { return at(location).escapes; }
  /// Whether the location is an object from outside whose attributes are not all listed, so that it may hold anything
  /// that is visible outside.
  bool mayHoldAnythingOutside(Location location) const { return at(location).isWildcard && at(location).isOpen; }
  /// Returns how many locations were made, those that were made one counted separately.
  size_t numLocations() const { return locations.size(); }
  /// Returns the location that stands for this one and all that it was made one with.
  Location find(Location location) const;
  /// Returns a name for print: `%x` for what a node made, `inner %x` in a subgraph, `outside(Tensor)`, and `%x.name`
  /// for an attribute.
  std::string name(Location location) const;

private:
  using LocationSet = llvm::SmallVector<Location, 2>;
  struct ElementNode {
    ElementNode() = default;
    ElementNode(ElementNode &&) noexcept = default; // a vector that grows moves them
    LocationSet pointsTo;                           ///< Its locations; sorted, and roots as of `epoch`.
    unsigned epoch = 0;                             ///< How many unifications pointsTo takes into account.
    unsigned firstEdge = ~0u;                       ///< A list in `edges`: the elements that point here.
    unsigned firstRule = ~0u;                       ///< A list in `rules`: loads, stores and escapes of this one.
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
    Element other; ///< The result of a load, or the value of a store.
    const Type *type;
    unsigned next;
  };
  struct LocationNode {
    LocationNode() = default;
    LocationNode(LocationNode &&) noexcept = default;
    const Type *type = nullptr; ///< Null where it is of several types.
    const Value *origin = nullptr;
    Location parent{};
    Element contents = Element::None;
    Location owner{}; ///< The object, for an attribute.
    bool isAttribute = false, isWildcard = false, isConstant = false, isVisible = false, escapes = false;
    bool isOpen = false;          ///< Whether it has attributes that are not listed.
    unsigned attributeList = ~0u; ///< The index of its list in `attributeLists`, where it has attributes.
  };
  struct AttributeList {
    llvm::SmallVector<std::pair<Field, Location>, 0> inOrder;
    llvm::DenseMap<Field, Location> byField;
  };

  /// Returns an element's node; Element::None has none.
  ElementNode &node(Element e) {
    assert(static_cast<unsigned>(e) < elements.size() && "an element of this DAG, which Element::None is not");
    return elements[static_cast<unsigned>(e)];
  }
  const ElementNode &node(Element e) const {
    assert(static_cast<unsigned>(e) < elements.size() && "an element of this DAG, which Element::None is not");
    return elements[static_cast<unsigned>(e)];
  }
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
  /// Returns the location of an attribute as it was added; it may have become one with others since.
  std::optional<Location> knownAttribute(Location object, Field field) const;
  const Type *attributeType(Location object, Field field) const;
  void closeOverContents(bool LocationNode::*flag);

  const Graph &graph; ///< The graph whose values name() prints without `inner`.
  std::vector<ElementNode> elements;
  std::vector<Element> children;
  std::vector<Edge> edges;
  std::vector<Rule> rules;
  std::vector<LocationNode> locations;
  std::vector<AttributeList> attributeLists;
  std::vector<Element> queue;
  std::vector<std::pair<Location, Location>> unifications;     ///< The pairs still to be made one.
  llvm::DenseSet<std::pair<unsigned, unsigned>> inferredEdges; ///< The edges that rules and unifications made.
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
