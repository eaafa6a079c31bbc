import { nameRanks } from './name-ranks';

describe('the ranks of names', () => {
  it.each([0, 1, 2, 8_192, 8_193, 50_000])('are their places in the order of all %d', async (count) => {
    const names = Array.from({ length: count }, (_, at) => `${(at * 7_919) % 1_000}/${(at * 104_729) % 3_001}.jpg`);
    const order = [...names.keys()].sort((a, b) => (names[a]! < names[b]! ? -1 : names[a]! > names[b]! ? 1 : a - b));
    const ranks = await nameRanks(names);
    expect(Array.from(order, (at) => ranks[at])).toEqual([...order.keys()]);
  });
});
