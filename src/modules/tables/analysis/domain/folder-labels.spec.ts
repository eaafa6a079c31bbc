import { folderLabels } from './source-file';

it.each([
  ['t-shirt/1.jpg', ['t-shirt']],
  ['train/hats/a b/1.jpg', ['a b']],
  ['1.jpg', []],
  ['/1.jpg', []],
  [' / /1.jpg', []],
  ['cafe\u0301/1.jpg', ['caf\u00e9']],
  ['["a","b"], c/1.jpg', ['["a","b"], c']],
])('the labels of %j are %j', (path, labels) => {
  expect(folderLabels(path)).toEqual(labels);
});
