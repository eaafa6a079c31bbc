import { folderRank } from './keep-columns';

describe('the rank of a folder', () => {
  const rank = (folder: string): number => folderRank(folder, ['a/b', 'a', 'c']);

  it('is the position of the first one that contains it', () =>
    expect(['a/b', 'a/b/x', 'a', 'a/bc', 'c/d'].map(rank)).toEqual([0, 0, 1, 1, 2]));

  it('is last for all others', () => expect(['', 'ab', 'cc', 'd/a'].map(rank)).toEqual([3, 3, 3, 3]));

  it('treats the empty name as the root folder, which contains all others', () =>
    expect(folderRank('x/y', [''])).toBe(0));
});
