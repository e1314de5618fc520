"""Serves an archive with Ray Serve: JSON in, JSON out.

    serve run serve_archive:application model=policy.pt replicas=2
    curl -d '{"x": [[0.1, 0.2]]}' http://127.0.0.1:8000/

A request is an object with the arguments of `forward` as nested lists of numbers; the answer has the results under "output", or
"output_0" and so on. Each replica is a process of its own, with a program that its requests share.
"""
import asyncio

import numpy
import tsc
from ray import serve
from starlette.requests import Request
from starlette.responses import JSONResponse


@serve.deployment
class Archive:
    def __init__(self, model, **options):
        self.model = tsc.load(model, **options).eval()
        if self.model.program.writes_state:
            raise ValueError(f"{model}: requests would share the state that this line writes:\n{self.model.program.writes_state}")

    def call(self, arguments):
        tensors = {name: tsc.tensor(numpy.asarray(value, dtype=numpy.float32)) for name, value in arguments.items()}
        with tsc.no_grad():
            result = self.model(**tensors)
        results = {f"output_{i}": part for i, part in enumerate(result)} if isinstance(result, tuple) else {"output": result}
        return {name: part.tolist() for name, part in results.items()}

    async def __call__(self, request: Request):
        try:
            # Calls leave Python's lock, and run beside each other.
            return await asyncio.get_running_loop().run_in_executor(None, self.call, await request.json())
        except (ValueError, TypeError, RuntimeError) as error:
            return JSONResponse({"error": str(error)}, status_code=400)


def application(arguments):
    """What `serve run` deploys: model=FILE and, if wanted, replicas=N and threads=N."""
    replicas, threads = int(arguments.get("replicas", 1)), int(arguments.get("threads", 1))
    return Archive.options(num_replicas=replicas, ray_actor_options={"num_cpus": threads}).bind(arguments["model"], threads=threads)
