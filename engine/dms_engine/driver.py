"""Executes a plan: requests runners from Ray, gives each runner one step at a time, and repeats the steps of lost
runners."""

import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import ray
from ray.exceptions import RayActorError, RayTaskError

from .events import StepFailed, Unusable, Unwanted, tell
from .runner import Runner

# The next page of the plan is read when fewer steps than this are queued.
LEAST_AT_HAND = 64
# The maximum of failures per step, including those that end the runner's process.
MOST_FAILURES = 3
# The maximum of consecutive runners that fail to start.
MOST_FALSE_STARTS = 3
# How long steps wait for an unavailable dependency. After that the job ends, and the service waits instead.
MOST_WAITING_SECONDS = 600.0
PAUSE_SECONDS = 5.0
LOOK_SECONDS = 1.0


@dataclass
class Step:
    description: dict
    failures: int = 0

    @property
    def name(self) -> str:
        return self.description["step"]

    @property
    def stage(self) -> int:
        return self.description.get("stage", 0)


@dataclass(eq=False)
class Hired:
    """A runner that was requested from Ray."""

    actor: Any
    is_ready: bool = False
    step: Step | None = None
    rests_until: float = 0.0


@dataclass
class Work:
    plan: str
    version: str
    processors: int
    queue: deque[Step] = field(default_factory=deque)
    next_page: int | None = 0


class Driver:
    def __init__(self, work: Work) -> None:
        self._work = work
        self._calls: dict[Any, Hired] = {}
        self._idle: list[Hired] = []
        self._is_reading = False
        self._false_starts = 0
        self._failed_reads = 0
        self._done = 0
        self._again = 0
        self._told: tuple[int, str | None] | None = None
        self._waiting: str | None = None
        self._last_success = time.monotonic()
        self._alone_since = time.monotonic()
        self._actor_class = ray.remote(Runner).options(
            num_cpus=work.processors, max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD"
        )

    def run(self) -> None:
        while not self._is_over():
            self._hire()
            self._assign()
            self._tell_state()
            self._settle()
            self._give_up_alone()
        tell("done", steps=self._done, again=self._again)

    def _is_over(self) -> bool:
        work = self._work
        at_work = any(hired.step is not None for hired in self._calls.values())
        return work.next_page is None and not work.queue and not at_work and not self._is_reading

    @property
    def _runners(self) -> int:
        return len(self._idle) + sum(1 for hired in self._calls.values() if hired.is_ready)

    def _hire(self) -> None:
        """Requests at most as many further runners as are ready, which signals the demand to an autoscaler."""
        asked = sum(1 for hired in self._calls.values() if not hired.is_ready)
        unmet = len(self._work.queue) + (1 if self._work.next_page is not None else 0) - len(self._idle) - asked
        for _ in range(min(unmet, max(1, self._runners) - asked)):
            actor = self._actor_class.remote(self._work.processors)
            begin = actor.begin.options(name="begin").remote()
            self._calls[begin] = Hired(actor)

    def _assign(self) -> None:
        now = time.monotonic()
        rested = [hired for hired in self._idle if hired.rests_until <= now]
        for hired in rested:
            request = self._next_request()
            if request is None:
                return
            self._idle.remove(hired)
            step, name, body = request
            hired.step = step
            self._calls[hired.actor.ask.options(name=name).remote(body)] = hired

    def _next_request(self) -> tuple[Step | None, str, dict] | None:
        work = self._work
        if work.next_page is not None and not self._is_reading and len(work.queue) < LEAST_AT_HAND:
            self._is_reading = True
            body = {"id": "plan", "do": "read-plan", "plan": work.plan, "offset": work.next_page}
            return None, "read-plan", body
        if not work.queue or self._is_early(work.queue[0]):
            return None
        step = work.queue.popleft()
        body = {"id": step.description["id"], "do": "step", "plan": work.plan, "step": step.description}
        return step, step.name, body

    def _is_early(self, step: Step) -> bool:
        """A step waits for all steps of lower stages. Stages ascend in a plan, and lost steps go back to the front
        of the queue."""
        return any(hired.step is not None and hired.step.stage < step.stage for hired in self._calls.values())

    def _settle(self) -> None:
        if not self._calls:
            time.sleep(LOOK_SECONDS)
            return
        ready, _ = ray.wait(list(self._calls), timeout=LOOK_SECONDS)
        for call in ready:
            hired = self._calls.pop(call)
            try:
                answer = ray.get(call)
            except (RayActorError, RayTaskError) as error:
                self._lose(hired, error)
                continue
            if hired.is_ready:
                self._take(hired, answer)
            else:
                self._welcome(hired, answer)

    def _welcome(self, hired: Hired, greeting: dict) -> None:
        if not greeting["ready"]:
            raise Unusable(f"A node of the Ray cluster cannot run steps: {greeting['reason']}")
        version = greeting["version"]
        if version != self._work.version:
            raise Unusable(
                f"The nodes of the Ray cluster have version {version} of the service, and the service is {self._work.version}: "
                "use the same version for both."
            )
        self._false_starts = 0
        hired.is_ready = True
        self._idle.append(hired)

    def _take(self, hired: Hired, answer: dict) -> None:
        step, hired.step = hired.step, None
        self._idle.append(hired)
        if answer.get("unwanted"):
            raise Unwanted()
        if step is None:
            self._is_reading = False
        if "failed" in answer:
            self._fail(hired, step, answer["failed"])
            return
        self._waiting = None
        self._last_success = time.monotonic()
        if step is None:
            self._turn_page(answer["page"])
        else:
            self._done += 1

    def _turn_page(self, page: dict) -> None:
        # Within a page and stage, the heaviest steps run first, so that the last ones are short.
        steps = [Step(description) for description in page["steps"]]
        self._work.queue.extend(sorted(steps, key=lambda step: (step.stage, -step.description["weight"])))
        self._work.next_page = page["next"]

    def _fail(self, hired: Hired, step: Step | None, error: dict) -> None:
        outage = error.get("outage")
        if outage is not None:
            self._rest(hired, outage["awaited"], error)
        elif error.get("unrecoverable") is not None or step is None or step.failures + 1 >= MOST_FAILURES:
            raise StepFailed(error)
        else:
            step.failures += 1
        if step is not None:
            self._work.queue.appendleft(step)

    def _rest(self, hired: Hired, awaited: str, error: dict) -> None:
        """A dependency is unavailable, perhaps only on the node of this runner, so the other runners continue."""
        now = time.monotonic()
        hired.rests_until = now + PAUSE_SECONDS
        without_success = now - self._last_success
        if without_success > PAUSE_SECONDS:
            self._waiting = awaited
        if without_success > MOST_WAITING_SECONDS:
            raise StepFailed(error)

    def _lose(self, hired: Hired, error: Exception) -> None:
        """The node of the runner was lost, or the runner's process ended."""
        if not hired.is_ready:
            self._false_starts += 1
            if self._false_starts >= MOST_FALSE_STARTS:
                raise Unusable(f"The nodes of the Ray cluster cannot start a runner: {first_line(error)}")
            return
        ray.kill(hired.actor)
        step, hired.step = hired.step, None
        if step is None:
            self._is_reading = False
            self._failed_reads += 1
            if self._failed_reads >= MOST_FALSE_STARTS:
                raise Unusable(f"The nodes of the Ray cluster cannot read the plan: {first_line(error)}")
            return
        self._again += 1
        tell("lost", step=step.name, id=step.description["id"])
        # A lost node does not count as a failure of the step. If the runner's process ended, the step may be the cause.
        if isinstance(error, RayTaskError):
            step.failures += 1
        if step.failures >= MOST_FAILURES:
            sentence = f"The step {step.name} {step.description['id']} ended its process {step.failures} times."
            raise StepFailed({"message": sentence, "outage": None, "unrecoverable": {}, "refusal": None})
        self._work.queue.appendleft(step)

    def _give_up_alone(self) -> None:
        """Ends the job without runners. The service submits the steps again if they are still needed."""
        now = time.monotonic()
        if self._runners > 0:
            self._alone_since = now
        elif now - self._alone_since > MOST_WAITING_SECONDS:
            sentence = "No node of the Ray cluster has had a free processor"
            outage = {"awaited": "a free processor in the Ray cluster", "detail": f"{sentence}."}
            raise StepFailed({"message": sentence, "outage": outage, "unrecoverable": None, "refusal": None})

    def _tell_state(self) -> None:
        state = (self._runners, self._waiting)
        if state != self._told:
            self._told = state
            tell("state", runners=state[0], waiting=state[1])


def first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
