/*===- tsc.h - TorchScript programs from C ------------------------*- C -*-===*\
|*
|* Loads programs (archives, source, graphs), calls them with tensors over
|* memory of the caller's, and reads what they give.
|*
|*   tsc_program *program = NULL;
|*   tsc_entry *forward = NULL;
|*   tsc_context *context = NULL;
|*   tsc_value *result = NULL;
|*   tsc_error *error = tsc_program_load("policy.pt", NULL, &program);
|*   if (!error) error = tsc_program_find(program, NULL, &forward);
|*   if (!error) error = tsc_context_new(program, &context);
|*   if (!error) error = tsc_entry_run(forward, context, &input, 1, &result);
|*
|* Errors     A function that can fail returns NULL when it did what it says, and
|*            else an error, which the caller releases with tsc_error_free().
|*            Then its outputs are set to NULL or 0. A null pointer where an
|*            object is expected, an index out of range and a value of another
|*            kind are TSC_INVALID_ARGUMENT; no function ends the process.
|* Ownership  What a function gives through a `**` parameter, or as its result
|*            where it is called `..._new_...`, belongs to the caller, who
|*            releases it with the `..._free` of its type, in any order. All of
|*            these take NULL. Strings and arrays that a function gives belong to
|*            the object they were asked of, and live as long as that does. What
|*            a function is given stays the caller's, and is read before the
|*            function returns, unless it says otherwise.
|* Threads    Any function may be called from any thread. One object must not be
|*            used by two threads at once, with these exceptions: programs,
|*            entries, errors and values may be read by many; a program and its
|*            entries may run in many threads, each with a tsc_context of its own.
|*            A program that writes its state runs one call at a time: see
|*            tsc_program_writes_state().
|* ABI        Functions and numbers of enumerations stay as they are. Structures
|*            begin with their size, and grow at their end.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TSC_C_TSC_H
#define TSC_C_TSC_H

#include <stddef.h>
#include <stdint.h>

#if defined(TSC_C_IMPLEMENTATION) && defined(__GNUC__)
#define TSC_API __attribute__((visibility("default")))
#else
#define TSC_API
#endif

/* In C an enumeration holds any int, and a wrong one is an error here. C++ promises that only where it is told so. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define TSC_HOLDS_ANY_INT : int
#else
#define TSC_HOLDS_ANY_INT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Types -------------------------------------------------------------===*/

typedef struct tsc_error tsc_error;           /* Why something failed. */
typedef struct tsc_options tsc_options;       /* How a program is compiled and run. */
typedef struct tsc_program tsc_program;       /* A loaded program. */
typedef struct tsc_entry tsc_entry;           /* A function or method of a program. */
typedef struct tsc_context tsc_context;       /* What the calls of one thread share. */
typedef struct tsc_value tsc_value;           /* A value of any TorchScript type. */
typedef struct tsc_attributes tsc_attributes; /* The attributes of a program's modules. */
typedef struct tsc_operators tsc_operators;   /* Takes the operators that a library brings along. */

/* Codes of errors. An operator's error is TSC_INVALID_ARGUMENT or TSC_UNIMPLEMENTED in most cases, also where Python
 * would raise an exception of a class of its own, such as ZeroDivisionError: tsc_error_exception() names the class. */
typedef enum tsc_code TSC_HOLDS_ANY_INT {
  TSC_OK = 0,
  TSC_CANCELLED = 1,           /* tsc_context_cancel() ended the call. */
  TSC_INVALID_ARGUMENT = 3,    /* A value, type, shape or text that does not fit. Code that does not parse or compile,
                                  that calls an operator which is missing, or one which the options do not allow. */
  TSC_NOT_FOUND = 5,           /* The host named a file, function, attribute or key that does not exist. */
  TSC_PERMISSION_DENIED = 7,   /* The program reads or writes files, or loading runs __setstate__, without leave. */
  TSC_RESOURCE_EXHAUSTED = 8,  /* Memory, the stack or a quota is used up. */
  TSC_FAILED_PRECONDITION = 9, /* A call of a program with state is under way. Since 1.3. */
  TSC_ABORTED = 10,            /* The program raised an exception, by `raise` or `assert`. */
  TSC_OUT_OF_RANGE = 11,       /* An index or a size out of its range, or a key that a dict of the program lacks. */
  TSC_UNIMPLEMENTED = 12,      /* A file of another kind, such as a state dict or a model of ONNX. An operator that does
                                  not take such a dtype, layout or device. Graphs (.ir) that run an unknown operator. */
  TSC_INTERNAL = 13,           /* A mistake of the library's. */
  TSC_DATA_LOSS = 15           /* A file that is damaged, cut short, or of no kind that the library knows. */
} tsc_code;

/* Element types, by PyTorch's numbers. Half types are 16 bits, complex types two numbers, bool is a byte of 0 or 1. */
typedef enum tsc_dtype TSC_HOLDS_ANY_INT {
  TSC_UINT8 = 0,
  TSC_INT8 = 1,
  TSC_INT16 = 2,
  TSC_INT32 = 3,
  TSC_INT64 = 4,
  TSC_FLOAT16 = 5,
  TSC_FLOAT32 = 6,
  TSC_FLOAT64 = 7,
  TSC_COMPLEX64 = 9,
  TSC_COMPLEX128 = 10,
  TSC_BOOL = 11,
  TSC_BFLOAT16 = 15
} tsc_dtype;

typedef enum tsc_kind TSC_HOLDS_ANY_INT {
  TSC_KIND_NONE = 0,
  TSC_KIND_BOOL = 1,
  TSC_KIND_INT = 2,
  TSC_KIND_FLOAT = 3,
  TSC_KIND_COMPLEX = 4,
  TSC_KIND_STRING = 5,
  TSC_KIND_TENSOR = 6,
  TSC_KIND_LIST = 7,
  TSC_KIND_TUPLE = 8,
  TSC_KIND_DICT = 9,
  TSC_KIND_OBJECT = 10, /* An instance of a class, modules among them. */
  TSC_KIND_ENUM = 11,
  TSC_KIND_DEVICE = 12,
  TSC_KIND_OTHER = 255, /* A value that C cannot look into: a future, a generator. It can be passed on. */
  TSC_KIND_INVALID = -1 /* No value: NULL was asked. */
} tsc_kind;

/* When code is made for the dtypes and ranks of the arguments that calls have. */
typedef enum tsc_compile_mode TSC_HOLDS_ANY_INT {
  TSC_COMPILE_OFF = 0,        /* No code is made. */
  TSC_COMPILE_BACKGROUND = 1, /* Another thread makes it; calls run plain code until it is there. */
  TSC_COMPILE_EAGER = 2       /* The first call that could use it makes it, and waits. */
} tsc_compile_mode;

/* What an attribute of a module is. */
typedef enum tsc_attribute_kind TSC_HOLDS_ANY_INT {
  TSC_ATTRIBUTE = 0,
  TSC_PARAMETER = 1,
  TSC_BUFFER = 2
} tsc_attribute_kind;

/* What is limited: of a call (tsc_context_set_quota), or of loading (tsc_options_set_loading_quota). */
typedef enum tsc_quota TSC_HOLDS_ANY_INT {
  TSC_QUOTA_STEPS = 0,  /* Backward jumps and calls, and what operators do at length. */
  TSC_QUOTA_DEPTH = 1,  /* Nested calls. */
  TSC_QUOTA_MEMORY = 2, /* Bytes of tensors, lists, dicts, strings and objects beyond what was there before. */
  TSC_QUOTA_OUTPUT = 3  /* Bytes that print and warnings write. */
} tsc_quota;

/* What tsc_program_dump() leaves out. */
typedef enum tsc_dump_flags TSC_HOLDS_ANY_INT {
  TSC_DUMP_ALL = 0,
  TSC_DUMP_NO_METHODS = 1,    /* The graphs of methods. */
  TSC_DUMP_NO_ATTRIBUTES = 2, /* The values of tensors among attributes. */
  TSC_DUMP_NO_PARAMETERS = 4  /* The values of parameters. */
} tsc_dump_flags;

/* Where elements of a tensor are: element (i, j, ...) is at data[i * strides[0] + j * strides[1] + ...]. */
typedef struct tsc_tensor {
  size_t struct_size;     /* sizeof(tsc_tensor) of the caller. */
  void *data;             /* The first element; may be NULL when there is none. */
  const int64_t *sizes;   /* `rank` of them, none negative; may be NULL when rank is 0. */
  const int64_t *strides; /* `rank` of them, in elements, none negative, or NULL: no gaps, ordered as `flags` say. */
  int32_t rank;
  int32_t dtype;  /* A tsc_dtype. */
  uint32_t flags; /* tsc_tensor_flags, joined by `|`. */
} tsc_tensor;

typedef enum tsc_tensor_flags TSC_HOLDS_ANY_INT {
  TSC_ROW_MAJOR = 0,    /* The last index varies fastest, as in C, where there are no strides. */
  TSC_COLUMN_MAJOR = 1, /* The first index varies fastest, as in Fortran, where there are no strides. */
  TSC_READ_ONLY = 2     /* The memory must not be written: see tsc_value_new_tensor(). */
} tsc_tensor_flags;

/* Says that memory which was lent is not used any more. May be called from any thread, and must call no function of
 * this library. */
typedef void (*tsc_release)(void *user);
/* Takes text of `length` bytes, which need not end in a zero. */
typedef void (*tsc_write)(void *user, const char *text, size_t length);
/* Calls task(argument, i) for each i from 0 to count - 1, once, in any order, on any threads, and returns when all are
 * done. */
typedef void (*tsc_parallel)(void *user, uint32_t count, void (*task)(void *argument, uint32_t index), void *argument);

/* Memory of the host's: see tsc_set_allocator(). Both are called from any thread, and from many at once, and must call
 * no function of this library. */
typedef struct tsc_allocator {
  size_t struct_size; /* sizeof(tsc_allocator) of the caller. */
  /* A block of `size` bytes, whose address is a multiple of `alignment`, or NULL. */
  void *(*allocate)(void *user, size_t size, size_t alignment);
  /* Takes back a block of that size. */
  void (*release)(void *user, void *block, size_t size);
  void *user;
} tsc_allocator;

/* An operator of the host's. `args` are all of its schema's arguments, defaults filled in; they are the library's, and
 * go when the function returns. It sets each of `results` to a value that it gives away, or returns an error that it
 * gives away (tsc_error_new). It is called from the threads that call the program, from many at once, and must not call
 * that program. */
typedef tsc_error *(*tsc_operator)(void *user, tsc_value *const *args, size_t num_args, tsc_value **results,
                                   size_t num_results);

/*===-- The library -------------------------------------------------------===*/

/* The version of the library, "0.3.0". */
TSC_API const char *tsc_version(void);
/* Whether this library can compile fusion groups for the processor: 1 or 0. Without, programs give the same bits. */
TSC_API int tsc_has_cpu_fuser(void);
/* Has the elements of tensors, and values, allocated by the host, from now on and for all programs. Blocks are kept and
 * used again: a warm call asks for none. It is called before any other function; TSC_INVALID_ARGUMENT when memory has
 * been taken already. Since 1.2. */
TSC_API tsc_error *tsc_set_allocator(const tsc_allocator *allocator);
/* Releases blocks of more than 1 KB that are kept and not in use, of all threads together and of the calling one.
 * Smaller ones stay as long as the process. Since 1.2. */
TSC_API void tsc_release_free_memory(void);

/*===-- Errors ------------------------------------------------------------===*/

/* TSC_OK of NULL. */
TSC_API tsc_code tsc_error_code(const tsc_error *error);
/* What was wrong, with the TorchScript call stack of a failed call, or lines of source and carets of text that does not
 * compile. Of NULL: "". The error's. */
TSC_API const char *tsc_error_message(const tsc_error *error);
/* The last part of the message alone, without the call stack: "IndexError: ...". The error's. */
TSC_API const char *tsc_error_summary(const tsc_error *error);
/* The class of the exception that the program raised, "builtins.ValueError", or of what an operator refused where
   Python has one for it, "builtins.IndexError"; "" for other errors, RuntimeErrors of operators among them. The
   error's. */
TSC_API const char *tsc_error_exception(const tsc_error *error);
/* Frees an error. NULL is allowed, as for all functions that free. */
TSC_API void tsc_error_free(tsc_error *error);
/* An error for an operator of the host's to return. Since 1.1. */
TSC_API tsc_error *tsc_error_new(tsc_code code, const char *message);

/*===-- Options -----------------------------------------------------------===*/

/* The defaults: level 2, code made in the background, one thread, no leave for anything. NULL: out of memory. */
TSC_API tsc_options *tsc_options_new(void);
/* Frees options. Programs that were loaded with them keep what they need. */
TSC_API void tsc_options_free(tsc_options *options);
/* 0 to 3. Below 2 no code is made for given arguments, and nothing is fused. */
TSC_API tsc_error *tsc_options_set_optimization(tsc_options *options, int level);
/* Sets when the program's code and the fuser's kernels are made. */
TSC_API tsc_error *tsc_options_set_compile_mode(tsc_options *options, tsc_compile_mode mode);
/* Threads that a call may use, its own included; 1 to 1024. The program keeps them, and its calls share them. */
TSC_API tsc_error *tsc_options_set_threads(tsc_options *options, int threads);
/* Threads of the host's in place of those. `concurrency`: how many tasks can make progress at once, the caller's
 * included. `parallel` may be called from many threads at once, until the program is gone. */
TSC_API tsc_error *tsc_options_set_parallel(tsc_options *options, int concurrency, tsc_parallel parallel, void *user);
/* Whether fusion groups are compiled; 1 where tsc_has_cpu_fuser(), which it takes. */
TSC_API tsc_error *tsc_options_set_cpu_fuser(tsc_options *options, int enabled);
/* The folder where the fuser keeps kernels for the next process: "" for nowhere, NULL for tsc's in the user's cache. */
TSC_API tsc_error *tsc_options_set_cache_folder(tsc_options *options, const char *folder);
/* Lets an archive run its __setstate__ methods while it is loaded. Without, loading executes nothing. */
TSC_API tsc_error *tsc_options_set_allow_set_state(tsc_options *options, int allowed);
/* Lets a source program read and write files. An archive never may. */
TSC_API tsc_error *tsc_options_set_allow_files(tsc_options *options, int allowed);
/* The operators that the program may use: "aten::add, aten::mul.Tensor, aten::_*"; repeated calls add to them. Without
 * a call, all; control flow and containers (prim::) always. An archive that uses others is refused when it is loaded,
 * with all the lines where it does. Since 1.1. */
TSC_API tsc_error *tsc_options_allow_operators(tsc_options *options, const char *patterns);
/* Operators that the program may not use, in the same form. Since 1.1. */
TSC_API tsc_error *tsc_options_deny_operators(tsc_options *options, const char *patterns);
/* What loading may use (see tsc_quota); 0: no limit, or the default depth of 10000. Since 1.1. */
TSC_API tsc_error *tsc_options_set_loading_quota(tsc_options *options, tsc_quota quota, uint64_t limit);
/* Registers an operator, "mine::scale(Tensor x, float by=1.0) -> Tensor": programs that are loaded with these options
 * call it as torch.ops.mine.scale(x). The schema says what it writes to (`Tensor(a!) x`) and what results share.
 * release(user) is called when no program needs it any more; it may be NULL. Since 1.1. */
TSC_API tsc_error *tsc_options_add_operator(tsc_options *options, const char *schema, tsc_operator function, void *user,
                                            tsc_release release);
/* Registers the operators of a shared library (see TSC_LIBRARY), which stays loaded. TSC_NOT_FOUND, TSC_DATA_LOSS for a
 * file that is none, or of another ABI. Since 1.1. */
TSC_API tsc_error *tsc_options_load_library(tsc_options *options, const char *path);

/*===-- Programs ----------------------------------------------------------===*/

/* Loads a file: source (.py), graphs (.ir), or an archive (any other name). `options` may be NULL. The file must stay
 * as it is while the program lives: weights are mapped. Errors: TSC_NOT_FOUND where there is no such file;
 * TSC_UNIMPLEMENTED for a file of another kind (a state dict, a module of torch.save, ONNX); TSC_DATA_LOSS for one that
 * is damaged; TSC_INVALID_ARGUMENT for one that cannot be opened, for text that does not parse, and for an archive with
 * an operator that the options do not allow; TSC_PERMISSION_DENIED for one whose __setstate__ would run without leave;
 * TSC_RESOURCE_EXHAUSTED where memory or a quota is used up. Code that does not compile, or calls an operator that is
 * missing, loads: tsc_program_find() returns the error for a function that needs it. */
TSC_API tsc_error *tsc_program_load(const char *path, const tsc_options *options, tsc_program **program);
/* The same from memory. `name` stands for the path. With `release`, the bytes are borrowed: they stay as they are until
 * release(user) is called, once, also when loading fails. Without, they are copied. */
TSC_API tsc_error *tsc_program_load_bytes(const void *data, size_t size, const char *name, const tsc_options *options,
                                          tsc_release release, void *user, tsc_program **program);
/* A program that shares the code of this one, options included, and the parameters of its module, and has buffers and
 * attributes of its own, as they are now: one for each user of a module with state. Parameters that its code may write
 * are its own too. Forks are released like programs, in any order, and run beside each other, but where calls write
 * what all of them share: a constant of the code, a generator that it keeps. Contexts and values of one go with the
 * others. No call that writes to the module's attributes may be under way (TSC_FAILED_PRECONDITION). An error for a
 * file that makes its modules when it is run, whose objects would be shared. Since 1.2. */
TSC_API tsc_error *tsc_program_fork(const tsc_program *program, tsc_program **fork);
/* Entries, contexts, attributes and values of the program keep what they need of it. */
TSC_API void tsc_program_free(tsc_program *program);

/* What there is to call: functions of a file, in its order, or methods of an archive's module. */
TSC_API tsc_error *tsc_program_num_functions(const tsc_program *program, size_t *count);
/* The name of one of them, without compiling it. The program's. */
TSC_API tsc_error *tsc_program_function_name(const tsc_program *program, size_t index, const char **name);
/* Finds and compiles a function, or a method of the archive's module. NULL or "": what the program is: the module
 * itself with its hooks, else `forward`, else `main`, else the only function. Calls may be under way. */
TSC_API tsc_error *tsc_program_find(const tsc_program *program, const char *name, tsc_entry **entry);
/* Compiles all there is, to know now whether something does not compile. No call may be under way, of a fork
 * neither. */
TSC_API tsc_error *tsc_program_compile_all(tsc_program *program);
/* A call of `entry` that gives, in place of its results, the gradients of the sum of all its results by the arguments
 * of these positions (0: the first one), as a list of tensors in their order. No call may be under way, of a fork
 * neither. */
TSC_API tsc_error *tsc_program_differentiate(tsc_program *program, const tsc_entry *entry, const uint32_t *arguments,
                                             size_t num_arguments, tsc_entry **gradients);
/* Puts the archive's module in a form whose weights stay as they are, and which has these methods alone: calls become
 * faster. No call may be under way, of a fork neither. Entries of these methods stay valid; forks stay as they are, and
 * cannot be frozen themselves. */
TSC_API tsc_error *tsc_program_freeze(tsc_program *program, const char *const *methods, size_t num_methods);
/* Whether calls may write what other calls of the program use: attributes of its module, what they hold, or constants
 * of its code; 0 or 1. Such calls run one at a time, and one that comes meanwhile is TSC_FAILED_PRECONDITION: each
 * thread wants a tsc_program_fork() of its own. What such a call returns may be part of the state: copy it before the
 * next call begins. `first`, which may be NULL, becomes a string that shows the first line of the program that writes,
 * "" where none does. What cannot be followed counts as writing. Attributes of such a program are read, listed and
 * dumped between calls: else that is TSC_FAILED_PRECONDITION too. Since 1.3. */
TSC_API tsc_error *tsc_program_writes_state(const tsc_program *program, int *writes, tsc_value **first);
/* The same of what calls are given. No value may then be an argument of two calls at the same time. Since 1.3. */
TSC_API tsc_error *tsc_program_writes_arguments(const tsc_program *program, int *writes, tsc_value **first);
/* Waits for the code that calls have asked for so far. The second call of an entry asks for code, the third for its
 * kernels: who wants no compilation in the loop calls three times, and this after the second and the third. */
TSC_API tsc_error *tsc_program_finish_compiling(const tsc_program *program);

/* A value of the archive's module by its path, "encoder.layers.0.weight": a parameter, buffer, attribute or submodule;
 * "" is the module. Tensors share the program's memory. */
TSC_API tsc_error *tsc_program_attribute(const tsc_program *program, const char *path, tsc_value **value);
/* The attributes of the archive's module and of all in it that are no modules, as they are now; none of a program
 * without module. */
TSC_API tsc_error *tsc_program_attributes(const tsc_program *program, tsc_attributes **attributes);
/* Frees the list; names that it gave are gone with it. */
TSC_API void tsc_attributes_free(tsc_attributes *attributes);
/* Sets `size` to the number of attributes. */
TSC_API tsc_error *tsc_attributes_size(const tsc_attributes *attributes, size_t *size);
/* Each output may be NULL. The name is the path within the archive's module; it belongs to `attributes`. */
TSC_API tsc_error *tsc_attributes_get(const tsc_attributes *attributes, size_t index, const char **name,
                                      tsc_attribute_kind *kind, tsc_value **value);
/* Puts a value in the place of one of the archive's module, "encoder.layers.0.weight". TSC_INVALID_ARGUMENT when it is
 * not of the attribute's type. No call may be under way. Since 1.1. */
TSC_API tsc_error *tsc_program_set_attribute(tsc_program *program, const char *path, const tsc_value *value);
/* Gives all floating-point parameters and buffers this dtype. No call may be under way. Since 1.1. */
TSC_API tsc_error *tsc_program_convert(tsc_program *program, tsc_dtype dtype);
/* module.train(mode). No call may be under way. Since 1.1. */
TSC_API tsc_error *tsc_program_set_training(tsc_program *program, int mode);
/* The archive's module as PyTorch's Module::dump prints it, a string; `flags` of tsc_dump_flags. Since 1.1. */
TSC_API tsc_error *tsc_program_dump(const tsc_program *program, uint32_t flags, tsc_value **text);
/* Compiles methods, "def twice(self, x):\n  return self.forward(self.forward(x))\n", and adds them to the class of the
 * archive's module, or of the module at `path` within it; NULL or "" is the archive's own. An argument without an
 * annotation is a tensor. TSC_INVALID_ARGUMENT when one does not compile or has the name of something that the class
 * has: then none is added. No other function may use the program meanwhile. Since 1.4. */
TSC_API tsc_error *tsc_program_define(tsc_program *program, const char *path, const char *source);
/* Writes the archive's module, with what was changed in it, to a file that torch.jit.load and tsc_program_load() read.
 * The file is replaced as a whole. TSC_UNIMPLEMENTED for a frozen module. No call may be under way. Since 1.4. */
TSC_API tsc_error *tsc_program_save(const tsc_program *program, const char *file);

/*===-- Calls -------------------------------------------------------------===*/

/* The name, of a method without its module's. The entry's. "" of NULL. */
TSC_API const char *tsc_entry_name(const tsc_entry *entry);
/* The signature as PyTorch prints it; a method's begins with `self`, which calls supply. The entry's. "" of NULL. */
TSC_API const char *tsc_entry_schema(const tsc_entry *entry);
/* Frees an entry. No call of it may be under way. */
TSC_API void tsc_entry_free(tsc_entry *entry);

/* The state of the calls that one thread makes: its random generator (with PyTorch's default seed), where print goes
 * (nowhere) and warnings go (to stderr), and quotas. */
TSC_API tsc_error *tsc_context_new(const tsc_program *program, tsc_context **context);
/* Frees a context. No call that it makes may be under way. */
TSC_API void tsc_context_free(tsc_context *context);
/* torch.manual_seed. */
TSC_API tsc_error *tsc_context_set_seed(tsc_context *context, uint64_t seed);
/* Where print writes; NULL: nowhere. It is called in the thread of the call. */
TSC_API tsc_error *tsc_context_set_print(tsc_context *context, tsc_write print, void *user);
/* Receives the text of each warning, once for each place; NULL: nobody does. */
TSC_API tsc_error *tsc_context_set_warn(tsc_context *context, tsc_write warn, void *user);
/* What one call may use: `steps`, backward jumps and calls (0: no limit), and `depth`, nested calls (0: 10000). More is
 * TSC_RESOURCE_EXHAUSTED. */
TSC_API tsc_error *tsc_context_set_quotas(tsc_context *context, uint64_t steps, uint32_t depth);
/* One of them alone; 0: no limit, or the default depth of 10000. Since 1.1. */
TSC_API tsc_error *tsc_context_set_quota(tsc_context *context, tsc_quota quota, uint64_t limit);
/* Ends the call that the context makes, and all that it would make, until tsc_context_resume(): TSC_CANCELLED. From any
 * thread, and from a signal handler. A call ends within microseconds, or when the operator at work is done. Since 1.1.
 */
TSC_API void tsc_context_cancel(tsc_context *context);
/* Lets the context make calls again after tsc_context_cancel(). Since 1.1. */
TSC_API void tsc_context_resume(tsc_context *context);

/* Calls the entry. `result` is None for a function without result, a tuple for one with several. `context` is of the
 * same program. Arguments are converted as PyTorch does between Python and TorchScript: an int for a float, a tuple for
 * a list. A program that writes to an argument writes to the caller's tensor or list. Once its code is there, a call of
 * a program whose results are tensors and numbers asks the system for no memory. */
TSC_API tsc_error *tsc_entry_run(const tsc_entry *entry, tsc_context *context, tsc_value *const *args, size_t num_args,
                                 tsc_value **result);
/* The same with further arguments by name. */
TSC_API tsc_error *tsc_entry_run_named(const tsc_entry *entry, tsc_context *context, tsc_value *const *args,
                                       size_t num_args, const char *const *names, tsc_value *const *named_args,
                                       size_t num_named, tsc_value **result);

/*===-- Values ------------------------------------------------------------===*/

/* Of these, NULL means that there is no memory, or that an argument was NULL. */
TSC_API tsc_value *tsc_value_new_none(void);
/* A bool: false for 0, else true. */
TSC_API tsc_value *tsc_value_new_bool(int value);
/* An int. */
TSC_API tsc_value *tsc_value_new_int(int64_t value);
/* A float. */
TSC_API tsc_value *tsc_value_new_float(double value);
/* A complex number. */
TSC_API tsc_value *tsc_value_new_complex(double real, double imaginary);
/* Copies the text, which may hold zeros. */
TSC_API tsc_value *tsc_value_new_string(const char *text, size_t length);
/* Another handle of the same value: tensors, lists and dicts are shared. */
TSC_API tsc_value *tsc_value_new_reference(const tsc_value *value);
/* Frees this handle. The value lives as long as others, or programs, have it. */
TSC_API void tsc_value_free(tsc_value *value);

/* A tensor over the caller's memory, which is not copied and which programs may write to. It stays valid, and in its
 * place, until release(user) is called, once, when the last use of it is gone: a result may share it. When the function
 * fails, release is not called. `release` may be NULL: the caller then knows when.
 * With TSC_READ_ONLY, a program that writes to the tensor writes to a copy, which the tensor has from then on.
 * Each byte of a bool tensor must be 0 or 1. This is checked here, but not when the caller writes to the memory later:
 * another byte there may make a program read memory that is not its own. TSC_INVALID_ARGUMENT: data that is not aligned
 * to its elements, negative sizes or strides, an unknown dtype, bools of other bytes. */
TSC_API tsc_error *tsc_value_new_tensor(const tsc_tensor *tensor, tsc_release release, void *user, tsc_value **value);
/* A tensor of its own, row-major, with a copy of the elements. */
TSC_API tsc_error *tsc_value_new_tensor_copy(const tsc_tensor *tensor, tsc_value **value);
/* One whose elements are not set (bools are false); `data` and strides are not looked at. tsc_tensor_mutable_data()
 * says where to write. Since 1.1. */
TSC_API tsc_error *tsc_value_new_empty_tensor(const tsc_tensor *tensor, tsc_value **value);
/* Lists that a program takes as List[int], List[float], List[bool], List[Tensor] without conversion. They are copied;
 * tensors are shared. */
TSC_API tsc_error *tsc_value_new_int_list(const int64_t *elements, size_t size, tsc_value **value);
/* A List[float], as tsc_value_new_int_list() makes one of ints. */
TSC_API tsc_error *tsc_value_new_float_list(const double *elements, size_t size, tsc_value **value);
/* A List[bool], of elements that are 0 or 1. */
TSC_API tsc_error *tsc_value_new_bool_list(const uint8_t *elements, size_t size, tsc_value **value);
/* A List[Tensor], of values that are tensors. */
TSC_API tsc_error *tsc_value_new_tensor_list(tsc_value *const *elements, size_t size, tsc_value **value);
/* A list of any values; a call makes of it a list of the type that it takes. */
TSC_API tsc_error *tsc_value_new_list(tsc_value *const *elements, size_t size, tsc_value **value);
/* A tuple of any values. */
TSC_API tsc_error *tsc_value_new_tuple(tsc_value *const *elements, size_t size, tsc_value **value);
/* Keys are strings, numbers or tensors. Of equal keys the last one counts. A call makes of it a dict of the type that
 * it takes. */
TSC_API tsc_error *tsc_value_new_dict(tsc_value *const *keys, tsc_value *const *values, size_t size, tsc_value **value);

/* What kind of value it is; TSC_KIND_INVALID for NULL. */
TSC_API tsc_kind tsc_value_kind(const tsc_value *value);
/* Python's name of the type, "Tensor", "int", "list"; "" of NULL. For an object, its class. The value's. */
TSC_API const char *tsc_value_type_name(const tsc_value *value);
/* Each of these takes the kind that it names, and no other; `float` takes an int too, `complex` any number. */
TSC_API tsc_error *tsc_value_get_bool(const tsc_value *value, int *result);
/* An int. */
TSC_API tsc_error *tsc_value_get_int(const tsc_value *value, int64_t *result);
/* A float, or an int as a float. */
TSC_API tsc_error *tsc_value_get_float(const tsc_value *value, double *result);
/* The parts of a complex number, or of another number as one. */
TSC_API tsc_error *tsc_value_get_complex(const tsc_value *value, double *real, double *imaginary);
/* A string's text. It ends in a zero, and may hold others; `length` may be NULL. The value's. */
TSC_API tsc_error *tsc_value_get_string(const tsc_value *value, const char **text, size_t *length);
/* Elements of a list, tuple or dict. */
TSC_API tsc_error *tsc_value_size(const tsc_value *value, size_t *size);
/* An element of a list or tuple; of a dict, its entry in order of insertion, as a tuple of key and value. For a dict
 * that takes time in proportion to its size: tsc_value_items() gives all. */
TSC_API tsc_error *tsc_value_element(const tsc_value *value, size_t index, tsc_value **element);
/* The entries of a dict in order of insertion: a tuple of tuples of key and value. */
TSC_API tsc_error *tsc_value_items(const tsc_value *value, tsc_value **items);
/* The value of a key of a dict; TSC_NOT_FOUND when it is not there. */
TSC_API tsc_error *tsc_value_lookup(const tsc_value *value, const tsc_value *key, tsc_value **found);
/* The attribute of an object, the field of a NamedTuple, or `name` and `value` of a member of an enumeration. */
TSC_API tsc_error *tsc_value_attribute(const tsc_value *value, const char *name, tsc_value **attribute);
/* Elements of a List[int] or List[float] where they are. The value's, as long as no program writes to the list. */
TSC_API tsc_error *tsc_value_get_int_list(const tsc_value *value, const int64_t **elements, size_t *size);
/* Elements of a List[float] where they are, as tsc_value_get_int_list() gives those of ints. */
TSC_API tsc_error *tsc_value_get_float_list(const tsc_value *value, const double **elements, size_t *size);
/* The value as Python prints it, a string of its own. */
TSC_API tsc_error *tsc_value_print(const tsc_value *value, tsc_value **text);

/*===-- Tensors -----------------------------------------------------------===*/

/* Where the elements of the value are, for reading. The caller sets struct_size; sizes and strides are the value's, and
 * valid as long as it lives and no program changes the tensor. (A result that is a lazy conjugate, as torch.conj()
 * gives, was computed when its handle was made, and shares no memory with what it is of.) */
TSC_API tsc_error *tsc_tensor_get(const tsc_value *value, tsc_tensor *tensor);
/* The first element, for writing; call it before each time that something is written. What shares the tensor sees what
 * is written. The tensor of a mapped archive, and one that is TSC_READ_ONLY, become copies first. No call that reads
 * the tensor may be under way. Bytes of bools must be 0 or 1, which is not checked here. */
TSC_API tsc_error *tsc_tensor_mutable_data(const tsc_value *value, void **data);
/* Copies the elements to memory of the caller's, of the same sizes, and of any dtype and strides. */
TSC_API tsc_error *tsc_tensor_copy_to(const tsc_value *value, const tsc_tensor *destination);
/* Copies elements from memory of the caller's, of the same sizes, into the tensor: a parameter's, say. As
 * tsc_tensor_mutable_data(). */
TSC_API tsc_error *tsc_tensor_copy_from(const tsc_value *value, const tsc_tensor *source);

/*===-- Libraries of operators --------------------------------------------===*/

/* A shared library for tsc_options_load_library() and tsc-run --load-library is a file of C, which links nothing of
 * tsc:
 *
 *   static tsc_error *scale(void *user, tsc_value *const *args, ...) { ... }
 *   TSC_LIBRARY(operators) {
 *     return tsc_operators_add(operators, "mine::scale(Tensor x, float by=1.0) -> Tensor", scale, NULL, NULL);
 *   }
 */
#define TSC_LIBRARY_ABI 1
#if defined(__GNUC__)
#define TSC_LIBRARY_EXPORT __attribute__((visibility("default")))
#else
#define TSC_LIBRARY_EXPORT
#endif
#ifdef __cplusplus
#define TSC_LIBRARY_LINKAGE extern "C"
#else
#define TSC_LIBRARY_LINKAGE extern
#endif
#define TSC_LIBRARY(operators)                                                                                         \
  TSC_LIBRARY_LINKAGE TSC_LIBRARY_EXPORT const uint32_t tsc_library_abi;                                               \
  const uint32_t tsc_library_abi = TSC_LIBRARY_ABI;                                                                    \
  TSC_LIBRARY_LINKAGE TSC_LIBRARY_EXPORT tsc_error *tsc_library_register(tsc_operators *operators);                    \
  tsc_error *tsc_library_register(tsc_operators *operators)

/* Adds an operator, as tsc_options_add_operator() does. Since 1.1. */
TSC_API tsc_error *tsc_operators_add(tsc_operators *operators, const char *schema, tsc_operator function, void *user,
                                     tsc_release release);

#ifdef __cplusplus
}
#endif

#endif
