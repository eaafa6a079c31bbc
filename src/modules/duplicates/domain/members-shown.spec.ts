import { membersShown } from '../duplicate-groups.reader';

it.each([
  ['a hundred of few groups', [5_000, 3, 100], 100],
  ['fewer where groups are many', Array<number>(100).fill(100), 10],
  ['as many as small groups leave room for', [...Array<number>(90).fill(2), ...Array<number>(10).fill(500)], 82],
  ['a hundred of none', [], 100],
])('a page shows %s', (_, sizes, most) => {
  expect(membersShown(sizes)).toBe(most);
});
