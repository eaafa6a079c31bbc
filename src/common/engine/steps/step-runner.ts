import { serializeError } from '../../platform/outage/outage';
import { ObjectExistsError, type ObjectStore } from '../../platform/storage/object-store';
import type { RunnerAnswer, RunnerRequest } from './runner-messages';
import { StepRefusedError, type Step } from './step';
import { prefixOfPlan, readPlan, resultKey, type PlanPage } from './step-plan';

/** Runs steps whose results are stored in the object store, with any number of concurrent requests. */
export class StepRunner {
  private readonly steps: ReadonlyMap<string, Step>;

  constructor(
    private readonly store: ObjectStore,
    steps: readonly Step[],
  ) {
    this.steps = new Map(steps.map((step) => [step.name, step]));
  }

  get stepNames(): readonly string[] {
    return [...this.steps.keys()];
  }

  /** Never rejects. */
  async answer(request: RunnerRequest, signal: AbortSignal): Promise<RunnerAnswer> {
    const { id } = request;
    try {
      if (request.do === 'read-plan') return await this.page(request);
      return { id, ...(await this.perform(request, signal)) };
    } catch (error) {
      return { id, failed: serializeError(error) };
    }
  }

  private async page({ id, plan, offset }: Extract<RunnerRequest, { do: 'read-plan' }>): Promise<RunnerAnswer> {
    const object = await this.store.head(plan);
    if (object === undefined) return { id, unwanted: true };
    const page: PlanPage = await readPlan(this.store, plan, object.size, offset);
    return { id, page };
  }

  private async perform(
    { plan, step: description }: Extract<RunnerRequest, { do: 'step' }>,
    signal: AbortSignal,
  ): Promise<{ done: true } | { unwanted: true }> {
    if ((await this.store.head(plan)) === undefined) return { unwanted: true };
    const key = resultKey(prefixOfPlan(plan), description.id);
    // A runner that was considered lost may have stored the result.
    if ((await this.store.head(key)) !== undefined) return { done: true };
    const step = this.steps.get(description.step);
    if (step === undefined) throw new StepRefusedError(`This version has no step "${description.step}".`);
    const input = step.input.safeParse(description.input);
    if (!input.success)
      throw new StepRefusedError(
        `The input of ${description.step} ${description.id} is not valid: ${input.error.message}`,
      );
    const result = await step.run(input.data, { signal });
    try {
      const bytes = result instanceof Uint8Array ? result : Buffer.from(JSON.stringify(result));
      await this.store.put(key, bytes, { ifAbsent: true });
    } catch (error) {
      // A runner that was considered lost has run the step too; the first result counts.
      if (!(error instanceof ObjectExistsError)) throw error;
    }
    return { done: true };
  }
}
