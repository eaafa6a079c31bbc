import { messageOfGathered } from '../jobs/alert.step';

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `v${at}`);

describe('the message of a notification for several views', () => {
  it.each([
    [0, null],
    [1, "1 more view has new matches in this batch: 'v0'"],
    [2, "2 more views have new matches in this batch: 'v0' and 'v1'"],
    [
      12,
      "12 more views have new matches in this batch: 'v0', 'v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7', 'v8', 'v9', and 2 more",
    ],
  ])('of %i', (count, message) => {
    expect(messageOfGathered(names(count))).toBe(message);
  });

  it('shortens long names', () => {
    const message = messageOfGathered(Array.from({ length: 2000 }, () => 'x'.repeat(100_000)));
    expect(message!.length).toBeLessThan(1000);
  });
});
