"""The actor that owns a step runner: a process of the service's own code that executes steps."""

import json
import os
import shlex
import subprocess

DEFAULT_COMMAND = "node /app/dist/commands/step-runner.js"


class RunnerEnded(Exception):
    """The runner's process ended during a step, possibly because it ran out of memory."""


class Runner:
    """The process ends when its standard input is closed, so it never outlives the actor."""

    def __init__(self, processors: int) -> None:
        self._processors = processors
        self._child: subprocess.Popen[str] | None = None

    def begin(self) -> dict:
        """Starts the process, and returns its first line or the reason why there is none."""
        command = shlex.split(os.environ.get("DMS_STEP_RUNNER", DEFAULT_COMMAND))
        environment = {**os.environ, "WORKER_CONCURRENCY": str(self._processors)}
        try:
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
                text=True,
                encoding="utf-8",
                bufsize=1,
            )
            return self._read()
        except OSError as error:
            return {"ready": False, "reason": f"{command[0]} cannot be started: {error.strerror}."}
        except RunnerEnded:
            return {"ready": False, "reason": f"{shlex.join(command)} exited before it was ready."}

    def ask(self, request: dict) -> dict:
        child = self._child
        if child is None or child.stdin is None:
            raise RunnerEnded("The runner was not started.")
        try:
            child.stdin.write(json.dumps(request) + "\n")
            child.stdin.flush()
        except OSError as error:
            raise RunnerEnded("The runner has ended.") from error
        return self._read()

    def _read(self) -> dict:
        line = self._child.stdout.readline() if self._child and self._child.stdout else ""
        if not line.endswith("\n"):
            raise RunnerEnded("The runner has ended.")
        return json.loads(line)
