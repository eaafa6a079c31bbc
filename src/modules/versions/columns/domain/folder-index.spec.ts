import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { FolderIndex, folderOf } from './folder-index';
import type { TextOp } from './text-condition';

const PATHS = ['a/1.jpg', 'a/b/2.jpg', '3.jpg', 'a/b/4.jpg', "it's/5.jpg"];

function index(): FolderIndex {
  const builder = FolderIndex.builder(PATHS.length);
  PATHS.forEach((path) => builder.add(path));
  return builder.build();
}

it.each<[TextOp, string[], number[]]>([
  ['one_of', ['a'], [0]],
  ['one_of', ['/a/b/', "it's"], [1, 3, 4]],
  ['one_of', ['/'], [2]],
  ['starts_with', ['a'], [0, 1, 3]],
  ['ends_with', ['b'], [1, 3]],
  ['contains', ['/'], [1, 3]],
  ['contains', ["t'"], [4]],
])('finds folders by %s %j', async (op, values, rows) => {
  expect([...(await index().matching(op, values)).toArray()]).toEqual(rows);
});

it('counts the rows of each folder', async () => {
  expect(await index().counts(OrdinalSet.of(5, [0, 1, 2, 3]))).toEqual([
    { folder: 'a/b', count: 2 },
    { folder: '', count: 1 },
    { folder: 'a', count: 1 },
  ]);
});

it('finds the most frequent folders of some rows', () => {
  expect(index().mostFrequent(Int32Array.of(0, 1, 2, 3), 2)).toEqual([
    { folder: 'a/b', count: 2 },
    { folder: '', count: 1 },
  ]);
  expect(index().mostFrequent(new Int32Array(), 2)).toEqual([]);
});

it('finds the folder of a path', () => {
  expect(['x.jpg', 'a/x.jpg', 'a/b/x'].map(folderOf)).toEqual(['', 'a', 'a/b']);
});
