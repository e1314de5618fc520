# How lit runs the tests under test/: which files are tests, and what tool names in RUN lines stand for.
import os
import pathlib
import platform
import shutil
import lit.formats

config.name = "tsc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ir", ".py", ".test", ".td"]
config.excludes = ["Inputs", "install", "lit.cfg.py", "lit.site.cfg.py", "extract_ir.py", "run_readme.py", "run_language.py", "check_language_tests.py", "expect_exit.py", "all_modes.py", "walked_and_compiled.py", "cpython.py",
                   "checks.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.tsc_test_output_dir

build_dir = os.path.dirname(config.tsc_bin_dir)
if config.tsc_emulator:  # scripts that run the programs in it have their names
    config.tsc_bin_dir = os.path.join(build_dir, "emulated", "bin")
    config.available_features.add("emulator")
path = [config.tsc_bin_dir, config.llvm_tools_dir, config.environment.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(path)
for name in ("PYTORCH_JIT_LOG_LEVEL", "PYTORCH_JIT_OPT_LIMIT", "PYTORCH_JIT_TYPE_VERBOSITY"):
    config.environment.pop(name, None)
config.environment["XDG_CACHE_HOME"] = os.path.join(config.tsc_test_output_dir, "cache")  # kernels of earlier runs
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# utils/choose_tests.py reads these two tables, which must be literals.
tools = ("tsc-lsp", "tsc-opt", "tsc-reduce", "tsc-run", "tsc-tblgen", "tsc-translate")
scripts = {"%exits": "expect_exit.py", "%all_modes": "all_modes.py", "%write_archive": "Serialization/Inputs/write_archive.py"}
for tool in tools:
    config.substitutions.append((r"(?<![\w/.-])%s(?![\w/.-])" % tool, os.path.join(config.tsc_bin_dir, tool)))
    if os.path.exists(os.path.join(config.tsc_bin_dir, tool)):
        config.available_features.add(tool)
if not config.tsc_sanitize and not config.tsc_emulator:  # programs without a sanitizer, or of this processor, cannot load the library
    config.available_features.add("libtsc")
if config.tsc_c_fuser.upper() in ("ON", "1", "TRUE", "YES"):
    config.available_features.add("c-fuser")
if any(os.path.exists(os.path.join(folder, "lib64/libnvrtc.so")) for folder in (os.environ.get("CUDA_PATH", ""), os.environ.get("CUDA_HOME", ""), "/usr/local/cuda")):
    config.available_features.add("nvrtc")
fake_cuda_driver = os.path.join(build_dir, "unittests/libtscFakeDriver.so")
if os.path.exists(fake_cuda_driver) and not config.tsc_sanitize:
    config.available_features.add("fake-cuda-driver")
if "real_gpu" in lit_config.params:  # utils/gpu_report.py: tests that name the fake driver run on the system's
    config.available_features.update(("fake-cuda-driver", "real-gpu"))
    config.substitutions.append((" --cuda-driver %fake_cuda_driver", ""))
config.substitutions.append(("%fake_cuda_driver", fake_cuda_driver))
python_alone = os.path.join(os.path.dirname(config.tsc_bin_dir), "unittests/PythonAlone")
if os.path.exists(python_alone):
    config.available_features.add("python-alone")
config.substitutions.append(("%python_alone", python_alone))
if os.path.exists(os.path.join(config.tsc_bin_dir, "fuzz-ir")):
    config.available_features.add("fuzzers")
if os.path.isdir(os.path.join(config.tsc_source_dir, "../shared/corpus/run")):
    config.available_features.add("recorded-cases")
if os.geteuid() == 0:
    config.available_features.add("root")
if shutil.which("gfortran"):
    config.available_features.add("gfortran")
if shutil.which("clang-format-19"):
    config.available_features.add("clang-format-19")
if config.tsc_sanitize:  # its shadow of memory counts where a test limits memory
    config.available_features.add("sanitizer")
    config.environment["TSC_SANITIZE"] = config.tsc_sanitize
# The whole suite runs with the vector instructions that TSC_SIMD allows, where it is set.
if "TSC_SIMD" in os.environ:
    config.environment["TSC_SIMD"] = os.environ["TSC_SIMD"]
if platform.machine() == "x86_64" and not config.tsc_emulator:
    config.available_features.add("x86_64")
if "avx512bw" in pathlib.Path("/proc/cpuinfo").read_text() and os.environ.get("TSC_SIMD", "v4") == "v4" and not config.tsc_emulator:
    config.available_features.add("avx512")
if config.tsc_native_simd.upper() not in ("ON", "1", "TRUE", "YES"):  # kernels of every level are there
    config.available_features.add("all-simd-levels")
elif config.tsc_simd_processor == "native":
    config.available_features.add("native-simd")
config.substitutions.append(("%source_dir", config.tsc_source_dir))
config.substitutions.append(("%build_dir", build_dir))
for mark, script in scripts.items():
    config.substitutions.append((mark, "python3 " + os.path.join(config.test_source_root, script)))
config.substitutions.append(("%python", "python3"))
config.substitutions.append(("%cc", " ".join([config.tsc_c_compiler, config.tsc_target_options]).strip()))
config.substitutions.append(("%libtsc", os.path.join(config.tsc_lib_dir, "libtsc.so.1")))
config.substitutions.append(("%link_libtsc", f"-L{config.tsc_lib_dir} -ltsc -Wl,-rpath,{config.tsc_lib_dir}"))
