import { changesOf, type LabelAction, type ListedLabel } from './label-changes';

const listed = (mediaId: string, label: string, shape: ListedLabel['shape'] = null): ListedLabel => ({
  ...{ media_id: mediaId, id: `${mediaId} ${label}`, label, shape, version: 7 },
});

const BOX = { type: 'box', x: 0, y: 0, width: 1, height: 1, rotation: 0 } as const;
const MEDIA = ['a', 'b', 'c'];
const LISTED = [listed('a', 'boat'), listed('a', 'sea'), listed('b', 'sea'), listed('c', 'boat', BOX)];

function idsAfter(action: LabelAction) {
  const { added, removed } = changesOf(MEDIA, LISTED, { label: 'boat', action });
  return { added, removed: removed.map(({ id }) => id) };
}

describe('a label of many pictures', () => {
  it('is added where it is not there; a shape with it is not the label of its picture', () => {
    expect(idsAfter('add')).toEqual({ added: ['b', 'c'], removed: [] });
  });

  it('is the only one after it was set', () => {
    expect(idsAfter('set')).toEqual({ added: ['b', 'c'], removed: ['a sea', 'b sea'] });
  });

  it('is removed without the shapes that have it', () => {
    expect(idsAfter('remove')).toEqual({ added: [], removed: ['a boat'] });
  });

  it('is kept once for each time it was given', () => {
    const twice = [listed('a', 'boat'), { ...listed('a', 'boat'), id: 'other' }];
    expect(changesOf(['a'], twice, { label: 'boat', action: 'set' })).toEqual({ added: [], removed: [] });
    expect(changesOf(['a'], twice, { label: 'boat', action: 'remove' }).removed).toEqual(twice);
  });
});
