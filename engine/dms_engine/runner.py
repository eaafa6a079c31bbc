"""The actor that holds a step runner: a process of the service's own code that does steps."""

import json
import os
import shlex
import subprocess

DEFAULT_COMMAND = "node /app/dist/commands/step-runner.js"


class RunnerEnded(Exception):
    """The process of the runner has ended in the middle of a step, perhaps because it needed too much memory."""


class Runner:
    """The process lives as long as the actor: its input ends with the actor, and then it ends too."""

    def __init__(self, processors: int) -> None:
        self._processors = processors
        self._child: subprocess.Popen[str] | None = None

    def begin(self) -> dict:
        """Starts the process, and returns its first line, or why there is none."""
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
            return {"ready": False, "reason": f"{command[0]} can't be started: {error.strerror}."}
        except RunnerEnded:
            return {"ready": False, "reason": f"{shlex.join(command)} ends before it is ready."}

    def ask(self, request: dict) -> dict:
        child = self._child
        if child is None or child.stdin is None:
            raise RunnerEnded("The runner has not begun.")
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
