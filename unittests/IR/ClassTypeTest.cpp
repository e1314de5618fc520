//===- ClassTypeTest.cpp - What classes and objects have ------------------===//
//
// Cases of PyTorch's test of class types, and the functions that its ClassType and
// ivalue::Object have, whose names the comments at the end of the lines give.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <thread>

using namespace tsc;

static ClassType &define(Context &context, llvm::StringRef name) {
  ClassType &type = *context.classType(name);
  type.setDefined();
  return type;
}

TEST_CASE("attributes of a class are added, looked for and removed") {
  Context context;
  ClassType &type = define(context, "__torch__.C");
  CHECK(type.addAttribute("a", Type::tensorType(), AttributeKind::Parameter) == 0);
  CHECK(*type.addOrCheckAttribute("b", Type::intType()) == 1); // addOrCheckAttribute
  CHECK(*type.addOrCheckAttribute("b", Type::intType()) == 1);
  CHECK(type.addOrCheckAttribute("b", Type::stringType()).status().code() == StatusCode::InvalidArgument);
  CHECK(messageOf(type.addOrCheckAttribute("b", Type::intType(), AttributeKind::Buffer).status()) ==
        "'__torch__.C' has an attribute 'b' of type 'int' or of another kind already");
  CHECK(type.addAttribute("c", Type::boolType()) == 2);
  CHECK(type.numAttributes() == 3);                          // numAttributes
  CHECK(type.attributeType("b") == Type::intType());         // getAttribute
  CHECK(type.attributeType("d") == nullptr);                 // findAttribute
  CHECK(type.attribute(0).kind == AttributeKind::Parameter); // ClassAttribute::getKind
  CHECK(type.attribute(0).type == Type::tensorType());       // ClassAttribute::getType
  CHECK(type.attribute(0).name == "a");                      // ClassAttribute::getName

  auto object = makeRef<ObjectValue>(&type, type.numAttributes());
  object->setAttribute("b", IValue(5));
  object->setAttribute("c", IValue(true));
  object->unsafeRemoveAttribute("b"); // it asks the class for the slot, so the object comes first
  type.unsafeRemoveAttribute("b");
  CHECK_FALSE(type.hasAttribute("b")); // hasAttribute
  CHECK(type.numAttributes() == 2);
  CHECK(type.findAttribute("a") == 0u); // findAttributeSlot
  CHECK(type.findAttribute("c") == 1u);
  REQUIRE(object->findAttribute("c"));
  CHECK(object->findAttribute("c")->toBool());
  CHECK(object->slots.size() == 2);
  CHECK(type.addAttribute("b", Type::stringType()) == 2);
  CHECK(object->findAttribute("b") == nullptr); // it has no value yet
}

TEST_CASE("constants of a class are added, looked for and removed") {
  Context context;
  ClassType &type = define(context, "__torch__.C");
  CHECK(type.addConstant("first", IValue(1)) == 0); // addConstant
  CHECK(type.addConstant("second", IValue("text")) == 1);
  CHECK(type.addConstant("third", IValue(2.5)) == 2);
  CHECK(type.numConstants() == 3);
  CHECK(type.constants()[1].name == "second"); // constantNames
  REQUIRE(type.findConstant("second"));        // findConstant, getConstant
  CHECK(type.findConstant("second")->toString() == "text");
  CHECK_FALSE(type.hasAttribute("second"));

  type.unsafeRemoveConstant("second"); // unsafeRemoveConstant
  CHECK_FALSE(type.hasConstant("second"));
  CHECK(type.numConstants() == 2);
  CHECK(type.findConstant("first")->toInt() == 1);
  CHECK(type.findConstant("third")->toDouble() == 2.5);
  CHECK(type.constants()[1].value.toDouble() == 2.5); // constantValues
  CHECK(type.addConstant("second", IValue(3)) == 2);
  CHECK(type.findConstant("second")->toInt() == 3);
}

TEST_CASE("methods of a class, static ones and hooks") {
  Context context;
  CompilationUnit unit(context);
  ClassType &type = define(context, "__torch__.C");
  Function *forward = unit.create("__torch__.C.forward"), *hook = unit.create("__torch__.C.hook");
  Function *made = unit.create("__torch__.C__made");
  type.addMethod(forward); // addMethod
  type.addMethod(hook);
  type.addStaticMethod("made", made);
  CHECK(type.findStaticMethod("made") == made); // findStaticMethod
  CHECK(type.findStaticMethod("forward") == nullptr);
  CHECK(type.findMethod("made") == nullptr); // findMethod
  REQUIRE(type.staticMethods().size() == 1); // staticmethods
  CHECK(type.staticMethods()[0].name == "made");

  CHECK(type.findHook("hook") == nullptr);      // findHook
  type.forwardHooks().before.push_back("hook"); // addForwardPreHook
  type.forwardHooks().after.push_back("hook");  // addForwardHook
  CHECK(type.findHook("hook") == hook);
  CHECK(type.findHook("forward") == nullptr);
  type.unsafeRemoveMethod("hook"); // unsafeRemoveMethod
  CHECK(type.findMethod("hook") == nullptr);
  CHECK(type.findMethod("forward") == forward);
  CHECK(type.methods().size() == 1); // methods
  CHECK(type.forwardHooks().empty());

  // A function whose name was taken away lives on, and another takes the name.
  CHECK(&hook->compilationUnit() == &unit);
  unit.unsafeRemove(*hook);
  CHECK(unit.find("__torch__.C.hook") == nullptr);
  CHECK(unit.functions().size() == 2);
  CHECK(hook->name() == "hook");
  Function *another = unit.create("__torch__.C.hook");
  CHECK(another != hook);
  CHECK(unit.find("__torch__.C.hook") == another);
}

TEST_CASE("threads look for methods while others are added") {
  constexpr int numMethods = 500;
  Context context;
  CompilationUnit unit(context);
  ClassType &type = define(context, "__torch__.C");
  auto nameOf = [](int i) { return "m" + std::to_string(i); };
  std::vector<Function *> made;
  for (int i = 0; i != numMethods; ++i)
    made.push_back(unit.create("__torch__.C." + nameOf(i)));
  std::atomic<int> numAdded{0}, numWrong{0};
  std::vector<std::thread> readers;
  for (int t = 0; t != 3; ++t)
    readers.emplace_back([&, t] {
      for (int i = t; numAdded != numMethods; i = (i * 7 + 1) % numMethods) {
        const int sure = numAdded; // these can be found; others may be
        Function *found = type.findMethod(nameOf(i));
        numWrong += found != made[i] && (found || i < sure);
        const ArrayRef<Function *> listed = type.methods();
        numWrong +=
            listed.size() < static_cast<size_t>(sure) || (!listed.empty() && listed.back() != made[listed.size() - 1]);
      }
    });
  for (Function *method : made) {
    type.addMethod(method);
    ++numAdded;
  }
  for (std::thread &reader : readers)
    reader.join();
  CHECK(numWrong == 0);
  CHECK(type.methods() == ArrayRef(made));
  Function *second = unit.create("__torch__.D.m3"); // of a name that another one has
  type.addMethod(second);
  CHECK(type.findMethod("m3") == made[3]);
  type.unsafeRemoveMethod("m3");
  CHECK(type.findMethod("m3") == second);
  CHECK(type.methods().size() == numMethods);
}

TEST_CASE("a class keeps the texts about it") {
  Context context;
  ClassType &type = define(context, "__torch__.C");
  CHECK(type.docString().empty());
  type.setDocString("Counts."); // doc_string
  CHECK(type.docString() == "Counts.");
  CHECK(type.unresolvedAttributes().empty());
  type.addUnresolvedAttribute("logger"); // unresolved_class_attributes
  REQUIRE(type.unresolvedAttributes().size() == 1);
  CHECK(type.unresolvedAttributes()[0] == "logger");
}

TEST_CASE("a mangled name is free and keeps the last part") {
  Context context;
  CHECK(mangledName(context, "__torch__.a.B") == "__torch__.a.___torch_mangle_0.B");
  (void)context.classType("__torch__.a.___torch_mangle_0.B");
  CHECK(mangledName(context, "__torch__.a.B") == "__torch__.a.___torch_mangle_1.B");
  CHECK(mangledName(context, "B") == "___torch_mangle_0.B");
}

TEST_CASE("objects have slots in the order of the class") {
  Context context;
  ClassType &type = define(context, "__torch__.C");
  type.addAttribute("a", Type::intType());
  type.addAttribute("b", context.listOf(Type::intType()));
  auto object = makeRef<ObjectValue>(&type, 0); // Object::create
  CHECK(object->findAttribute("a") == nullptr);
  object->setSlot(1, IValue(std::vector<int64_t>{1, 2})); // setSlot, which resizes the object
  REQUIRE(object->slots.size() == 2);
  CHECK(object->slots[0].isNone());                // getSlot
  object->setAttribute("a", IValue(7));            // setAttr
  CHECK(object->findAttribute("a")->toInt() == 7); // getAttr
  CHECK(object->name() == "__torch__.C");          // name

  Ref<ObjectValue> shallow = object->copy(); // copy
  IValue deep = deepCopy(IValue(object));    // deepcopy
  object->findAttribute("b")->toIntList().elements[0] = 9;
  CHECK(shallow->findAttribute("b")->toIntList().elements[0] == 9);
  CHECK(deep.toObject().findAttribute("b")->toIntList().elements[0] == 1);
  object->setAttribute("a", IValue(8));
  CHECK(shallow->findAttribute("a")->toInt() == 7);

  object->unsafeRemoveSlot(0); // unsafeRemoveSlot
  REQUIRE(object->slots.size() == 1);
  CHECK(object->slots[0].isIntList());
}
