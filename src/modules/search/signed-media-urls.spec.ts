import type { MediaAddresses } from './media-urls';
import type { PreviewRow } from './preview-rows';
import { SignedMediaUrls } from './signed-media-urls';

describe('SignedMediaUrls', () => {
  let now = 0;
  let signed: string[] = [];
  let servesOriginals = false;
  const urls = new SignedMediaUrls(
    {
      signedSourceUrl: (source, { contentType }) => {
        signed.push(source);
        return Promise.resolve(`${source}?type=${contentType}&number=${signed.length}`);
      },
    },
    () => now,
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

  beforeEach(() => {
    now += 24 * 3600 * 1000;
    signed = [];
  });

  it('signs the URLs of a row once, and again after some hours', async () => {
    const first = await addressesOf(row);
    expect(await addressesOf(row)).toEqual(first);
    expect(signed).toEqual(['s3://bucket/a.jpg', 'store:thumbnails/a.webp']);
    now += 7 * 3600 * 1000;
    expect((await addressesOf(row)).original).not.toBe(first.original);
  });

  it('takes the URLs of a row that was read again', async () => {
    const [first, second] = [await addressesOf(row), await addressesOf({ ...row })];
    expect(second).toEqual(first);
    const others = [{ source: 's3://bucket/b.jpg' }, { thumbnailKey: 'thumbnails/b.webp' }, { fileName: 'a.png' }];
    for (const other of others) expect(await addressesOf({ ...row, ...other })).not.toEqual(first);
    expect(signed).toHaveLength(8);
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
