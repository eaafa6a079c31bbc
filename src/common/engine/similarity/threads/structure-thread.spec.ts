import { structureOfVectors } from '../../../../../test/support/structures';
import type { SimilarityInput } from '../similarity-structure';

const IDLE_MS = 10_000;

const input: SimilarityInput = {
  count: 2,
  dimension: 2,
  vectors: new Float32Array(new SharedArrayBuffer(16)).fill(Math.SQRT1_2),
  contentGroup: Int32Array.of(0, 1),
  ladder: [0.9, 0.8, 0.7, 0.6, 0.5],
  threads: 1,
};

describe('the reused thread', () => {
  it('is not reused after it has been idle for too long', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const idleTimers = () => timers.mock.calls.filter(([, ms]) => ms === IDLE_MS);
    await structureOfVectors(input);
    const [ends] = idleTimers().at(-1)!;
    ends();
    const { clusters } = await structureOfVectors(input);
    timers.mockRestore();
    expect([...clusters[0]]).toEqual([0, 0]);
  });
});
