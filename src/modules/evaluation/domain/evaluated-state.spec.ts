import type { SegmentRecord } from '../../versions';
import { saysSame } from './evaluated-state';

const file = (id: string, more: Partial<SegmentRecord> = {}): SegmentRecord => ({
  id,
  size: 1,
  pictures: 1,
  replaced: [],
  ...more,
});
const merged = (id: string, ...replaced: string[]): SegmentRecord => file(id, { replaced, merged: true });

describe('files of a source', () => {
  it.each([
    ['the same files', [], []],
    ['the same files', ['a', 'b'], [file('a'), file('b')]],
    ['files that were merged', ['a', 'b', 'c'], [file('a'), merged('d', 'b', 'c')]],
    ['files that were merged into two', ['a', 'b'], [merged('c', 'a', 'b'), merged('d', 'a', 'b')]],
  ])('say the same: %s', (_, before, now) => expect(saysSame(before, now)).toBe(true));

  it.each([
    ['a new file', ['a'], [file('a'), file('b')]],
    ['a file that is gone', ['a', 'b'], [file('a')]],
    ['other files', ['a'], [file('b')]],
    ['a change that took files in', ['a', 'b'], [file('a'), file('c', { replaced: ['b'] })]],
    ['a file that was merged with a later one', ['a', 'b'], [merged('d', 'a', 'b', 'c')]],
    ['a file that was merged with an earlier one alone', ['b', 'c'], [merged('d', 'a', 'b'), file('c')]],
  ])('say something else: %s', (_, before, now) => expect(saysSame(before, now)).toBe(false));
});
