import { clusterName } from '../map-legend';

const labels = (...counts: number[]) => counts.map((count, at) => ({ label: ['shirt', 'hat'][at]!, count }));
const folders = (...counts: number[]) => counts.map((count, at) => ({ folder: ['in/shirts', 'in/hats'][at]!, count }));

it.each([
  ['the label of half of its media', labels(5, 4), folders(10), 'shirt'],
  ['the folder where no label is that frequent', labels(4, 4), folders(5, 5), 'in/shirts'],
  ['the folder where there are no labels', [], folders(10), 'in/shirts'],
  ['two labels where its media have little in common', labels(4, 3), folders(4, 3), 'shirt, hat'],
  ['two folders where its media have little in common and no labels', [], folders(4, 3), 'in/shirts, in/hats'],
  ['nothing in the top folder', [], [{ folder: '', count: 10 }], undefined],
])('a cluster is named after %s', (_, ofLabels, ofFolders, expected) => {
  expect(clusterName(10, ofLabels, ofFolders)).toBe(expected);
});
