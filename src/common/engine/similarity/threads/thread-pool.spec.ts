import { sharedInt32 } from '../../arithmetic/shared-arrays';
import { allocateBlocks } from '../vectors/vector-blocks';
import { ThreadPool } from './thread-pool';

it('fails with the error of its progress callback once the threads have finished the job', async () => {
  const timers = jest.spyOn(globalThis, 'setInterval');
  const pool = new ThreadPool(1, sharedInt32(1));
  const blocks = allocateBlocks('float', 2, Int32Array.of(0), Int32Array.of(0, 1));
  const rows = { floats: Float32Array.of(3, 4), stride: 2, dimension: 2 };
  const running = pool.run({ kind: 'fillBlocks', blocks, rows }, 1, 1, () => {
    throw new Error('not wanted any more');
  });
  const [report] = timers.mock.calls.at(-1)!;
  timers.mockRestore();
  expect(report).not.toThrow();
  await expect(running).rejects.toThrow('not wanted any more');
  expect(pool.isStopped).toBe(true);
  await pool.close();
});
