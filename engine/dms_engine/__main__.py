"""python -m dms_engine --plan KEY --steps N --version V: the entry point of the Ray job."""

import argparse
import sys

import ray

from .driver import Driver, Work
from .events import StepFailed, Unusable, Unwanted, tell


def main() -> int:
    parser = argparse.ArgumentParser(prog="dms_engine")
    parser.add_argument("--plan", required=True, help="key of the plan in the store")
    parser.add_argument("--steps", required=True, type=int, help="the number of its steps")
    parser.add_argument("--version", required=True, help="of the service, which the runners must have as well")
    parser.add_argument("--processors", type=int, default=1, help="of each runner")
    given = parser.parse_args()
    # What runners print stays on their nodes; the log of the job is for what the service reads.
    ray.init(address="auto", log_to_driver=False, configure_logging=False)
    try:
        Driver(Work(given.plan, given.version, given.processors)).run()
    except Unwanted:
        print("The plan is gone: nobody waits for the steps any more.", flush=True)
    except Unusable as error:
        tell("unusable", reason=str(error))
        return 1
    except StepFailed as error:
        tell("failed", error=error.error)
        return 1
    return 0


sys.exit(main())
