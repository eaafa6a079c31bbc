import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { decodeLists } from '../../src/common/engine/similarity/elsewhere/encoded-lists';
import type { KeptRows } from '../../src/common/engine/similarity/elsewhere/kept-rows';
import type { OrderedVectors } from '../../src/common/engine/similarity/elsewhere/ordered-vectors';
import { storePieces } from '../../src/common/engine/similarity/elsewhere/store-pieces';
import {
  listsKey,
  partCount,
  partRange,
  SEARCH_STEPS,
  stepId,
  type SearchStep,
} from '../../src/common/engine/similarity/elsewhere/stored-layout';
import { listsOf } from '../../src/common/engine/similarity/vectors/top-lists';
import type { RunnerAnswer } from '../../src/common/engine/steps/runner-messages';
import { planKey, writePlan } from '../../src/common/engine/steps/step-plan';
import { StepRunner } from '../../src/common/engine/steps/step-runner';
import type { ObjectStore } from '../../src/common/platform/storage/object-store';
import { neighbourSteps, type NeighboursInput } from '../../src/modules/tables/neighbours/neighbour-steps';

/** The search for neighbours with steps that run in this process, on runners that take turns. */
export class StepsHere {
  private readonly runners: readonly StepRunner[];
  private readonly signal = new AbortController().signal;

  constructor(
    readonly store: ObjectStore,
    machines: readonly KeptRows[],
  ) {
    this.runners = machines.map((rows) => new StepRunner(store, neighbourSteps({ rows })));
  }

  /** Computes the neighbours, and leaves the pieces and the results below the prefix. */
  async search(prefix: string, ordered: OrderedVectors): Promise<void> {
    const { shape, neighbours } = ordered;
    await storePieces(this.store, prefix, ordered, this.signal);
    await this.plan(prefix);
    for (const step of SEARCH_STEPS)
      for (let part = 0; part < partCount(shape); part++) {
        const answer = await this.run(part % this.runners.length, step, { prefix, shape, part });
        if ('failed' in answer) throw new Error(answer.failed.message);
        if (step === 'scan-cells') continue;
        const { from, to } = partRange(shape, part);
        decodeLists(await buffer(await this.store.get(listsKey(prefix, step, part))), listsOf(neighbours, from, to));
      }
  }

  async plan(prefix: string): Promise<void> {
    await writePlan(this.store, planKey(prefix, 'here'), Readable.from([]));
  }

  run(machine: number, step: SearchStep, input: NeighboursInput): Promise<RunnerAnswer> {
    const id = stepId(step, input.part);
    const description = { id, step, weight: 1, input };
    return this.runners[machine]!.answer(
      { id, do: 'step', plan: planKey(input.prefix, 'here'), step: description },
      this.signal,
    );
  }
}
