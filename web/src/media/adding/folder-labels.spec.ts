import { folderLabels, labelsOfFiles } from './folder-labels';

const file = (path: string) => ({ path, file: new File([], 'x') });

it('counts files by the name of their folder, most frequent first', () => {
  expect(labelsOfFiles(['a/1.jpg', 'in/b/2.jpg', 'other/b/3.jpg', '4.jpg', 'c /5.jpg'].map(file))).toEqual([
    { value: 'b', count: 2 },
    { value: 'a', count: 1 },
    { value: 'c', count: 1 },
  ]);
  expect(
    folderLabels([
      { value: '', count: 3 },
      { value: 'in/b', count: 2 },
    ]),
  ).toEqual([{ value: 'b', count: 2 }]);
});
