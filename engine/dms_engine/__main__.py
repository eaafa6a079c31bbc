"""python -m dms_engine --plan KEY --steps N --version V: the entry point of the Ray job."""

import argparse
import sys

import ray

from .driver import Driver, Work
from .events import StepFailed, Unusable, Unwanted, tell


def main() -> int:
    parser = argparse.ArgumentParser(prog="dms_engine")
    parser.add_argument("--plan", required=True, help="key of the plan in the store")
    parser.add_argument("--steps", required=True, type=int, help="number of steps in the plan")
    parser.add_argument("--version", required=True, help="version of the service, which the runners must have too")
    parser.add_argument("--processors", type=int, default=1, help="processors per runner")
    given = parser.parse_args()
    # Output of the runners stays in the logs of their nodes; the log of the job is read by the service.
    ray.init(address="auto", log_to_driver=False, configure_logging=False)
    try:
        Driver(Work(given.plan, given.version, given.processors)).run()
    except Unwanted:
        print("The plan has been deleted, so the steps are no longer needed.", flush=True)
    except Unusable as error:
        tell("unusable", reason=str(error))
        return 1
    except StepFailed as error:
        tell("failed", error=error.error)
        return 1
    return 0


sys.exit(main())
