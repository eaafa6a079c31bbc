import type { Annotation } from '../../../common/engine/annotations/annotation';
import { changedPicture, newAct } from './source-change';

const BEFORE: readonly Annotation[] = [
  { id: 'a', label: 'boat', version: 1 },
  { id: 'b', label: 'night', version: 1 },
  { id: 'c', label: 'house', box: [0, 0, 9, 9], version: 1 },
];

const relabelled = (labels: readonly string[], among: readonly string[]) => {
  const edits = [{ kind: 'relabel', labels, among }] as const;
  const { annotations, ...counts } = changedPicture(BEFORE, { edits, replaces: false }, newAct('ana@example.com'));
  return { labels: annotations.map(({ label, box }) => (box === undefined ? label : `box of ${label}`)), counts };
};

describe('the labels of a whole picture', () => {
  it.each([
    ['are those that are given', ['house', 'boat'], [], ['boat', 'box of house', 'house'], [1, 1]],
    ['that are no option stay', ['house'], ['boat', 'house'], ['night', 'box of house', 'house'], [1, 1]],
    ['may be none', [], [], ['box of house'], [0, 2]],
    ['that stay keep their version', ['boat', 'night'], [], ['boat', 'night', 'box of house'], [0, 0]],
  ] as const)('%s', (_, labels, among, after, [added, removed]) => {
    expect(relabelled(labels, among)).toEqual({
      labels: after,
      counts: { added, changed: 0, removed, conflicts: [] },
    });
  });
});
