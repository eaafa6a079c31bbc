import { type MediaAddresses, SignedMediaUrls } from './signed-media-urls';
import type { PreviewRow } from '../explore/found-clusters';

describe('SignedMediaUrls', () => {
  let servesOriginals = false;
  const urls = new SignedMediaUrls(
    {
      signedSourceUrl: (source, { contentType, expiresInSeconds }) => {
        const url = `${source}?type=${contentType}&seconds=${expiresInSeconds}`;
        return source.startsWith('s3:') ? Promise.resolve(url) : url;
      },
    },
    () => servesOriginals,
  );
  const addressesOf = async (of: PreviewRow): Promise<MediaAddresses> => (await urls.of([of])).get(of)!;
  const row: PreviewRow = {
    id: '1',
    fileName: 'a.jpg',
    path: 'a.jpg',
    source: 's3://bucket/a.jpg',
    width: 1,
    height: 1,
    thumbnailKey: 'thumbnails/a.webp',
    caption: null,
    generatedCaption: null,
    parentId: null,
    box: null,
    frameTimestamp: null,
  };

  it('signs the URLs of the file and its thumbnail, synchronously or asynchronously', async () => {
    const rows = [row, { ...row, source: 'file:///a.jpg' }, { ...row, fileName: 'a', thumbnailKey: null }];
    const addresses = await urls.of(rows);
    expect(rows.map((each) => addresses.get(each))).toEqual([
      {
        original: 's3://bucket/a.jpg?type=image/jpeg&seconds=86400',
        thumbnail: 'store:thumbnails/a.webp?type=image/webp&seconds=86400',
      },
      {
        original: 'file:///a.jpg?type=image/jpeg&seconds=86400',
        thumbnail: 'store:thumbnails/a.webp?type=image/webp&seconds=86400',
      },
      {
        original: 's3://bucket/a.jpg?type=undefined&seconds=86400',
        thumbnail: 's3://bucket/a.jpg?type=undefined&seconds=86400',
      },
    ]);
  });

  it('includes the media type', async () => {
    const { original, thumbnail } = await addressesOf(row);
    expect(original).toContain('type=image/jpeg');
    expect(thumbnail).toContain('type=image/webp');
  });

  it('uses originals that browsers can show instead of thumbnails if the setting is on', async () => {
    const box = { x: 0, y: 0, width: 1, height: 1 };
    const rows = [row, { ...row, box }, { ...row, frameTimestamp: 1 }, { ...row, fileName: 'a.tif' }];
    const showOriginals = () =>
      Promise.all(rows.map(async (each) => addressesOf(each).then((shown) => shown.thumbnail === shown.original)));
    expect(await showOriginals()).toEqual([false, false, false, false]);
    servesOriginals = true;
    expect(await showOriginals()).toEqual([true, false, false, false]);
    servesOriginals = false;
    expect(await showOriginals()).toEqual([false, false, false, false]);
  });

  it('uses the original if there is no thumbnail', async () => {
    const { original, thumbnail } = await addressesOf({ ...row, thumbnailKey: null });
    expect(thumbnail).toBe(original);
  });
});
