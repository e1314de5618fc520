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
|*            tsc_program_writes_state(). Grad mode and random numbers are the
|*            thread's: see tsc_set_grad_mode() and tsc_set_seed().
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
typedef struct tsc_archive tsc_archive;       /* The files that are in a zip file. */
typedef struct tsc_op tsc_op;                 /* An overload of an operator of the library's: "aten::add.Tensor". */

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
  TSC_BUFFER = 2,
  TSC_SUBMODULE = 3 /* Only tsc_module_list() gives it. Since 1.5. */
} tsc_attribute_kind;

/* What tsc_module_list() lists. */
typedef enum tsc_listing TSC_HOLDS_ANY_INT {
  TSC_LIST_ATTRIBUTES = 0, /* All attributes, with parameters, buffers and submodules among them. */
  TSC_LIST_PARAMETERS = 1,
  TSC_LIST_BUFFERS = 2,
  TSC_LIST_MODULES = 3 /* Modules: with `recurse` the module itself, whose name is "", and all in it; else those that
                          its attributes hold. */
} tsc_listing;

/* Whether what a thread computes is recorded for gradients. */
typedef enum tsc_grad_mode TSC_HOLDS_ANY_INT {
  TSC_GRAD_OFF = 0,       /* Nothing is recorded, as within torch.no_grad(). */
  TSC_GRAD_ON = 1,        /* Each thread begins with it. */
  TSC_GRAD_INFERENCE = 2, /* Nothing is recorded, as within torch.inference_mode(). Tensors carry no mark of it. */
  TSC_GRAD_INVALID = -1   /* What tsc_set_grad_mode() returns for a number that is no mode. */
} tsc_grad_mode;

/* How gradients are computed, joined by `|`. */
typedef enum tsc_gradient_flags TSC_HOLDS_ANY_INT {
  TSC_GRADIENT_DEFAULT = 0,
  TSC_RETAIN_GRAPH = 1, /* What was recorded is kept, so that it can be differentiated once more. */
  TSC_CREATE_GRAPH = 2, /* The gradients can be differentiated in turn; implies TSC_RETAIN_GRAPH. */
  TSC_ALLOW_UNUSED = 4  /* The gradient by a tensor that no output depends on is None, and no error. */
} tsc_gradient_flags;

/* How tsc_value_format() writes a value. */
typedef enum tsc_text_style TSC_HOLDS_ANY_INT {
  TSC_TEXT_PYTHON = 0, /* Python's repr writes this: "tensor([1., 2.])", "1.0", strings in quotes. */
  TSC_TEXT_CPP = 1     /* LibTorch's operator<< and programs' print write this: " 1\n 2\n[ CPUFloatType{2} ]", "1.". */
} tsc_text_style;

/* Kinds of devices, by PyTorch's numbers. Others exist that have no name here. */
typedef enum tsc_device_kind TSC_HOLDS_ANY_INT {
  TSC_DEVICE_CPU = 0,
  TSC_DEVICE_CUDA = 1,
  TSC_DEVICE_META = 14,
  TSC_DEVICE_PRIVATE = 20
} tsc_device_kind;

/* How the elements of a tensor are kept, by PyTorch's numbers. */
typedef enum tsc_layout TSC_HOLDS_ANY_INT {
  TSC_LAYOUT_STRIDED = 0,
  TSC_LAYOUT_SPARSE = 1,
  TSC_LAYOUT_SPARSE_CSR = 2
} tsc_layout;

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

/* What a tensor says of itself: see tsc_tensor_inspect(). Pointers are the value's. */
typedef struct tsc_tensor_info {
  size_t struct_size;     /* sizeof(tsc_tensor_info) of the caller. */
  const int64_t *sizes;   /* `rank` of them. */
  const int64_t *strides; /* `rank` of them, in elements. */
  int64_t num_elements;   /* The product of the sizes. */
  int64_t storage_offset; /* Where the first element stands in the storage, in elements. */
  const void *storage;    /* The first byte of the storage, for reading; NULL where it is not the processor's. Tensors
                             share memory where this is the same, and not NULL. */
  size_t storage_size;    /* The bytes of the storage. */
  uint32_t version;       /* Counts the writes to the storage. */
  int32_t rank;
  int32_t dtype;        /* A tsc_dtype; or the number of another of PyTorch's dtypes, such as 12 of torch.qint8. */
  int32_t layout;       /* A tsc_layout. */
  int32_t device_kind;  /* A tsc_device_kind. */
  int32_t device_index; /* -1 where it has none. */
  uint32_t flags;       /* tsc_tensor_facts, joined by `|`. */
} tsc_tensor_info;

typedef enum tsc_tensor_facts TSC_HOLDS_ANY_INT {
  TSC_IS_CONTIGUOUS = 1, /* Row-major without gaps. */
  TSC_REQUIRES_GRAD = 2,
  TSC_IS_LEAF = 4,      /* No recorded operator has computed it. */
  TSC_RETAINS_GRAD = 8, /* It is no leaf, and tsc_backward() keeps its gradient. */
  TSC_HAS_GRAD = 16,    /* tsc_tensor_grad() gives a tensor. */
  TSC_IS_QUANTIZED = 32,
  TSC_HAS_GRAD_FN = 64 /* A recorded operator has computed it: see tsc_tensor_grad_fn(). */
} tsc_tensor_facts;

/* A file within an archive, "extra/NAME". */
typedef struct tsc_file {
  const char *name;
  const void *data; /* May be NULL when size is 0. */
  size_t size;
} tsc_file;

/* Says that memory which was lent is not used any more. May be called from any thread, and must call no function of
 * this library. */
typedef void (*tsc_release)(void *user);
/* Takes text of `length` bytes, which need not end in a zero. */
typedef void (*tsc_write)(void *user, const char *text, size_t length);
/* What arrives at an operation that the host has computed: see tsc_record(). All is the library's, and goes when the
 * function returns. */
typedef struct tsc_arrived {
  size_t struct_size;          /* sizeof(tsc_arrived) of the library. */
  tsc_value *const *gradients; /* One for each result; None where none has arrived. */
  size_t num_gradients;
  tsc_value *const *saved; /* The tensors that were to be kept, with their histories. */
  size_t num_saved;
  const uint8_t *wanted; /* One for each operand: whether its gradient is asked for, 1 or 0. */
  tsc_value **results;   /* One for each operand, NULL: the function sets those that have a gradient. */
  size_t num_results;
} tsc_arrived;

/* A derivative of the host's: sets `arrived->results` to values that it gives away, or returns an error that it gives
 * away (tsc_error_new). It is called in the thread that asks for gradients, whose grad mode is on where they are to be
 * differentiated in turn, and else off; from several threads at once where several ask. */
typedef tsc_error *(*tsc_derivative)(void *user, const tsc_arrived *arrived);

/* What the host has computed: see tsc_record(). */
typedef struct tsc_recording {
  size_t struct_size;         /* sizeof(tsc_recording) of the caller. */
  const char *name;           /* What tsc_tensor_grad_fn() gives of the results: "ScaleBackward". */
  tsc_value *const *operands; /* Tensors; NULL or None stands for one without a gradient. */
  size_t num_operands;
  tsc_value *const *results; /* The same. */
  size_t num_results;
  tsc_value *const *saved; /* Tensors that the derivative reads: operands, results and others; NULL or None is kept. */
  size_t num_saved;
  tsc_derivative derivative;
  tsc_release release; /* May be NULL. It may free values. */
  void *user;
} tsc_recording;

/* Reads up to `size` bytes from `position` of a file into `buffer`, and returns how many; 0: there are none, or they
 * cannot be read. */
typedef size_t (*tsc_read)(void *user, uint64_t position, void *buffer, size_t size);
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

/* Threads that operators called without a program use, and calls of programs whose options say 0 threads; the caller's
 * own included. 1 to 1024; 1 until this is called. It takes effect with the next call of any thread, and may be called
 * at any time: it starts threads only where there are fewer. Bits of results do not depend on it. Since 1.5. */
TSC_API tsc_error *tsc_set_threads(int threads);
/* What tsc_set_threads() was last given. Since 1.5. */
TSC_API int tsc_threads(void);

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
/* Threads that a call may use, its own included; 1 to 1024. The program keeps them, and its calls share them. 0, since
 * 1.5: those of tsc_set_threads(), which all programs share. */
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
/* The same from a callback, which is called until it has given `size` bytes, in their order. TSC_DATA_LOSS where it
 * gives fewer. Since 1.5. */
TSC_API tsc_error *tsc_program_load_reader(tsc_read read, void *user, uint64_t size, const char *name,
                                           const tsc_options *options, tsc_program **program);
/* A program that shares the code of this one, options included, and the parameters of its module, and has buffers and
 * attributes of its own, as they are now: one for each user of a module with state. Parameters that its code may write
 * are its own too. Forks are released like programs, in any order, and run beside each other, but where calls write
 * what all of them share: a constant of the code, a generator that it keeps. Contexts and values of one go with the
 * others. No call that writes to the module's attributes may be under way (TSC_FAILED_PRECONDITION). An error for a
 * file that makes its modules when it is run, whose objects would be shared. Since 1.2. */
TSC_API tsc_error *tsc_program_fork(const tsc_program *program, tsc_program **fork);
/* A program that shares the code of this one and has a deep copy of its module, parameters included. Otherwise like
 * tsc_program_fork(); a program without a module is forked. Since 1.5. */
TSC_API tsc_error *tsc_program_copy(const tsc_program *program, tsc_program **copy);
/* Changes the number of threads that calls may use: 1 to 1024, or 0 for those of tsc_set_threads(). Like that it may be
 * called at any time. Forks have the same threads. TSC_INVALID_ARGUMENT where the options named threads of the host's.
 * Since 1.5. */
TSC_API tsc_error *tsc_program_set_threads(tsc_program *program, int threads);
/* The files in the archive's folder `extra/`; none where the program is no archive. Since 1.5. */
TSC_API tsc_error *tsc_program_num_extra_files(const tsc_program *program, size_t *count);
/* Name and contents of one of them; each output may be NULL. They are the program's. Since 1.5. */
TSC_API tsc_error *tsc_program_extra_file(const tsc_program *program, size_t index, const char **name,
                                          const void **data, size_t *size);
/* The contents of the one called `name`, as it was given to torch.jit.save: "config.json". TSC_NOT_FOUND where there is
 * none. They are the program's. Since 1.5. */
TSC_API tsc_error *tsc_program_find_extra_file(const tsc_program *program, const char *name, const void **data,
                                               size_t *size);
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
/* The same, with attributes that the module keeps as they are: by name, or by a dotted path for those of a submodule.
 * TSC_NOT_FOUND where there is no such method or attribute. Since 1.5. */
TSC_API tsc_error *tsc_program_freeze_keeping(tsc_program *program, const char *const *methods, size_t num_methods,
                                              const char *const *attributes, size_t num_attributes);
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

/*===-- Modules and other objects -----------------------------------------===*/

/* A module is a value of TSC_KIND_OBJECT; so is any other instance of a program's class. tsc_program_attribute(program,
 * "", &module) gives that of an archive. It keeps its program alive, and is the object itself: what is changed in it is
 * changed for all that hold it. Functions `tsc_module_...` take any object where they do not say otherwise; a value of
 * another kind is TSC_INVALID_ARGUMENT. No call may be under way in which they change something, and where a call is
 * that writes the state, those that read it are TSC_FAILED_PRECONDITION, as with tsc_program_attribute(). All since
 * 1.5. */

/* Makes a module without attributes and methods, of a class of its own; `name` is its class's, "Module" or
 * "__torch__.mine.Module". It belongs to the program of the module `within`; or, where that is NULL, to one of its own
 * with these options, which may be NULL. Since 1.7. */
TSC_API tsc_error *tsc_module_new(const tsc_value *within, const char *name, const tsc_options *options,
                                  tsc_value **module);
/* Whether the value is a module: 1 or 0. */
TSC_API int tsc_value_is_module(const tsc_value *value);
/* The program that a module belongs to: the one whose handle it came of, or a fork or copy of that. The caller frees
 * it. */
TSC_API tsc_error *tsc_module_program(const tsc_value *module, tsc_program **program);
/* Finds and compiles a method of the object. NULL or "": the module itself, which is `forward` with its hooks.
 * TSC_NOT_FOUND where it has none of that name. Calls may be under way. */
TSC_API tsc_error *tsc_module_find(const tsc_value *module, const char *method, tsc_entry **entry);
/* How many methods the object's class has. */
TSC_API tsc_error *tsc_module_num_methods(const tsc_value *module, size_t *count);
/* The name of one of them. The program's. */
TSC_API tsc_error *tsc_module_method_name(const tsc_value *module, size_t index, const char **name);
/* An attribute, or a constant of the class, by its path from the module: "encoder.layers.0.weight". TSC_NOT_FOUND where
 * there is none. Tensors share the program's memory. */
TSC_API tsc_error *tsc_module_attribute(const tsc_value *module, const char *path, tsc_value **value);
/* Puts a value in its place. TSC_NOT_FOUND where there is no such attribute, TSC_INVALID_ARGUMENT when the value is not
 * of the attribute's type, or the name is a constant's. */
TSC_API tsc_error *tsc_module_set_attribute(const tsc_value *module, const char *path, const tsc_value *value);
/* Adds an attribute to a module, and to its class, with the type of the value. A parameter or buffer is a tensor, or
 * None; an attribute may be a module of the same program. TSC_INVALID_ARGUMENT where the class has something of that
 * name that is not of the same type and kind. */
TSC_API tsc_error *tsc_module_register(const tsc_value *module, const char *name, tsc_attribute_kind kind,
                                       const tsc_value *value);
/* What the module holds, with paths, in the order of PyTorch's named_parameters() and its kin; with `recurse`, of all
 * modules in it. Of an object that is no module, its attributes. */
TSC_API tsc_error *tsc_module_list(const tsc_value *module, tsc_listing what, int recurse, tsc_attributes **list);
/* module.train(mode). For modules. */
TSC_API tsc_error *tsc_module_set_training(const tsc_value *module, int mode);
/* Whether it is in training mode, 0 or 1. A module without the attribute `training` is. For modules. */
TSC_API tsc_error *tsc_module_is_training(const tsc_value *module, int *mode);
/* Gives all floating-point parameters and buffers a dtype, or moves all to a device, or both. -1: the dtype, or the
 * kind of device, stays. The index of a device may be -1. TSC_INVALID_ARGUMENT where there is no such device. For
 * modules. */
TSC_API tsc_error *tsc_module_convert(const tsc_value *module, int dtype, int device_kind, int device_index);
/* Compiles methods and adds them to the class of the module, as tsc_program_define() does. For modules. */
TSC_API tsc_error *tsc_module_define(const tsc_value *module, const char *source);
/* Gives the module as PyTorch's Module::dump prints it, as tsc_program_dump() does. For modules. */
TSC_API tsc_error *tsc_module_dump(const tsc_value *module, uint32_t flags, tsc_value **text);
/* Hands the bytes of an archive, which torch.jit.load and tsc_program_load() read, to `write`, with extra files.
 * TSC_UNIMPLEMENTED for a frozen module. For modules. */
TSC_API tsc_error *tsc_module_save(const tsc_value *module, const tsc_file *extra_files, size_t num_extra_files,
                                   tsc_write write, void *user);
/* A deep copy of the module: a module of a program of its own, which shares the code and nothing that can be written.
 * Calls of the two run beside each other. For modules. */
TSC_API tsc_error *tsc_module_copy(const tsc_value *module, tsc_value **copy);
/* torch.jit.freeze: a module, of a program of its own, which has these methods alone, and attributes only where
 * `attributes` name them, or its code writes or hands them out. It shares tensors with `module`, which stays as it is.
 * Without methods: `forward` with its hooks. TSC_INVALID_ARGUMENT for a module that is in training mode, as in PyTorch.
 * For modules that are not frozen. */
TSC_API tsc_error *tsc_module_freeze(const tsc_value *module, const char *const *methods, size_t num_methods,
                                     const char *const *attributes, size_t num_attributes, tsc_value **frozen);

/*===-- Calls -------------------------------------------------------------===*/

/* The name, of a method without its module's. The entry's. "" of NULL. */
TSC_API const char *tsc_entry_name(const tsc_entry *entry);
/* The signature as PyTorch prints it; a method's begins with `self`, which calls supply. The entry's. "" of NULL. */
TSC_API const char *tsc_entry_schema(const tsc_entry *entry);
/* How many arguments it has, `self` not counted. Since 1.5. */
TSC_API tsc_error *tsc_entry_num_arguments(const tsc_entry *entry, size_t *count);
/* What an argument is: its name (the entry's), its type as a string such as "Optional[Tensor]", and its default, or
 * NULL where it has none. Each output may be NULL. Since 1.5. */
TSC_API tsc_error *tsc_entry_argument(const tsc_entry *entry, size_t index, const char **name, tsc_value **type,
                                      tsc_value **default_value);
/* The type of what it returns, as a string such as "Tuple[Tensor, int]". Since 1.5. */
TSC_API tsc_error *tsc_entry_result_type(const tsc_entry *entry, tsc_value **type);
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
/* Lets the program exchange tensors with the other processes of an MPI communicator, which torch.distributed and
 * operators of `_c10d_functional` then call group "0". `communicator` points at an MPI_Comm, of which a duplicate is
 * made; so all its processes call this. It counts for all contexts of the program until it is NULL or the program is
 * freed, which all processes do, too, before the host finalizes MPI. A rank fails that waits longer than `timeout`
 * seconds (0: half an hour) for another. TSC_FAILED_PRECONDITION where MPI is not initialized, and TSC_UNIMPLEMENTED
 * where libtsc_mpi.so is not installed. Since 1.5. */
TSC_API tsc_error *tsc_context_set_communicator(tsc_context *context, const void *communicator, double timeout);

/* Whether calls with this context are recorded for gradients, in threads whose grad mode is on, where an argument or a
 * parameter of the module requires one: 0, as it begins, or 1. See tsc_backward(). Since 1.5. */
TSC_API tsc_error *tsc_context_set_recording(tsc_context *context, int recording);

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

/* The same without a context, as a host of LibTorch's calls a module: recorded for gradients as
 * tsc_context_set_recording() says, with the thread's random numbers (tsc_set_seed()), print to standard output,
 * warnings to standard error, and no quotas. Arguments by name may be none: NULL, NULL, 0. Since 1.5. */
TSC_API tsc_error *tsc_entry_call(const tsc_entry *entry, tsc_value *const *args, size_t num_args,
                                  const char *const *names, tsc_value *const *named_args, size_t num_named,
                                  tsc_value **result);

/*===-- Operators without a program ---------------------------------------===*/

/* Every operator of PyTorch's that programs can call can be called on values, as torch.add(x, y) is: it takes the
 * calling thread, and those of tsc_set_threads(). What it computes is recorded for gradients in threads whose grad mode
 * is on. Operators of the host's (tsc_options_add_operator()) are their programs' own. All since 1.5. */

/* Finds one overload: "aten::add" and "Tensor", or "" for the overload without a name. TSC_NOT_FOUND where there is
 * none. It is the library's, and stays as long as the process. */
TSC_API tsc_error *tsc_op_find(const char *name, const char *overload, const tsc_op **op);
/* The overloads of a name, in the order in which calls by name try them. The list is the library's, too. */
TSC_API tsc_error *tsc_op_overloads(const char *name, const tsc_op *const **ops, size_t *count);
/* "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor". "" of NULL. */
TSC_API const char *tsc_op_schema(const tsc_op *op);
/* How many arguments its schema has; 0 of NULL. */
TSC_API size_t tsc_op_num_arguments(const tsc_op *op);
/* How many results its schema has; 0 of NULL. */
TSC_API size_t tsc_op_num_results(const tsc_op *op);
/* Calls one overload: the cheapest way. `args` holds the values of the schema's arguments, in its order: NULL, and what
 * is missing at the end, stand for defaults. `results` is filled with one value for each result. Values are converted
 * as with tsc_op_call(). TSC_INVALID_ARGUMENT where the numbers are not those of the schema, or an argument has no
 * default. */
TSC_API tsc_error *tsc_op_run(const tsc_op *op, tsc_value *const *args, size_t num_args, tsc_value **results,
                              size_t num_results);
/* Calls one overload with arguments by position and by name; defaults are filled in. `result` is None for an operator
 * without result, a tuple for one with several. */
TSC_API tsc_error *tsc_op_call(const tsc_op *op, tsc_value *const *args, size_t num_args, const char *const *names,
                               tsc_value *const *named_args, size_t num_named, tsc_value **result);
/* Calls the overload of "aten::add" that the arguments fit, as the compiler would choose it; or the one of
 * "aten::add.Tensor". First as they are, then with PyTorch's conversions: an int for a float, a tensor of one element
 * for a number, a number for a list of fixed length, a tuple or list of any values for a list, a string for a device.
 * dtypes, layouts and memory formats are ints, by PyTorch's numbers. TSC_NOT_FOUND where there is no such operator,
 * TSC_INVALID_ARGUMENT, with the reason for each overload, where none takes the arguments. */
TSC_API tsc_error *tsc_call(const char *name, tsc_value *const *args, size_t num_args, const char *const *names,
                            tsc_value *const *named_args, size_t num_named, tsc_value **result);
/* torch.manual_seed for operators and tsc_entry_call(): the calling thread's numbers begin anew. Each thread has its
 * own sequence. One that has called none of them yet begins with the seed that was set last, in any thread, or with
 * PyTorch's default seed. */
TSC_API void tsc_set_seed(uint64_t seed);
/* The dtype, by PyTorch's numbers, that floating-point numbers have where nothing says another, in operators and in
 * programs that the calling thread runs. Each thread has its own, and begins with float (6). Since 1.6. */
TSC_API int32_t tsc_default_dtype(void);
/* Sets it for the calling thread. TSC_INVALID_ARGUMENT for a number that is no floating-point dtype's. Since 1.6. */
TSC_API tsc_error *tsc_set_default_dtype(int32_t dtype);

/*===-- Gradients ---------------------------------------------------------===*/

/* Operators that are called on values, and calls that are recorded (tsc_entry_call(), tsc_context_set_recording()),
 * leave a history with the tensors that they compute from tensors that require gradients. It reaches over any number of
 * calls, programs and threads, keeps what it needs of them, and goes with the tensors. All since 1.5. */

/* The calling thread's grad mode. */
TSC_API tsc_grad_mode tsc_get_grad_mode(void);
/* Sets it and returns the one before. For a number that is no mode: TSC_GRAD_INVALID, and the mode stays. */
TSC_API tsc_grad_mode tsc_set_grad_mode(tsc_grad_mode mode);
/* Adds the gradients of the sum of `outputs` to `.grad` of the leaves that they depend on, or, where there are inputs,
 * of those alone, as torch.autograd.backward. `weights` are of the outputs' shapes; NULL, or one of them NULL or None:
 * 1, for an output of one element. `flags` of tsc_gradient_flags; inputs that are not used are no error. Several
 * threads may do this at once, over the same leaves. TSC_INVALID_ARGUMENT, in PyTorch's words, where a gradient cannot
 * be computed. */
TSC_API tsc_error *tsc_backward(tsc_value *const *outputs, size_t num_outputs, tsc_value *const *weights,
                                tsc_value *const *inputs, size_t num_inputs, uint32_t flags);
/* Fills `gradients` with one value for each input, as torch.autograd.grad returns them, and adds to no `.grad`. None
 * for an input that no output depends on, with TSC_ALLOW_UNUSED. */
TSC_API tsc_error *tsc_gradients(tsc_value *const *outputs, size_t num_outputs, tsc_value *const *weights,
                                 tsc_value *const *inputs, size_t num_inputs, uint32_t flags, tsc_value **gradients);
/* Records that the host has computed `results` from `operands`, with grad mode off, so that gradients go through its
 * own derivative: as torch.autograd.Function. Where grad mode is off, or no operand requires a gradient, nothing is
 * recorded. Results get their history; one that is an operand, too, was written to by the host. What is saved must not
 * be written to before gradients have gone through, which then is an error, and is dropped like what operators keep.
 * release(user) is called once: when nothing needs the derivative any more, also where this fails or records nothing.
 * TSC_INVALID_ARGUMENT where a leaf that requires a gradient was written to; TSC_UNIMPLEMENTED where a view was. Since
 * 1.7. */
TSC_API tsc_error *tsc_record(const tsc_recording *recording);
/* tensor.requires_grad_(needed). TSC_INVALID_ARGUMENT, in PyTorch's words, for a dtype that has no gradients, and for
 * taking it from a tensor that is no leaf. */
TSC_API tsc_error *tsc_tensor_set_requires_grad(const tsc_value *tensor, int needed);
/* What tsc_backward() has added up for the tensor; None where there is nothing. It is the tensor itself, not a copy. */
TSC_API tsc_error *tsc_tensor_grad(const tsc_value *tensor, tsc_value **grad);
/* What PyTorch calls the operator that computed the tensor, "MulBackward0", a string; "" where no table has its name;
 * None for a leaf. */
TSC_API tsc_error *tsc_tensor_grad_fn(const tsc_value *tensor, tsc_value **name);
/* Puts a tensor of the same sizes and dtype in its place; NULL or None takes it away. */
TSC_API tsc_error *tsc_tensor_set_grad(const tsc_value *tensor, const tsc_value *grad);
/* Lets tsc_backward() keep the gradient of a tensor that is no leaf. TSC_INVALID_ARGUMENT for one that requires none.
 */
TSC_API tsc_error *tsc_tensor_retain_grad(const tsc_value *tensor);
/* A tensor of the same memory that has no history and requires no gradient. */
TSC_API tsc_error *tsc_tensor_detach(const tsc_value *tensor, tsc_value **detached);

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

/* A device, by PyTorch's number of its kind; the index may be -1. TSC_INVALID_ARGUMENT for a kind that this library
 * does not know, or an index below -1. Since 1.5. */
TSC_API tsc_error *tsc_value_new_device(int kind, int index, tsc_value **value);
/* An empty list or dict of a type that an annotation names: "List[str]", "Dict[str, Tensor]". Calls take it as it is,
 * so that what a program adds to it is seen. TSC_INVALID_ARGUMENT for another text, and for a class's name.
 * Since 1.5. */
TSC_API tsc_error *tsc_value_new_container(const char *type, tsc_value **value);
/* A deep copy of tensors, lists, dicts, tuples and objects, as copy.deepcopy makes it. An object's is of the same
 * program; see tsc_module_copy(). Since 1.5. */
TSC_API tsc_error *tsc_value_copy(const tsc_value *value, tsc_value **copy);

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
/* Kind and index of a device. Each output may be NULL. Since 1.5. */
TSC_API tsc_error *tsc_value_get_device(const tsc_value *value, int *kind, int *index);
/* The type of the value, as a string: "List[int]", "Dict[str, Tensor]", "Tuple[Tensor, int]"; for an object its class's
 * qualified name. Since 1.5. */
TSC_API tsc_error *tsc_value_get_type(const tsc_value *value, tsc_value **type);
/* The name of an attribute of an object, or of a field of a NamedTuple, by its number; of another tuple NULL. The
 * value's. TSC_INVALID_ARGUMENT for a number out of range. Since 1.5. */
TSC_API tsc_error *tsc_value_field_name(const tsc_value *value, size_t index, const char **name);
/* Whether both are the same: the same tensor, list, dict or object, or equal numbers, bools, Nones or devices of one
 * kind. 0 where one is NULL. Since 1.5. */
TSC_API int tsc_value_is_same(const tsc_value *value, const tsc_value *other);
/* The value as a string, in a style. Since 1.5. */
TSC_API tsc_error *tsc_value_format(const tsc_value *value, tsc_text_style style, tsc_value **text);

/* These write to a list or dict, which all that hold it see. Elements, keys and values are converted to the type that
 * it has, or TSC_INVALID_ARGUMENT; what holds types of another program is copied. No call may be under way that uses
 * it. Since 1.5. */

/* Adds an element at the end of a list. */
TSC_API tsc_error *tsc_list_append(const tsc_value *list, const tsc_value *element);
/* Replaces an element of a list. */
TSC_API tsc_error *tsc_list_set(const tsc_value *list, size_t index, const tsc_value *element);
/* Removes all elements from the one with this number on. */
TSC_API tsc_error *tsc_list_truncate(const tsc_value *list, size_t size);
/* Sets the value of a key of a dict, or adds an entry at its end. */
TSC_API tsc_error *tsc_dict_set(const tsc_value *dict, const tsc_value *key, const tsc_value *value);
/* Removes the entry of a key of a dict; TSC_NOT_FOUND when it is not there. */
TSC_API tsc_error *tsc_dict_remove(const tsc_value *dict, const tsc_value *key);
/* Removes all entries of a dict. */
TSC_API tsc_error *tsc_dict_clear(const tsc_value *dict);

/* Hands the bytes of a file that torch.load reads, and tsc_value_load(), to `write`: of tensors, numbers, strings and
 * containers of them. TSC_UNIMPLEMENTED for what means nothing without its program, such as objects. Since 1.7. */
TSC_API tsc_error *tsc_value_save(const tsc_value *value, tsc_write write, void *user);
/* The value of a file of torch.save, of its zip format or the older one; code in it is not run. The bytes are borrowed
 * or copied as by tsc_program_load_bytes(): borrowed ones are needed as long as tensors have them. TSC_DATA_LOSS where
 * it is damaged, TSC_INVALID_ARGUMENT for an archive of torch.jit.save, TSC_UNIMPLEMENTED where it holds something that
 * is no value of TorchScript. Since 1.7. */
TSC_API tsc_error *tsc_value_load(const void *data, size_t size, tsc_release release, void *user, tsc_value **value);

/* The value as Python prints it, a string of its own. */
TSC_API tsc_error *tsc_value_print(const tsc_value *value, tsc_value **text);

/*===-- Tensors -----------------------------------------------------------===*/

/* Where the elements of the value are, for reading. The caller sets struct_size; sizes and strides are the value's, and
 * valid as long as it lives and no program changes the tensor. (A result that is a lazy conjugate, as torch.conj()
 * gives, was computed when its handle was made, and shares no memory with what it is of.) */
TSC_API tsc_error *tsc_tensor_get(const tsc_value *value, tsc_tensor *tensor);
/* What a tensor of any device and layout says of itself. The caller sets struct_size; pointers are the value's, and
 * valid as long as it lives and no program changes the tensor. Since 1.5. */
TSC_API tsc_error *tsc_tensor_inspect(const tsc_value *value, tsc_tensor_info *info);
/* tensor.data = source: from now on the tensor shares the elements of the other, and has its sizes, strides and dtype.
 * History and gradient stay its own. TSC_INVALID_ARGUMENT where it requires a gradient, and the other's dtype has none.
 * Since 1.5. */
TSC_API tsc_error *tsc_tensor_set_data(const tsc_value *value, const tsc_value *source);
/* The first element, for writing; call it before each time that something is written. What shares the tensor sees what
 * is written. The tensor of a mapped archive, and one that is TSC_READ_ONLY, become copies first. No call that reads
 * the tensor may be under way. Bytes of bools must be 0 or 1, which is not checked here. */
TSC_API tsc_error *tsc_tensor_mutable_data(const tsc_value *value, void **data);
/* The same pointer without counting a write: as LibTorch's data_ptr(). Gradients through what was computed from the
 * tensor take what is written later for what was there. Since 1.5. */
TSC_API tsc_error *tsc_tensor_data(const tsc_value *value, void **data);
/* Copies the elements to memory of the caller's, of the same sizes, and of any dtype and strides. */
TSC_API tsc_error *tsc_tensor_copy_to(const tsc_value *value, const tsc_tensor *destination);
/* Copies elements from memory of the caller's, of the same sizes, into the tensor: a parameter's, say. As
 * tsc_tensor_mutable_data(). */
TSC_API tsc_error *tsc_tensor_copy_from(const tsc_value *value, const tsc_tensor *source);

/*===-- Files within archives ---------------------------------------------===*/

/* Archives of torch.jit.save and torch.save are zip files: these read the files in one, and run nothing. All since
 * 1.5. */

/* Opens a file. TSC_NOT_FOUND where there is none, TSC_DATA_LOSS where it is no zip file, or a damaged one. It must
 * stay as it is until the archive is freed. */
TSC_API tsc_error *tsc_archive_open(const char *path, tsc_archive **archive);
/* The same from memory, which is borrowed or copied as by tsc_program_load_bytes(). */
TSC_API tsc_error *tsc_archive_open_bytes(const void *data, size_t size, tsc_release release, void *user,
                                          tsc_archive **archive);
/* Frees it, with the contents that it gave. */
TSC_API void tsc_archive_free(tsc_archive *archive);
/* How many files are in it. */
TSC_API tsc_error *tsc_archive_num_records(const tsc_archive *archive, size_t *count);
/* The name of one of them, with the folder that all are in: "model/data/0". The archive's. */
TSC_API tsc_error *tsc_archive_record_name(const tsc_archive *archive, size_t index, const char **name);
/* The contents of a file, by its name with that folder, or without it: "data/0". TSC_NOT_FOUND where there is none,
 * TSC_DATA_LOSS where it is damaged. The archive's. One thread at a time. */
TSC_API tsc_error *tsc_archive_record(tsc_archive *archive, const char *name, const void **data, size_t *size);

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
