import type { PictureChange } from '../domain/picture-change';
import { ChangeContent, packedContent, type ChangedSource } from './change-content';

const source: ChangedSource = {
  before: null,
  after: { kind: 'predictions', modelId: null, createdAt: '2026-11-24T09:32:10.500Z' },
};

const pictures = Array.from({ length: 500 }, (_, at): PictureChange => ({
  before: [{ at, annotation: { id: 'a', label: 'line\nbreak \u2028 ü', version: at } }],
  after: [{ at: 0, annotation: { id: 'b', label: 'x', box: [0.1 + at, 1e-9, 3, 1 / 3], version: 2 ** 48 } }],
}));

describe('the content of a change', () => {
  it('is read as it was written, one picture or all', async () => {
    const { content, contentBytes } = (await packedContent(source, pictures))!;
    expect(content.length).toBeLessThan(contentBytes / 4);
    const unpacked = await ChangeContent.unpacked(content);
    expect(unpacked.source).toEqual(source);
    expect(unpacked.picture(0)).toEqual(pictures[0]);
    expect(unpacked.picture(499)).toEqual(pictures[499]);
    expect(await unpacked.pictures()).toEqual(pictures);
  });

  it('is not kept if it is too large', async () => {
    const { contentBytes } = (await packedContent(source, pictures))!;
    expect(await packedContent(source, pictures, contentBytes)).toMatchObject({ contentBytes });
    expect(await packedContent(source, pictures, contentBytes - 1)).toBeUndefined();
  });
});
