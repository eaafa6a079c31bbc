import { LabelHierarchy } from '../../../../common/engine/models/label-hierarchy';
import { frequentNames, sharedName, sharedParent } from './cluster-name';

const labels = (...counts: number[]) => counts.map((count, at) => ({ label: ['shirt', 'hat'][at]!, count }));
const folders = (...counts: number[]) => counts.map((count, at) => ({ folder: ['in/shirts', 'in/hats'][at]!, count }));

it.each([
  ['the label of half of its media', labels(5, 4), folders(10), 'shirt'],
  ['the folder where no label is that frequent', labels(4, 4), folders(5, 5), 'in/shirts'],
  ['the folder where there are no labels', [], folders(10), 'in/shirts'],
  ['nothing where its media have little in common', labels(4, 3), folders(4, 3), undefined],
  ['nothing in the top folder', [], [{ folder: '', count: 10 }], undefined],
])('a cluster is named after %s', (_, ofLabels, ofFolders, expected) => {
  expect(sharedName(10, { labels: ofLabels, folders: ofFolders })).toBe(expected);
});

it.each([
  ['two labels', labels(4, 3), folders(4, 3), 'shirt, hat'],
  ['two folders where there are no labels', [], folders(4, 3), 'in/shirts, in/hats'],
  ['nothing in the top folder', [], [{ folder: '', count: 10 }], undefined],
])('a cluster of different media is named after %s', (_, ofLabels, ofFolders, expected) => {
  expect(frequentNames({ labels: ofLabels, folders: ofFolders })).toBe(expected);
});

describe('the common parent', () => {
  const hierarchy = LabelHierarchy.of([
    [
      { label: 'terrier', parents: ['dog', 'animal'] },
      { label: 'poodle', parents: ['dog', 'animal'] },
      { label: 'tabby', parents: ['cat', 'animal'] },
    ],
  ]);
  const counts = (animal: number, dog: number, cat: number) =>
    Object.entries({ animal, dog, cat }).map(([label, count]) => ({ label, count }));

  it.each([
    ['the narrowest that half of the media have', counts(10, 6, 4), 'dog'],
    ['a wider one where the narrow ones are less frequent', counts(8, 4, 4), 'animal'],
    ['the most frequent of several', counts(10, 6, 5), 'dog'],
    ['none that fewer have', counts(4, 4, 0), undefined],
  ])('is %s', (_, parents, expected) => {
    expect(sharedParent(parents, 10, hierarchy)).toBe(expected);
  });
});
