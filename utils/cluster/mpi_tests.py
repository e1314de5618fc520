"""Tests of torch.distributed over MPI, with tsc-run. utils/check_cluster.py runs them."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = pathlib.Path(__file__).resolve().parent / "mpi"
EXAMPLE = ROOT / "examples/ranks"


class MpiTest(unittest.TestCase):
    """What the classes below share: the launchers that are there. Ranks may be more than processors."""

    settings = None

    @classmethod
    def setUpClass(cls):
        cls.launchers = {name: shutil.which(f"mpirun.{name}") for name in ("openmpi", "mpich")}
        if not any(cls.launchers.values()):
            raise unittest.SkipTest("neither mpirun.openmpi nor mpirun.mpich is installed (Debian: openmpi-bin, mpich)")
        if not (cls.settings.build / "lib/tsc/libtsc_mpi.so").exists():
            raise unittest.SkipTest("libtsc_mpi.so is not built: ninja tscMpi")

    def start(self, launcher, ranks, program, *args, host=None, options=()):
        command = [self.launchers[launcher], "-n", str(ranks), str(host or self.settings.run), *options]
        if launcher == "openmpi":
            command.insert(1, "--oversubscribe")
        if args:
            command += ["--args", ", ".join(repr(arg) for arg in args).replace("'", '"')]
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        return subprocess.Popen(command + ([str(program)] if program else []), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, env=environment)

    def run_ranks(self, launcher, ranks, program, *args, host=None, options=()):
        process = self.start(launcher, ranks, program, *args, host=host, options=options)
        try:
            out, _ = process.communicate(timeout=900)
        except subprocess.TimeoutExpired:
            process.kill()
            self.fail(f"{program} with {ranks} ranks of {launcher} did not end")
        return process.returncode, out

    def fake_gpu(self):
        """The options with which the unit tests' fake libraries stand for a GPU's"""
        driver = self.settings.build / "unittests/libtscFakeDriver.so"
        if not driver.exists():
            self.skipTest("libtscFakeDriver.so is not built: ninja tscFakeDriver")
        return "--cuda-driver", str(driver), "--compile", "off"

    def each(self, counts):
        for launcher, path in self.launchers.items():
            for ranks in counts if path else ():
                with self.subTest(launcher=launcher, ranks=ranks):
                    yield launcher, ranks


class Exchanges(MpiTest):
    def check(self, program, counts, expected, *args, options=()):
        for launcher, ranks in self.each(counts):
            code, out = self.run_ranks(launcher, ranks, PROGRAMS / program, *args, options=options)
            self.assertEqual(code, 0, out)
            self.assertIn(f"{expected} with {ranks} ranks", out)
            self.assertNotRegex(out, "remark: '(tsc::(start|finish)_collective|_c10d_functional::)")

    def test_definitions(self):
        """Every exchange against its definition, for all dtypes"""
        self.check("collectives.py", (1, 2, 4), "all exchanges agree")

    def test_checked(self):
        self.check("collectives.py", (3,), "all exchanges agree", True)

    def test_gradients(self):
        """Against central differences"""
        self.check("gradients.py", (1, 2, 4), "all gradients agree")

    def check_on_device(self, program, expected, *args):
        """With tensors on a GPU, exchanged as copies; an exchange is none of the operators that have no kernel there"""
        self.check(program, (1, 2, 4), expected, *args, options=self.fake_gpu())

    def test_definitions_on_device(self):
        self.check_on_device("collectives.py", "all exchanges agree", False, "cuda", "cpu:mpi,cuda:mpi")

    def test_gradients_on_device(self):
        self.check_on_device("gradients.py", "all gradients agree", "cuda", "cpu:mpi,cuda:mpi")

    def test_overlap_on_device(self):
        self.check_on_device("overlap.py", "overlapped gradients agree", "", "cuda", "cpu:mpi,cuda:mpi")

    def test_overlap(self):
        """Gradients that are exchanged in backward() have the bits of those that are exchanged afterwards"""
        self.check("overlap.py", (1, 2, 4), "overlapped gradients agree")

    def test_divided_optimizers(self):
        """State that is divided among ranks gives the bits of the whole state"""
        self.check("divided.py", (1, 2, 3), "divided optimizers agree")


class Failures(MpiTest):
    def check(self, what, *expected):
        for launcher, ranks in self.each((3,)):
            code, out = self.run_ranks(launcher, ranks, PROGRAMS / "failures.py", what)
            self.assertNotEqual(code, 0, out)
            self.assertNotIn("came to the end", out)
            for text in expected:
                self.assertIn(text, out)

    def test_sizes(self):
        self.check("sizes", "rank 2 does all_reduce (sum) of 4 x float32", "failures.py", "and ends the others")

    def test_checked(self):
        self.check("checked", "ranks do different things", "all_reduce (sum) of 4 x float32")

    def test_orders(self):
        self.check("orders", "broadcast of 3 x float32 from rank 0")

    def test_dtypes(self):
        self.check("dtype", "all_reduce (sum) of 3 x float64")

    def test_exception(self):
        """A rank that raises ends the others, who say why and where"""
        self.check("raises", "rank 0 of 3: rank 2 failed: builtins.ValueError: the batch is empty", "failures.py")

    def test_time_out(self):
        """Which rank is the first to tell depends on which came first"""
        self.check("late", "timed out after 2 s waiting", "of 3 x float32")

    def test_backward_twice(self):
        """What was sent cannot be added to"""
        for launcher, ranks in self.each((2,)):
            code, out = self.run_ranks(launcher, ranks, PROGRAMS / "overlap.py", "twice")
            self.assertNotEqual(code, 0, out)
            self.assertIn("backward() was called again before collect()", out)

    def test_killed(self):
        """The launcher ends the others within a second of the death of one; Open MPI's where it need not wait for one first"""
        for launcher, ranks in self.each((3,)):
            with tempfile.TemporaryDirectory() as folder, \
                    unittest.mock.patch.dict(os.environ, OMPI_MCA_odls_base_sigkill_timeout="0"):
                ready = pathlib.Path(folder) / "ready"
                process = self.start(launcher, ranks, PROGRAMS / "failures.py", "killed", str(ready))
                while not ready.exists():
                    self.assertIsNone(process.poll())
                    time.sleep(0.02)
                victims = subprocess.run(["pgrep", "-f", f"^{self.settings.run} --args \"killed\", \"{ready}\""],
                                         capture_output=True, text=True)
                os.kill(int(victims.stdout.split()[-1]), 9)
                begin = time.monotonic()
                out, _ = process.communicate(timeout=60)
                self.assertLess(time.monotonic() - begin, 1)
                self.assertNotEqual(process.returncode, 0, out)

    def test_other_library(self):
        """A launcher of one MPI with the library of another"""
        if not all(self.launchers.values()):
            self.skipTest("one MPI alone is installed")
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "other.py"
            program.write_text('import torch\nimport torch.distributed as dist\n\n\ndef main():\n'
                               '    dist.init_process_group("mpi", "file://libmpich.so.12")\n')
            code, out = self.run_ranks("openmpi", 2, program)
            self.assertNotEqual(code, 0, out)
            self.assertIn("the launcher is of another MPI than the library (MPICH", out)


class Nccl(MpiTest):
    """Exchanges between GPUs by NCCL, which a fake one stands for (unittests/FuserCUDA/FakeDriver/FakeNccl.cpp): it says what it
    was called for, and a call of it can be made to fail"""

    def run_fake(self, launcher, ranks, program, *args, asked="tell", shared=""):
        with unittest.mock.patch.dict(os.environ, TSC_FAKE_NCCL=asked, **{"TSC_FAKE_GPU_SHARED": "1"} if shared else {}):
            return self.run_ranks(launcher, ranks, PROGRAMS / program, *args, options=self.fake_gpu())

    def check(self, program, expected, functions, *args, counts=(1, 2, 4)):
        for launcher, ranks in self.each(counts):
            code, out = self.run_fake(launcher, ranks, program, *args)
            self.assertEqual(code, 0, out)
            self.assertIn(f"{expected} with {ranks} ranks", out)
            self.assertNotRegex(out, "remark: '(tsc::(start|finish)_collective|_c10d_functional::)")
            told = re.findall(r"fake NCCL, rank \d+:(.*)", out)
            self.assertGreaterEqual(len(told), ranks, out)
            self.assertEqual(set(re.findall("nccl[A-Za-z]+", " ".join(told))), set(functions))
            self.assertNotRegex(out, r"(?m)^(nccl|cu)\w+ (on|of|without) |that is not allocated")

    def test_definitions(self):
        """Every exchange against its definition, for all dtypes; what NCCL has not goes as copies"""
        self.check("collectives.py", "all exchanges agree", ("ncclAllGather", "ncclAllReduce", "ncclBroadcast", "ncclGroupEnd",
                                                             "ncclReduce", "ncclReduceScatter"), False, "cuda")

    def test_gradients(self):
        self.check("gradients.py", "all gradients agree", ("ncclAllGather", "ncclAllReduce", "ncclBroadcast", "ncclGroupEnd",
                                                           "ncclReduceScatter"), "cuda", "nccl")

    def test_overlap(self):
        """Gradients that are exchanged in backward()"""
        self.check("overlap.py", "overlapped gradients agree", ("ncclAllReduce", "ncclBroadcast"), "", "cuda", "nccl",
                   counts=(2,))

    def test_backends(self):
        """Operands that overlap, and messages between two ranks, by each backend that has NCCL"""
        for backend, name in (("nccl", "nccl"), ("cpu:mpi,cuda:nccl", "mpi"), ("mpi", "mpi")):
            self.check("device_failures.py", f"exchanges by {name} agree", ("ncclAllGather", "ncclAllReduce", "ncclReduceScatter"),
                       "", backend, counts=(2,))

    def check_failure(self, args, *expected, **how):
        for launcher, ranks in self.each((3,)):
            code, out = self.run_fake(launcher, ranks, "device_failures.py", *args, **how)
            self.assertNotEqual(code, 0, out)
            self.assertNotIn("came to the end", out)
            for text in expected:
                self.assertIn(text, out)

    def test_differences(self):
        """What NCCL would wait for, or take for something else, is told before it begins"""
        self.check_failure(["sizes"], "rank 2 of the group does all_reduce (sum) of 4 x float32, exchange 2 of its group, where "
                           "this rank does all_reduce (sum) of 3 x float32", "device_failures.py")
        self.check_failure(["dtype"], "rank 2 of the group does all_reduce (sum) of 3 x float64")
        self.check_failure(["orders"], "rank 2 of the group does broadcast of 3 x float32 from rank 0")
        self.check_failure(["splits"], "rank 2 of the group gives this rank 2 elements in all_to_all of float32")
        self.check_failure(["mixed", "mpi"], "an exchange of tensors on a GPU", "all_reduce (sum) of 3 x float32")

    def test_failing_rank(self):
        self.check_failure(["raises"], "rank 0 of 3: rank 2 failed: builtins.ValueError: the batch is empty")

    def test_time_outs(self):
        self.check_failure(["absent", "nccl", 2.0], "timed out after 2 s waiting", "the first exchange of tensors on a GPU")
        self.check_failure(["late", "nccl", 2.0], "timed out after 2 s waiting", "of 3 x float32")
        self.check_failure(["", "nccl", 2.0], "timed out after 2 s waiting for the GPUs in all_reduce (sum) of 3 x float32",
                           asked="hang ncclAllReduce 1")
        self.check_failure(["", "nccl", 2.0], "timed out after 2 s waiting for NCCL to connect the GPUs",
                           asked="hang ncclCommInitRankConfig 1")

    def test_failing_calls(self):
        for function in "ncclAllReduce", "ncclCommInitRankConfig", "ncclCommFinalize":
            self.check_failure([""], f"{function}: unhandled system error ({function} was asked to fail)",
                               asked=f"fail {function} 1")
        self.check_failure([""], "rank 0 of the group: ncclGetUniqueId: unhandled system error", asked="fail ncclGetUniqueId")
        self.check_failure([""], "all_reduce: remote process exited", "ncclAllReduce was asked to fail later",
                           asked="later ncclAllReduce 1")

    def test_refusals(self):
        """What the backend "nccl" does not exchange"""
        self.check_failure(["processor"], "all_reduce: this backend exchanges tensors on a GPU alone")
        self.check_failure(["bits"], "all_reduce: NCCL has no bxor of int32")
        self.check_failure(["short"], "all_reduce: NCCL has no max of int16")
        self.check_failure([""], "NCCL 2.14 or later is needed, and this one calls itself version 21304",
                           asked="fail ncclGetVersion")
        self.check_failure([""], "of the group have one GPU, and NCCL wants one for each", shared="yes")

    def test_copies_instead(self):
        """Where ranks share a GPU, or one has no NCCL, the backend "mpi" exchanges copies"""
        for launcher, ranks in self.each((2,)):
            for how in ({"shared": "yes"}, {"asked": "fail ncclGetVersion"}):
                code, out = self.run_fake(launcher, ranks, "device_failures.py", "", "mpi", **how)
                self.assertEqual(code, 0, out)
                self.assertIn("exchanges by mpi agree with 2 ranks", out)
                self.assertNotIn("fake NCCL, rank", out)


class Hosts(MpiTest):
    def test_communicator(self):
        """A C host with a communicator of its own, compiled with each MPI"""
        library = self.settings.build / "lib"
        with tempfile.TemporaryDirectory() as folder:
            for launcher, ranks in self.each((1, 3)):
                compiler = shutil.which(f"mpicc.{launcher}")
                if not compiler or not (library / "libtsc.so").exists():
                    self.skipTest(f"mpicc.{launcher} or libtsc.so is missing")
                host = pathlib.Path(folder) / launcher
                subprocess.run([compiler, f"-I{ROOT / 'include'}", str(PROGRAMS / "host.c"), f"-L{library}", "-ltsc",
                                f"-Wl,-rpath,{library.resolve()}", "-o", str(host)], check=True)
                code, out = self.run_ranks(launcher, ranks, None, host=host)
                self.assertEqual(code, 0, out)
                self.assertIn(f"the sums of the host's ranks agree with {ranks} ranks", out)


class Dynamics(MpiTest):
    """Atoms of a simulation that move between ranks: the same energies for all numbers of ranks and all hosts"""

    def energies(self, out):
        lines = [line.split() for line in out.splitlines() if line.startswith("step ")]
        self.assertEqual([int(line[1]) for line in lines], list(range(0, 101, 10)), out)
        return [float(line[place]) for line in lines for place in (3, 5, 7)]

    def check(self, program, counts, hosts):
        expected = None
        for launcher, ranks in self.each(counts):
            code, out = self.run_ranks(launcher, ranks, program, host=hosts and hosts.get(launcher))
            self.assertEqual(code, 0, out)
            found = self.energies(out)
            expected = expected or found
            for value, other in zip(found, expected):
                self.assertAlmostEqual(value, other, delta=1e-8 * abs(other))
            totals = found[2::3]
            self.assertLess(max(totals) - min(totals), 1e-5 * totals[0])

    def test_program(self):
        self.check(EXAMPLE / "dynamics.py", (1, 2, 4), None)

    def compile(self, folder, compiler, *sources):
        """The hosts, by launcher, whose argument is the program"""
        library = self.settings.build.resolve() / "lib"
        if not (library / "libtsc.so").exists():
            self.skipTest("libtsc.so is not built: ninja tscShared")
        hosts = {}
        for launcher, path in self.launchers.items():
            wrapper = shutil.which(f"{compiler}.{launcher}")
            if path and not wrapper:
                self.skipTest(f"{compiler}.{launcher} is not installed")
            if path:
                (folder / launcher).mkdir()
                shared = [f"-L{library}", "-ltsc", f"-Wl,-rpath,{library}"]
                c, others = [s for s in sources if s.suffix == ".c"], [str(s) for s in sources if s.suffix != ".c"]
                if others:
                    subprocess.run([shutil.which(f"mpicc.{launcher}"), f"-I{ROOT / 'include'}", "-c", *map(str, c)],
                                   check=True, cwd=folder / launcher)
                    c = [pathlib.Path(source.stem + ".o") for source in c]
                subprocess.run([wrapper, f"-I{ROOT / 'include'}", *others, *map(str, c), *shared, "-o", "host"], check=True,
                               cwd=folder / launcher)
                hosts[launcher] = folder / launcher / "host"
        return hosts

    def test_c_host(self):
        with tempfile.TemporaryDirectory() as folder:
            hosts = self.compile(pathlib.Path(folder), "mpicc", EXAMPLE / "dynamics.c")
            self.check(EXAMPLE / "dynamics.py", (1, 2, 4), hosts)

    def test_fortran_host(self):
        with tempfile.TemporaryDirectory() as folder:
            hosts = self.compile(pathlib.Path(folder), "mpif90", EXAMPLE / "communicator.c", ROOT / "examples/fortran/tsc.f90",
                                 EXAMPLE / "dynamics.f90")
            self.check(EXAMPLE / "dynamics.py", (1, 2, 4), hosts)

    def test_one_copy_of_weights(self):
        """Ranks of one machine share the weights of an archive"""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            text = (EXAMPLE / "dynamics.py").read_text()
            wide = text.replace("model = Potential()", "model = Potential(width=8192)")
            self.assertNotEqual(wide, text)
            (folder / "wide.py").write_text(wide)
            archive = folder / "wide.pt"
            subprocess.run([self.settings.run, "--entry", "save", "--args", f'"{archive}"', folder / "wide.py"], check=True,
                           stdout=subprocess.DEVNULL)
            hosts = self.compile(folder, "mpicc", EXAMPLE / "dynamics.c")
            for launcher, ranks in self.each((4,)):
                code, out = self.run_ranks(launcher, ranks, archive, host=hosts[launcher])
                self.assertEqual(code, 0, out)
                found = re.search(r"wide.pt: (\d+) KiB in all processes, (\d+) KiB together", out)
                self.assertGreater(int(found[1]), 4000)
                self.assertLess(int(found[2]), 0.27 * int(found[1]))


class Training(MpiTest):
    def losses(self, launcher, ranks, *args):
        code, out = self.run_ranks(launcher, ranks, ROOT / "examples/train_over_ranks.py", *args)
        self.assertEqual(code, 0, out)
        return [line.split(" with ")[0] for line in out.splitlines() if " loss " in line]

    def check(self, model):
        alone = None
        for launcher, ranks in self.each((1, 2, 4)):
            found = self.losses(launcher, ranks, model, 61)
            alone = alone or found
            self.assertEqual(len(found), 5)
            self.assertEqual(found, alone)

    def test_convnet(self):
        """The losses are the same, bit for bit, whoever computes the shards"""
        self.check("convnet")

    def test_language_model(self):
        self.check("language")

    def test_checkpoint(self):
        """One rank writes it"""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "net.pt"
            self.losses(next(name for name, found in self.launchers.items() if found), 2, "convnet", 3, 4, str(path))
            self.assertEqual([file.name for file in pathlib.Path(folder).iterdir()], ["net.pt"])

    def test_checkpoint_of_divided_state(self):
        """What some ranks have written, others read: the parameters are those of a run that was not stopped"""
        launcher = next(name for name, found in self.launchers.items() if found)

        def run(ranks, *args):
            code, out = self.run_ranks(launcher, ranks, PROGRAMS / "divided.py", *args)
            self.assertEqual(code, 0, out)
            return re.search(r"parameters \[.*\]", out)[0]

        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(folder) / "state.pt")
            whole = run(2, path, 0, 9)
            run(2, path, 0, 3)
            run(4, path, 3, 6)
            self.assertEqual(run(1, path, 6, 9), whole)
