//===- ModuleInterfaceTest.cpp - Modules that a host makes and keeps ------===//
//
// Cases of PyTorch's test of its C++ interface of modules, and the functions that
// its Object and Module have, whose names the comments at the end of the lines give.
//
//===----------------------------------------------------------------------===//
#include "Programs.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Serialization/PythonPrinter.h"
#include "llvm/Support/raw_ostream.h"
#include <thread>

using namespace tsc;
using Catch::Contains;

namespace {
/// A program with nothing but what a host adds.
Program emptyProgram() { return load("def unused(x: int) -> int:\n    return x\n", "host.py"); }

Module make(Program &program, llvm::StringRef name, bool mangle = false) {
  StatusOr<Module> module = program.createModule(name, mangle);
  INFO(module.status().message());
  REQUIRE(module.ok());
  return *module;
}

void define(const Object &object, llvm::StringRef source) {
  Status status = object.define(source);
  INFO(status.message());
  REQUIRE(status.ok());
}

IValue call(const Program &program, const Object &object, llvm::StringRef method, std::vector<IValue> args) {
  CallContext context(program.context());
  StatusOr<IValue> result = object.run(context, method, std::move(args));
  INFO(result.status().message());
  REQUIRE(result.ok());
  return *result;
}

Tensor filled(std::vector<int64_t> sizes, double value) {
  auto made = Tensor::full(sizes, Scalar(value), DType::Float);
  REQUIRE(made.ok());
  return *made;
}
double first(const Tensor &tensor) { return tensor.at(0).toDouble(); }

/// A class of modules with these attributes.
ClassType &classOf(Program &program, llvm::StringRef name,
                   std::initializer_list<std::pair<const char *, const Type *>> attributes) {
  ClassType &type = *program.context().classType(name);
  type.setIsModule(true);
  type.setDefined();
  for (auto &[attribute, attributeType] : attributes)
    type.addAttribute(attribute, attributeType);
  return type;
}
Module moduleOf(Program &program, const ClassType &type) {
  StatusOr<Module> module = program.createModule(type);
  REQUIRE(module.ok());
  return *module;
}
void set(const Module &module, llvm::StringRef name, IValue value) {
  Status status = module.setAttribute(name, std::move(value));
  INFO(status.message());
  REQUIRE(status.ok());
}
} // namespace

//===----------------------------------------------------------------------===//
// The cases of PyTorch's test
//===----------------------------------------------------------------------===//

TEST_CASE("a method runs where the host's launcher lets it") {
  Program program = emptyProgram();
  Module module = make(program, "M");
  define(module, R"(
    def forward(self, x):
      return x + 1
  )");
  StatusOr<Method> forward = module.method("forward");
  REQUIRE(forward.ok());
  CHECK(forward->name() == "forward");
  int numLaunched = 0;
  std::thread runner;
  CallContext context(program.context());
  std::future<StatusOr<IValue>> result =
      forward->runAsync(context, {IValue(filled({2}, 1.0))}, {}, [&](std::function<void()> task) {
        ++numLaunched;
        runner = std::thread(std::move(task));
      });
  StatusOr<IValue> y = result.get();
  runner.join();
  CHECK(numLaunched == 1);
  REQUIRE(y.ok());
  CHECK(first(y->toTensor()) == 2.0);
  auto atOnce = [](std::function<void()> task) { task(); };
  CHECK_FALSE(forward->runAsync(context, {}, {}, atOnce).get().ok());
}

TEST_CASE("a clone has modules of the same classes and values of its own") {
  Program program = emptyProgram();
  ClassType &child = classOf(program, "__torch__.Child", {{"n", Type::intType()}, {"w", Type::tensorType()}});
  ClassType &parent = classOf(program, "__torch__.Parent", {{"a", &child}, {"b", &child}});
  Module a = moduleOf(program, child), b = moduleOf(program, child), top = moduleOf(program, parent);
  set(a, "n", IValue(1));
  set(a, "w", IValue(filled({1}, 1.0)));
  set(b, "n", IValue(2));
  set(b, "w", IValue(filled({1}, 2.0)));
  set(top, "a", IValue(a.object()));
  set(top, "b", IValue(b.object()));

  Module clone = top.clone(), inPlace = top.clone(/*inPlace=*/true);
  for (const Module &copy : {clone, inPlace}) {
    CHECK(&copy.type() == &top.type());
    CHECK(&copy.findModule("a")->type() == &copy.findModule("b")->type());
    CHECK(copy.findModule("a")->attribute("n")->toInt() == 1);
    CHECK(copy.findModule("b")->attribute("n")->toInt() == 2);
  }
  set(b, "n", IValue(42));
  CHECK(clone.findModule("b")->attribute("n")->toInt() == 2);
  CHECK(inPlace.findModule("b")->attribute("n")->toInt() == 2);
  CHECK(inPlace.findModule("b")->attribute("w")->isSameAs(*b.attribute("w")));
  CHECK_FALSE(clone.findModule("b")->attribute("w")->toTensor().sharesStorageWith(b.attribute("w")->toTensor()));
}

TEST_CASE("a clone of a module behind an interface is a module of its own, too") {
  Program program = emptyProgram();
  InterfaceType &counts = *program.context().createInterface("__torch__.Counts", /*isModule=*/true);
  Argument self, x, result;
  self.name = "self";
  self.type = &counts;
  x.name = "x";
  x.type = Type::intType();
  result.type = Type::intType();
  counts.addMethod(FunctionSchema("count", "", {self, x}, {result}));

  Module times = make(program, "Times"), top = make(program, "Top");
  REQUIRE(times.registerAttribute("k", Type::intType(), IValue(3)).ok());
  define(times, "def count(self, x: int) -> int:\n  return x * self.k\n");
  REQUIRE(top.registerAttribute("counter", &counts, IValue(times.object())).ok());
  define(top, "def forward(self, x: int) -> int:\n  return self.counter.count(x)\n");
  CHECK(call(program, top, "forward", {IValue(5)}).toInt() == 15);

  Module clone = top.clone();
  CHECK(&clone.findModule("counter")->type() == &times.type());
  set(times, "k", IValue(10));
  CHECK(call(program, top, "forward", {IValue(5)}).toInt() == 50);
  CHECK(call(program, clone, "forward", {IValue(5)}).toInt() == 15);
}

TEST_CASE("a copy shares what attributes hold, and a deep copy does not") {
  Program program = emptyProgram();
  ClassType &inner = classOf(program, "__torch__.Inner", {{"n", Type::intType()}});
  ClassType &type =
      classOf(program, "__torch__.Outer",
              {{"n", Type::intType()}, {"list", program.context().listOf(Type::intType())}, {"inner", &inner}});
  Module held = moduleOf(program, inner), module = moduleOf(program, type);
  set(held, "n", IValue(7));
  set(module, "n", IValue(1));
  set(module, "list", IValue(std::vector<int64_t>{1, 2, 3}));
  set(module, "inner", IValue(held.object()));
  Module shallow = module.copy(), deep = module.deepcopy(); // copy, deepcopy

  set(module, "n", IValue(2));
  module.attribute("list")->toIntList().elements[0] = 9;
  set(held, "n", IValue(8));
  CHECK(shallow.attribute("n")->toInt() == 1);
  CHECK(shallow.attribute("list")->toIntList().elements[0] == 9);
  CHECK(shallow.findModule("inner")->attribute("n")->toInt() == 8);
  CHECK(deep.attribute("n")->toInt() == 1);
  CHECK(deep.attribute("list")->toIntList().elements[0] == 1);
  CHECK(deep.findModule("inner")->attribute("n")->toInt() == 7);
  CHECK(&deep.type() == &module.type());
}

TEST_CASE("a deep copy has texts that are equal") {
  Program program = emptyProgram();
  Module module = moduleOf(program, classOf(program, "__torch__.M", {{"text", Type::stringType()}}));
  set(module, "text", IValue("before"));
  Module deep = module.deepcopy();
  set(module, "text", IValue("after"));
  CHECK(deep.attribute("text")->toString() == "before");
  CHECK(module.attribute("text")->toString() == "after");
}

TEST_CASE("a deep copy has the members of enums") {
  Program program = emptyProgram();
  EnumType &color = *program.context().createEnum("__torch__.Color", Type::intType());
  color.addMember("RED", IValue(1));
  color.addMember("BLUE", IValue(2));
  Module module = moduleOf(program, classOf(program, "__torch__.M", {{"color", &color}}));
  set(module, "color", IValue(makeRef<EnumValue>(&color, "RED", IValue(1))));
  Module deep = module.deepcopy();
  REQUIRE(deep.attribute("color")->isEnum());
  CHECK(deep.attribute("color")->toEnum().type == &color);
  CHECK(deep.attribute("color")->toEnum().name == "RED");
  CHECK(valuesEqual(*deep.attribute("color"), *module.attribute("color")));
}

TEST_CASE("attributes that hold one list hold one in a deep copy") {
  Program program = emptyProgram();
  const Type *list = program.context().listOf(Type::intType());
  Module module = moduleOf(
      program, classOf(program, "__torch__.M", {{"a", list}, {"b", list}, {"all", program.context().listOf(list)}}));
  const IValue shared(std::vector<int64_t>{1, 2});
  set(module, "a", shared);
  set(module, "b", shared);
  IValue all = makeList(list);
  appendToList(all, shared);
  set(module, "all", all);

  Module deep = module.deepcopy();
  CHECK_FALSE(deep.attribute("a")->isSameAs(shared));
  CHECK(deep.attribute("a")->isSameAs(*deep.attribute("b")));
  CHECK(deep.attribute("all")->listElement(0).isSameAs(*deep.attribute("a")));
}

TEST_CASE("constants of a class are read through its objects and not set") {
  Program program = emptyProgram();
  ClassType &type = classOf(program, "__torch__.M", {{"n", Type::intType()}});
  type.addConstant("scale", IValue(2.5));
  Module module = moduleOf(program, type);
  set(module, "n", IValue(4));
  CHECK(module.hasAttribute("n"));
  CHECK(module.hasAttribute("scale"));
  CHECK_FALSE(module.hasAttribute("none"));
  CHECK(module.attribute("n")->toInt() == 4);
  CHECK(module.attribute("scale")->toDouble() == 2.5);
  CHECK(module.attribute("scale", IValue(0)).toDouble() == 2.5);
  CHECK(module.attribute("none", IValue(7)).toInt() == 7);
  CHECK(messageOf(module.attribute("none").status()) == "'__torch__.M' has no attribute 'none'");

  Status status = module.setAttribute("scale", IValue(1.0));
  CHECK(status.code() == StatusCode::InvalidArgument);
  CHECK(messageOf(status) == "Can't set constant 'scale' which has value:2.5");
  CHECK(messageOf(module.registerAttribute("scale", Type::floatType(), IValue(1.0))) ==
        "Can't set constant 'scale' which has value:2.5");
  CHECK_FALSE(type.hasAttribute("scale"));
  CHECK(messageOf(module.setAttribute("none", IValue(1))) == "Module has no attribute 'none'");
  CHECK(messageOf(module.setAttribute("n", IValue("text"))) ==
        "Expected a value of type 'int' for field 'n', but found 'str'");

  define(module, "def forward(self) -> float:\n  return self.scale * self.n\n");
  CHECK(call(program, module, "forward", {}).toDouble() == 10.0);
}

TEST_CASE("parameters and buffers are registered with their kinds") {
  Program program = emptyProgram();
  Module module = make(program, "M"), inner = make(program, "Inner");
  REQUIRE(module.registerParameter("weight", filled({1}, 1.0)).ok());
  REQUIRE(module.registerParameter("bias", filled({1}, 2.0)).ok());
  REQUIRE(module.registerBuffer("mean", filled({1}, 3.0)).ok());
  REQUIRE(inner.registerParameter("weight", filled({1}, 4.0)).ok());
  REQUIRE(module.registerAttribute("inner", &inner.type(), IValue(inner.object())).ok());
  CHECK(module.numSlots() == 4);
  std::vector<Tensor> parameters = module.parameters();
  REQUIRE(parameters.size() == 3);
  CHECK(first(parameters[0]) == 1.0);
  CHECK(first(parameters[1]) == 2.0);
  CHECK(first(parameters[2]) == 4.0);
  CHECK(module.parameters(/*recurse=*/false).size() == 2);
  CHECK(module.buffers().size() == 1);
  CHECK(module.registerBuffer("weight", filled({1}, 1.0)).code() == StatusCode::InvalidArgument);
}

TEST_CASE("methods are defined by a text") {
  Program program = emptyProgram();
  Module module = make(program, "M");
  REQUIRE(module.registerParameter("foo", filled({2}, 1.0)).ok());
  define(module, R"(
    def add_it(self, x, b: int = 4):
      return self.foo + x + b
    def twice(self, x):
      return self.add_it(self.add_it(x))
  )");
  CHECK(first(call(program, module, "add_it", {IValue(filled({2}, 1.0))}).toTensor()) == 6.0);
  CHECK(first(call(program, module, "add_it", {IValue(filled({2}, 1.0)), IValue(0)}).toTensor()) == 2.0);
  CHECK(first(call(program, module, "twice", {IValue(filled({2}, 0.0))}).toTensor()) == 10.0);
  CHECK(module.methods().size() == 2);
  CHECK(module.method("add_it")->graph() == module.findMethod("add_it")->graph());
  CHECK(messageOf(module.method("sub_it").status()) ==
        "Method 'sub_it' is not defined in '__torch__.M', which has: add_it, twice");

  // A text that does not compile adds nothing, and leaves its names free.
  Status wrong = module.define("def good(self) -> int:\n  return 1\ndef bad(self) -> int:\n  return nothing\n");
  CHECK(wrong.code() == StatusCode::InvalidArgument);
  CHECK_THAT(messageOf(wrong).str(), Contains("undefined value nothing"));
  CHECK(module.methods().size() == 2);
  define(module, "def good(self) -> int:\n  return 1\ndef bad(self) -> int:\n  return 2\n");
  CHECK(call(program, module, "bad", {}).toInt() == 2);
  CHECK(program.compileAll().ok());
  CHECK_THAT(messageOf(module.define("def foo(self) -> int:\n  return 1\n")).str(),
             Contains("'foo' is already defined"));
  CHECK_THAT(messageOf(module.define("def bad(self) -> int:\n  return 3\n")).str(),
             Contains("'bad' is already defined"));
  CHECK_FALSE(module.define("x = 1\n").ok());
  CHECK_FALSE(module.define("def (self):\n").ok());
}

TEST_CASE("a frozen module computes what the module does") {
  Program program = emptyProgram();
  Module module = make(program, "M");
  REQUIRE(module.registerParameter("foo", filled({2}, 3.0)).ok());
  REQUIRE(module.registerAttribute("training", Type::boolType(), IValue(true)).ok());
  define(module, R"(
    def forward(self, x):
      if self.training:
        x = x + 100
      return self.foo * x
    def other(self) -> int:
      return 1
  )");
  CHECK(first(call(program, module, "forward", {IValue(filled({2}, 2.0))}).toTensor()) == 306.0);
  module.eval();
  StatusOr<Module> frozen = module.freeze({"forward"});
  INFO(frozen.status().message());
  REQUIRE(frozen.ok());
  CHECK(first(call(program, *frozen, "forward", {IValue(filled({2}, 2.0))}).toTensor()) == 6.0);
  CHECK(frozen->save().status().code() == StatusCode::Unimplemented);
  CHECK(frozen->define("def more(self) -> int:\n  return 1\n").code() == StatusCode::Unimplemented);
  REQUIRE(frozen->method("other").ok());
  CHECK(frozen->method("other")->graph() == nullptr);

  // What was decided when it was frozen stays so.
  module.train();
  CHECK(first(call(program, module, "forward", {IValue(filled({2}, 2.0))}).toTensor()) == 306.0);
  CHECK(first(call(program, *frozen, "forward", {IValue(filled({2}, 2.0))}).toTensor()) == 6.0);
}

TEST_CASE("a module is moved to a dtype, once for each tensor") {
  Program program = emptyProgram();
  Module module = make(program, "M");
  const Tensor weight = filled({2}, 1.0);
  REQUIRE(module.registerParameter("a", weight).ok());
  REQUIRE(module.registerParameter("b", weight).ok());
  REQUIRE(module.to(std::nullopt, DType::Double).ok());
  CHECK(module.attribute("a")->toTensor().dtype() == DType::Double);
  CHECK(module.attribute("a")->isSameAs(*module.attribute("b")));
  CHECK(weight.dtype() == DType::Float);
}

//===----------------------------------------------------------------------===//
// What they have beside these
//===----------------------------------------------------------------------===//

TEST_CASE("what modules have, by PyTorch's names") {
  Program program = emptyProgram();
  Module module = make(program, "pkg.Net");                     // Module(QualifiedName, cu)
  CHECK(module.type().name() == "pkg.Net");                     // type
  CHECK(make(program, "Net").type().name() == "__torch__.Net"); // Module(class_name)
  CHECK(make(program, "Net", /*mangle=*/true).type().name() == "__torch__.___torch_mangle_0.Net"); // shouldMangle
  CHECK(messageOf(program.createModule("Net").status()) ==
        "there is a type '__torch__.Net' already; with `mangle` the class gets another name");
  CHECK(program.createModule("a..b").status().code() == StatusCode::InvalidArgument);
  CHECK(program.createModule("").status().code() == StatusCode::InvalidArgument);
  Module child = make(program, "Child");
  CHECK(&moduleOf(program, child.type()).type() == &child.type());                       // Module(cu, type)
  CHECK(Module(child.object(), GraphExecutor()).object().get() == child.object().get()); // Module(ModulePtr), _ivalue

  REQUIRE(module.registerParameter("w", filled({1}, 2.0)).ok());                          // register_parameter
  REQUIRE(module.registerBuffer("m", filled({1}, 3.0)).ok());                             // register_buffer
  REQUIRE(module.registerAttribute("n", Type::intType(), IValue(1)).ok());                // register_attribute
  REQUIRE(module.registerAttribute("child", &child.type(), IValue(child.object())).ok()); // register_module
  CHECK(module.numSlots() == 4);                                                          // num_slots
  CHECK(module.hasAttribute("n"));                                                        // hasattr
  CHECK(module.attribute("n")->toInt() == 1);                                             // attr
  CHECK(module.attribute("k", IValue(5)).toInt() == 5);                                   // attr with or_else
  CHECK(module.setAttribute("n", IValue(2)).ok());                                        // setattr

  define(module, "def forward(self, x):\n  return self.w * x + self.n\n"); // define
  CallContext context(program.context());
  const IValue x(filled({1}, 5.0));
  CHECK(first(module.forward(context, {x})->toTensor()) == 12.0);              // forward
  CHECK(first(module(context, {x})->toTensor()) == 12.0);                      // operator()
  CHECK(first(module.runMethod(context, "forward", x)->toTensor()) == 12.0);   // run_method
  CHECK(first((*module.method("forward"))(context, {x})->toTensor()) == 12.0); // get_method
  CHECK(module.methods().size() == 1);                                         // get_methods
  CHECK(module.findMethod("forward"));                                         // find_method

  CHECK(module.parameters().size() == 1);           // parameters
  CHECK(module.namedParameters()[0].path == "w");   // named_parameters
  CHECK(module.buffers().size() == 1);              // buffers
  CHECK(module.namedBuffers()[0].path == "m");      // named_buffers
  CHECK(module.namedAttributes().size() == 4);      // attributes, named_attributes
  CHECK(module.children().size() == 1);             // children
  CHECK(module.namedChildren()[0].path == "child"); // named_children
  CHECK(module.modules().size() == 2);              // modules
  CHECK(module.namedModules()[0].path.empty());     // named_modules
  int visited = 0;
  module.apply([&](Module &) { ++visited; }); // apply
  CHECK(visited == 2);
  std::string text;
  llvm::raw_string_ostream os(text);
  module.dump(os, {.methods = false}); // dump
  CHECK_THAT(os.str(), Contains("module pkg.Net {") && Contains("module __torch__.Child {"));
  CHECK(module.to(std::nullopt, DType::Double).ok()); // to
  CHECK(module.copy().numSlots() == 4);               // copy
  CHECK(module.deepcopy().numSlots() == 4);           // deepcopy
  CHECK(module.clone().numSlots() == 4);              // clone
}

TEST_CASE("a method is cloned with the classes of its new module") {
  Program program = emptyProgram();
  Module one = make(program, "One"), two = make(program, "Two"), from = make(program, "From"), to = make(program, "To");
  define(one, "def value(self) -> int:\n  return 1\n");
  define(two, "def value(self) -> int:\n  return 2\n");
  REQUIRE(from.registerAttribute("sub", &one.type(), IValue(one.object())).ok());
  REQUIRE(to.registerAttribute("sub", &two.type(), IValue(two.object())).ok());
  define(from, "def forward(self, x: int) -> int:\n  return x + self.sub.value()\n");
  Status status = to.cloneMethod(from, "forward"); // clone_method
  INFO(status.message());
  REQUIRE(status.ok());
  CHECK(call(program, from, "forward", {IValue(10)}).toInt() == 11);
  CHECK(call(program, to, "forward", {IValue(10)}).toInt() == 12);
  CHECK(to.findMethod("forward")->schema().arguments()[0].type == &to.type());
  CHECK(to.cloneMethod(from, "forward").code() == StatusCode::InvalidArgument);
  CHECK(to.cloneMethod(from, "backward").code() == StatusCode::NotFound);

  // Where two modules of one class would have to become modules of two.
  Module pair = make(program, "Pair"), mixed = make(program, "Mixed");
  REQUIRE(pair.registerAttribute("a", &one.type(), IValue(one.object())).ok());
  Module another = moduleOf(program, one.type());
  REQUIRE(pair.registerAttribute("b", &one.type(), IValue(another.object())).ok());
  define(pair, "def forward(self) -> int:\n  return self.a.value() + self.b.value()\n");
  REQUIRE(mixed.registerAttribute("a", &one.type(), IValue(one.object())).ok());
  REQUIRE(mixed.registerAttribute("b", &two.type(), IValue(two.object())).ok());
  CHECK(messageOf(mixed.cloneMethod(pair, "forward")) ==
        "modules of the class '__torch__.One' would become modules of several classes");

  // Where an attribute is of another type.
  Module number = make(program, "Number"), text = make(program, "Text");
  REQUIRE(number.registerAttribute("n", Type::intType(), IValue(1)).ok());
  REQUIRE(text.registerAttribute("n", Type::stringType(), IValue(std::string("1"))).ok());
  define(number, "def forward(self) -> int:\n  return self.n + 1\n");
  CHECK(messageOf(text.cloneMethod(number, "forward")) ==
        "'n' of '__torch__.Text' is of type 'str', but the method uses it as 'int'");
}

TEST_CASE("a module that a host made is saved and loaded") {
  Program program = emptyProgram();
  Module module = make(program, "M");
  REQUIRE(module.registerParameter("w", filled({2}, 3.0)).ok());
  REQUIRE(module.registerAttribute("training", Type::boolType(), IValue(true)).ok());
  define(module, "def forward(self, x):\n  return x * self.w\n");
  StatusOr<std::string> bytes = module.save(); // save
  INFO(bytes.status().message());
  REQUIRE(bytes.ok());
  Program loaded = load(*bytes, "m.pt");
  CHECK(loaded.module()->type().name() == "__torch__.M");
  CHECK(first(run(loaded, "forward", {IValue(filled({2}, 2.0))}).toTensor()) == 6.0);
  CHECK(Module(module.object(), GraphExecutor()).save().status().code() == StatusCode::FailedPrecondition);
}

TEST_CASE("methods are added to classes of archives and of files") {
  TestArchive files;
  const std::string bytes = files.bytes();
  Program archive = load(bytes, "m.pt");
  define(*archive.module(), "def more(self, x: int, by: Optional[int] = None) -> int:\n"
                            "  return self.forward(x) + len(self.xs) + (0 if by is None else by)\n");
  CHECK(run(archive, "more", {IValue(1)}).toInt() == 8);
  CHECK(run(archive, "more", {IValue(1), IValue(10)}).toInt() == 18);

  Program file = load("def helper(x: int) -> int:\n    return x * 10\n\n"
                      "class Point:\n"
                      "    \"\"\"A place.\"\"\"\n"
                      "    dims = 2\n"
                      "    def __init__(self, x: int):\n"
                      "        self.x = x\n"
                      "    @staticmethod\n"
                      "    def zero() -> int:\n"
                      "        return 0\n\n"
                      "def make(x: int) -> Point:\n    return Point(x + Point.zero())\n",
                      "point.py");
  StatusOr<Object> point = file.object(run(file, "make", {IValue(3)}));
  REQUIRE(point.ok());
  CHECK(point->attribute("x")->toInt() == 3);
  CHECK(point->attribute("dims")->toInt() == 2);
  CHECK(point->type().docString() == "A place.");
  CHECK(point->type().findStaticMethod("zero"));
  define(*point, "def scaled(self) -> int:\n    return helper(self.x) + self.dims\n");
  CHECK(call(file, *point, "scaled", {}).toInt() == 32);
  CHECK(file.object(IValue(1)).status().code() == StatusCode::InvalidArgument);
}

TEST_CASE("an archive's class has the constants that its text declares") {
  TestArchive files;
  files.files["code/__torch__.py"] = TestArchive::code("  k : Final[int] = 3\n");
  const std::string bytes = files.bytes();
  Program program = load(bytes, "m.pt");
  const Module &module = *program.module();
  CHECK(module.type().numAttributes() == 2);
  CHECK(module.type().numConstants() == 1);
  CHECK(module.attribute("k")->toInt() == 3);
  CHECK(messageOf(module.setAttribute("k", IValue(4))) == "Can't set constant 'k' which has value:3");
  define(module, "def scaled(self, x: int) -> int:\n  return x * self.k\n");
  CHECK(run(program, "scaled", {IValue(5)}).toInt() == 15);
}

TEST_CASE("constants of classes are written to archives") {
  TestArchive files;
  files.files["code/__torch__.py"] = TestArchive::code("  k : Final[int] = 3\n"
                                                       "  low : Final[float] = -inf\n"
                                                       "  mode : Final[str] = \"zeros\\n\"\n"
                                                       "  none : Final[NoneType] = None\n"
                                                       "  pair : Final[Tuple[int, Tuple[float]]] = (1, (2.5,))\n"
                                                       "  place : Final[Device] = torch.device(\"cpu\")\n"
                                                       "  sizes : Final[List[int]] = [1, 2]\n"
                                                       "  z : Final[complex] = torch.Complex(1.5, -2.5)\n");
  const std::string bytes = files.bytes();
  Program program = load(bytes, "m.pt");
  REQUIRE(program.module()->type().numConstants() == 8);
  StatusOr<PythonCode> code = program.source(IValue(program.module()->object()));
  REQUIRE(code.ok());
  // What PyTorch writes of them, which it also reads.
  CHECK_THAT(code->modules["__torch__"], Contains("  xs : List[float]\n"
                                                  "  k : Final[int] = 3\n"
                                                  "  low : Final[float] = -inf\n"
                                                  "  mode : Final[str] = \"zeros\\n\"\n"
                                                  "  none : Final[NoneType] = None\n"
                                                  "  pair : Final[Tuple[int, Tuple[float]]] = (1, (2.5,))\n"
                                                  "  place : Final[Device] = torch.device(\"cpu\")\n"
                                                  "  sizes : Final[List[int]] = [1, 2]\n"
                                                  "  z : Final[complex] = torch.Complex(1.5, -2.5)\n"
                                                  "  def forward("));
  StatusOr<std::string> saved = program.module()->save();
  REQUIRE(saved.ok());
  Program again = load(*saved, "m.pt");
  auto describe = [](const ClassType &type) {
    std::string text;
    llvm::raw_string_ostream os(text);
    for (const ClassConstant &constant : type.constants()) {
      os << constant.name << " = ";
      printValue(os, constant.value);
      os << '\n';
    }
    return os.str();
  };
  CHECK(describe(again.module()->type()) == describe(program.module()->type()));
  CHECK(run(again, "forward", {IValue(1)}).toInt() == 6);
}

TEST_CASE("a module that a file made says what its class keeps from compiled code") {
  Program program = load("import torch\n"
                         "from torch import nn\n"
                         "class Net(nn.Module):\n"
                         "    \"\"\"Scales.\"\"\"\n"
                         "    def __init__(self):\n"
                         "        super().__init__()\n"
                         "        self.k = 3.0\n"
                         "        self.seen = []\n"
                         "    def forward(self, x: torch.Tensor) -> torch.Tensor:\n"
                         "        return x * self.k\n"
                         "    def thrice(self, x: torch.Tensor) -> torch.Tensor:\n"
                         "        return self.forward(x) * 3.0\n"
                         "model = Net()\n",
                         "net.py");
  StatusOr<IValue> made = program.moduleToSave("model");
  INFO(made.status().message());
  REQUIRE(made.ok());
  StatusOr<Object> object = program.object(*made);
  REQUIRE(object.ok());
  CHECK(object->type().docString() == "Scales.");
  CHECK(object->attribute("k")->toDouble() == 3.0);
  CHECK(messageOf(object->setAttribute("k", IValue(4.0))) == "Can't set constant 'k' which has value:3.");
  REQUIRE(object->type().unresolvedAttributes().size() == 1);
  CHECK(object->type().unresolvedAttributes()[0] == "seen");
  CHECK(first(call(program, *object, "thrice", {IValue(filled({1}, 1.0))}).toTensor()) == 9.0);
  CHECK_FALSE(object->method("fourfold").ok());
  define(*object, "def twice(self, x):\n  return 2.0 * self.forward(x)\n");
  CHECK(first(call(program, *object, "twice", {IValue(filled({1}, 1.0))}).toTensor()) == 6.0);
}

TEST_CASE("threads look for methods that a file has and that nobody has called yet") {
  constexpr int numMethods = 24;
  std::string source = "import torch\nfrom torch import nn\nclass Net(nn.Module):\n"
                       "    def forward(self, n: int):\n        return n\n";
  for (int i = 0; i != numMethods; ++i) {
    const std::string number = std::to_string(i);
    // Without annotation of the result, which the body decides; some call others.
    source += "    def m" + number + "(self, n: int):\n        return " +
              (i % 3 ? "n + " + number : "self.m" + std::to_string(i + 1) + "(n) - 1") + "\n";
  }
  source += "model = Net()\n";
  Program program = load(source, "net.py");
  StatusOr<IValue> made = program.moduleToSave("model");
  REQUIRE(made.ok());
  StatusOr<Object> object = program.object(*made);
  REQUIRE(object.ok());
  std::atomic<int> numWrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&, t] {
      CallContext context(program.context());
      for (int i = 0; i != numMethods; ++i) {
        const int method = (i * 5 + t * 7) % numMethods;
        StatusOr<IValue> result = object->run(context, "m" + std::to_string(method), {IValue(100)});
        numWrong += !result.ok() || result->toInt() != 100 + method;
        numWrong += object->findMethod("none") != nullptr;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(numWrong == 0);
  CHECK(object->methods().size() == numMethods + 1);
}

/// Classes of modules that need no arguments, whose constructors also call compiled code; a function that is run as
/// Python; and methods that are compiled when they are called.
static std::string fileOfManyModules(int count) {
  std::string source = "import torch\nfrom torch import nn\nclass Made(nn.Module):\n"
                       "    def forward(self, n: int):\n        return n\n";
  for (int i = 0; i != count; ++i)
    source += "    def m" + std::to_string(i) + "(self, n: int):\n        return self.forward(n) + " +
              std::to_string(i) + "\n";
  for (int i = 0; i != count; ++i)
    source += "class Net" + std::to_string(i) +
              "(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
              "        self.parts = [n for n in range(2000)]\n"
              "        self.weight = nn.Parameter(torch.ones(2) * len(self.parts))\n"
              "    def forward(self, n: int):\n        return n + " +
              std::to_string(i) + "\n";
  source += "def script(n: int) -> int:\n    total = 0\n    for i in range(n):\n        total += Net3()(i)\n    return "
            "total\n"
            "made = Made()\n";
  return source;
}

TEST_CASE("threads construct modules of a file while others run its code and compile methods") {
  constexpr int count = 40;
  const bool runsScript = GENERATE(true, false);
  Program program = load(fileOfManyModules(count), "net.py");
  StatusOr<IValue> made = program.moduleToSave("made");
  REQUIRE(made.ok());
  StatusOr<Object> object = program.object(*made);
  REQUIRE(object.ok());
  std::atomic<int> numWrong{0};
  std::thread other([&] {
    CallContext context(program.context());
    for (int i = 0; i != count; ++i) {
      StatusOr<IValue> result = runsScript ? program.run(context, "script", {IValue(5)})
                                           : object->run(context, "m" + std::to_string(i), {IValue(25)});
      numWrong += !result.ok() || result->toInt() != 25 + (runsScript ? 0 : i);
    }
  });
  for (int i = 0; i != count; ++i) {
    StatusOr<Program::Entry> entry = program.find("Net" + std::to_string(i));
    numWrong += !entry.ok() || entry->schema().arguments().size() != 2;
  }
  other.join();
  CHECK(numWrong == 0);
}

TEST_CASE("modules, objects and values outlive their program where they share it") {
  TestArchive files;
  const std::string bytes = files.bytes();
  std::optional<Module> module;
  std::optional<Object> object;
  std::optional<StrongValue> value;
  {
    Program program = load(bytes, "m.pt");
    module = *program.findModule("");
    StatusOr<Object> same = program.object(IValue(program.module()->object()));
    REQUIRE(same.ok());
    object = *same;
  }
  {
    Program program = load("from typing import List, NamedTuple\n"
                           "class P(NamedTuple):\n    x: int\n    names: List[str]\n"
                           "def make() -> P:\n    return P(4, [\"a\"])\n",
                           "p.py");
    value = program.keep(run(program, "make", {}));
  }
  {
    CallContext context(module->unit()->compilationUnit().context());
    StatusOr<IValue> y = module->run(context, "forward", {IValue(1)});
    REQUIRE(y.ok());
    CHECK(y->toInt() == 6);
    define(*object, "def less(self, x: int) -> int:\n  return x - self.n\n");
    CHECK(object->run(context, "less", {IValue(1)})->toInt() == -4);
  }
  CHECK(module->type().name() == "__torch__.M");
  StrongValue strong = module->strongValue();
  module.reset();
  object.reset();
  CHECK(strong.value().toObject().name() == "__torch__.M");
  REQUIRE(value->value().isTuple());
  CHECK(value->value().toTuple().type->fieldNames()[0] == "x");
  CHECK(value->value().toTuple().elements[1].toGenericList().elementType->str() == "str");

  // An assignment lets the last object of a program go before the program.
  Module last = *load(bytes, "m.pt").findModule("");
  last = *load(bytes, "m.pt").findModule("");
  CHECK(last.type().name() == "__torch__.M");
  strong = *value;
  CHECK(strong.value().isTuple());
}
