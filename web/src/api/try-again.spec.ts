import { TryAgain } from './try-again';

it('retries at increasing intervals after repeated failures, and quickly after a stable connection', () => {
  let now = 0;
  const tryAgain = new TryAgain(() => now);
  const delays: number[] = [];
  for (const passed of [5_000_000, 1_000, 1_000, 50_000, 1_000, 1_000, 1_000, 61_000, 1_000]) {
    now += passed;
    tryAgain.lost();
    delays.push(tryAgain.afterMs);
    tryAgain.returned();
  }
  expect(delays).toEqual([1_500, 3_000, 6_000, 12_000, 24_000, 30_000, 30_000, 1_500, 3_000]);
});
