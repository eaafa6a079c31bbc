import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { SERVICE_VERSION } from '../../platform/config/version';
import { everyObject, ObjectNotFoundError, type ObjectStore } from '../../platform/storage/object-store';
import { OutageError } from '../../platform/outage/outage';
import type { StepDescription } from '../steps/step';
import { isPlanKey, planKey, planNameOf, plansPrefix, resultsPrefix, stepIdOf, writePlan } from '../steps/step-plan';
import { failureOf, lastState } from './driver-log';
import { RayBusyError, RayJobLostError, RayStepsFailedError, assertSupported } from './ray-errors';
import type { RayJob, RayJobs } from './ray-jobs';

/** Steps of one operation that a cluster should run. */
export interface StepWork {
  /** The prefix of its plans and results in the store; the same for each attempt. */
  readonly prefix: string;
  /** The prefix of the names of its Ray jobs. */
  readonly name: string;
  /** Shown by Ray's dashboard. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Yields the steps without a recorded result. */
  readonly unfinished: () => AsyncIterable<StepDescription>;
  /** Records a result, which `read` fetches, and returns false if the step already has one. */
  readonly record: (id: string, read: () => Promise<Buffer>) => Promise<boolean>;
  /** True if later steps or the next attempt read results. Otherwise they are removed once they are recorded. */
  readonly keepsResults?: boolean;
  /** Called between polls. May throw to continue in a later attempt. */
  readonly onLook?: () => Promise<void>;
  /** Without a result for this long, the state of the job is checked, which may end the attempt; the default is 30 seconds. */
  readonly quietMs?: number;
  readonly signal: AbortSignal;
}

export interface RayStepsOptions {
  /** The processors per runner. */
  readonly processors: number;
  /** The interval of polling for results and for the state of the job. */
  readonly lookMs: number;
  readonly stateMs: number;
  /** Without a result for this long, the state of the job is checked. */
  readonly quietMs: number;
}

const DEFAULTS: RayStepsOptions = { processors: 1, lookMs: 500, stateMs: 2_000, quietMs: 30_000 };
const RESULTS_AT_ONCE = 1_000;
const STOP_LIMIT_MS = 10_000;

/**
 * Runs steps on a Ray cluster. The steps are a plan in the store that a Ray job executes; results are returned through the store. So a restart of the
 * service or of the cluster loses no result: an attempt records the existing results, follows the job of the previous attempt if it is still running,
 * and submits the remaining steps otherwise.
 */
export class RaySteps {
  private readonly options: RayStepsOptions;

  constructor(
    private readonly store: ObjectStore,
    private readonly jobs: RayJobs,
    options: Partial<RayStepsOptions> = {},
  ) {
    this.options = { ...DEFAULTS, ...options };
  }

  /** Throws the errors of `perform` if the cluster is unavailable or unusable. */
  async check(signal: AbortSignal): Promise<void> {
    assertSupported(this.jobs.address, await this.jobs.version(signal));
  }

  /** Returns when all results are recorded. */
  async perform(work: StepWork): Promise<void> {
    const known = new Set<string>();
    await this.collect(work, known);
    const { id, steps } = (await this.running(work)) ?? (await this.submit(work));
    let left = steps;
    const watch = new Watch(this.jobs, id, { ...this.options, quietMs: work.quietMs ?? this.options.quietMs });
    while (left > 0) {
      // Checked before collecting, because an ended job has stored its results.
      const job = await watch.look(work.signal);
      const recorded = await this.collect(work, known);
      left -= recorded;
      if (left <= 0) return;
      if (recorded > 0) watch.heard();
      if (job?.status === 'SUCCEEDED')
        throw new RayJobLostError(`The Ray job ${id} ended, and ${left} steps have no result`);
      await work.onLook?.();
      await delay(this.options.lookMs, undefined, { signal: work.signal }).catch(() => work.signal.throwIfAborted());
    }
  }

  /** Stops the jobs of all plans below a prefix, and removes the plans and results. A job that cannot be stopped ends when its plan is missing. */
  async stop(prefix: string): Promise<void> {
    const jobs: string[] = [];
    for await (const { key } of everyObject(this.store, prefix)) if (isPlanKey(key)) jobs.push(planNameOf(key));
    try {
      for (const id of jobs) await this.jobs.stop(id, AbortSignal.timeout(STOP_LIMIT_MS));
    } finally {
      await this.remove(prefix);
    }
  }

  /** Removes plans and results that are no longer needed. */
  remove(prefix: string): Promise<void> {
    return this.store.deletePrefix(prefix);
  }

  /** The job of an earlier attempt, if it is still running. */
  private async running(work: StepWork): Promise<{ id: string; steps: number } | undefined> {
    const id = (await this.plans(work.prefix)).at(-1);
    if (id === undefined) return undefined;
    const job = await this.jobs.find(id, work.signal);
    if (job?.status !== 'PENDING' && job?.status !== 'RUNNING') return undefined;
    return { id, steps: await countOf(work.unfinished()) };
  }

  private async submit(work: StepWork): Promise<{ id: string; steps: number }> {
    const { prefix, name, metadata, signal } = work;
    await this.check(signal);
    const earlier = await this.plans(prefix);
    // Padded, so that the last job is the last in a listing. Ray refuses an id that it has seen, even after its plan was removed.
    const id = `${name}-${String(earlier.length + 1).padStart(4, '0')}-${randomBytes(4).toString('hex')}`;
    const key = planKey(prefix, id);
    const steps = await writePlan(this.store, key, work.unfinished());
    if (steps > 0) {
      const given = `--plan ${key} --steps ${steps} --version ${SERVICE_VERSION}`;
      const entrypoint = `python -m dms_engine ${given} --processors ${this.options.processors}`;
      await this.jobs.submit({ id, entrypoint, metadata }, signal);
    }
    return { id, steps };
  }

  private async plans(prefix: string): Promise<string[]> {
    const { objects } = await this.store.list(plansPrefix(prefix));
    return objects.map(({ key }) => planNameOf(key));
  }

  /** Records the results in the store that are not known yet. Returns the number of new ones. */
  private async collect({ prefix, record, keepsResults, signal }: StepWork, known: Set<string>): Promise<number> {
    let recorded = 0;
    let after: string | undefined;
    do {
      const page = await this.store.list(resultsPrefix(prefix), { limit: RESULTS_AT_ONCE, ...(after && { after }) });
      const keys = page.objects.map(({ key }) => key).filter((key) => !known.has(key));
      for (const key of keys) {
        signal.throwIfAborted();
        if (await record(stepIdOf(key), () => this.resultAt(key))) recorded += 1;
        if (keepsResults === true) known.add(key);
      }
      if (keepsResults !== true) await this.store.delete(keys);
      after = page.next;
    } while (after !== undefined);
    return recorded;
  }

  private async resultAt(key: string): Promise<Buffer> {
    try {
      return await this.store.read(key);
    } catch (error) {
      // The result was deleted by another attempt, which has lost its lease and may or may not have recorded it.
      if (error instanceof ObjectNotFoundError)
        throw new RayJobLostError(`The result ${key} is gone`, { cause: error });
      throw error;
    }
  }
}

async function countOf(steps: AsyncIterable<unknown>): Promise<number> {
  const each = steps[Symbol.asyncIterator]();
  let count = 0;
  while ((await each.next()).done !== true) count += 1;
  return count;
}

/** Watches the state of a job. */
class Watch {
  private asked = 0;
  private quietSince = Date.now();

  constructor(
    private readonly jobs: RayJobs,
    private readonly id: string,
    private readonly times: Pick<RayStepsOptions, 'stateMs' | 'quietMs'>,
  ) {}

  /** Records that a result has arrived. */
  heard(): void {
    this.quietSince = Date.now();
  }

  /** Throws if no more results will arrive, or none for now. Returns the job if its state was checked. */
  async look(signal: AbortSignal): Promise<RayJob | undefined> {
    if (Date.now() - this.asked < this.times.stateMs) return undefined;
    this.asked = Date.now();
    const job = await this.jobs.find(this.id, signal);
    switch (job?.status) {
      case undefined:
        throw new RayJobLostError(`The Ray cluster no longer knows the job ${this.id}`);
      case 'FAILED':
        throw failureOf(this.id, job, await this.jobs.logs(this.id, signal));
      case 'STOPPED':
        throw new RayStepsFailedError(
          `The Ray job ${this.id} was stopped by hand. Retry the task to continue from there`,
        );
      case 'SUCCEEDED':
        return job;
      case 'PENDING':
      case 'RUNNING':
        if (Date.now() - this.quietSince > this.times.quietMs) await this.ask(job, signal);
        return job;
    }
  }

  private async ask({ status }: RayJob, signal: AbortSignal): Promise<void> {
    const state = status === 'PENDING' ? undefined : lastState(await this.jobs.logs(this.id, signal));
    if (state === undefined || state.runners === 0) throw new RayBusyError(this.jobs.address);
    if (state.waiting !== null) {
      const sentence = `The nodes of the Ray cluster wait for ${state.waiting}`;
      throw new OutageError(state.waiting, `${sentence}.`, sentence);
    }
    this.heard();
  }
}
