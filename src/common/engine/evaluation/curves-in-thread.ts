import { AskedThread } from '../../platform/concurrency/asked-thread';
import { curvesOf, type Curves } from './curves';
import type { CurvesJob } from './curves.thread';
import type { Outcomes } from './outcomes';
import { countedConfidences } from './ranked-outcomes';

/** Sorting more holds up the event loop. */
const FEW = 2 ** 17;

/** Of one label (a place in `labels`) or all. */
export async function readCurves(
  outcomes: Outcomes,
  label: number | undefined,
  precision: number | undefined,
): Promise<Curves> {
  const counted = await countedConfidences(outcomes, label);
  const { hits, mistakes } = counted;
  if (hits.length + mistakes.length <= FEW) return curvesOf(counted, precision);
  const thread = new AskedThread({ folder: __dirname, name: 'curves.thread', onEnd: () => undefined });
  try {
    return await thread.ask<Curves>((job): CurvesJob => ({ job, counted, precision }), [hits.buffer, mistakes.buffer]);
  } finally {
    await thread.end();
  }
}
