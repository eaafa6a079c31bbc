import { linesOf } from './change-lines';

const BOX = { type: 'box', x: 1, y: 2, width: 3, height: 4, rotation: 0 } as const;
const said = (id: string, label: string, shape: typeof BOX | null = null) => ({ id, label, shape });

describe('a change of a picture', () => {
  it('says what was added, removed, relabelled and moved', () => {
    const before = [said('a', 'cat'), said('b', 'boat', BOX), said('c', 'sea'), said('d', 'sky')];
    const after = [said('a', 'dog'), said('b', 'boat', { ...BOX, x: 9 } as never), said('d', 'sky'), said('e', 'raft')];
    expect(linesOf({ before, after })).toEqual(['− sea', 'cat → dog', 'boat: another shape', 'sky: changed', '+ raft']);
  });

  it('counts what is too much to list', () => {
    const after = Array.from({ length: 400 }, (_, at) => said(String(at), 'boat'));
    expect(linesOf({ before: [], after })).toEqual([...Array.from({ length: 4 }, () => '+ boat'), '396 more']);
  });
});
