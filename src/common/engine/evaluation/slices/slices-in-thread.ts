import { AskedThread } from '../../../platform/concurrency/asked-thread';
import type { Comparison } from './compare-slices';
import type { FoundSlices } from './find-slices';
import type { SliceConditions } from './slice-conditions';
import type { SliceUnits } from './slice-units';
import type { SliceJob } from './slices.thread';

/** The same every time, so that intervals of the same outcomes do not change. */
const SEED = 1;

type Asked = readonly [units: SliceUnits, conditions: SliceConditions];

export const slicesInThread = (...asked: Asked): Promise<FoundSlices> => inThread('find', asked);
export const comparisonInThread = (...asked: Asked): Promise<Comparison> => inThread('compare', asked);

async function inThread<A>(kind: SliceJob['kind'], [units, conditions]: Asked): Promise<A> {
  const thread = new AskedThread({ folder: __dirname, name: 'slices.thread', onEnd: () => undefined });
  try {
    return await thread.ask<A>((job): SliceJob => ({ job, kind, units, conditions, seed: SEED }));
  } finally {
    await thread.end();
  }
}
