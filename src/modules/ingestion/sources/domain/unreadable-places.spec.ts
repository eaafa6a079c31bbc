import { UnreadablePlaces } from './unreadable-places';

describe('UnreadablePlaces', () => {
  it('counts files skipped by extension', () => {
    const places = new UnreadablePlaces();
    expect(places.extensionWarnings()).toEqual([]);
    places.skipByExtension('notes/read.TXT');
    expect(places.extensionWarnings()).toEqual(['1 file skipped by extension: 1 .txt.']);
    for (const path of ['a.svg', 'b.svg', 'LICENSE', 'c.d/e', 'a.txt', '1.q', '2.r', '3.s'])
      places.skipByExtension(path);
    expect(places.extensionWarnings()).toEqual([
      '9 files skipped by extension: 2 .txt, 2 .svg, 2 without extension, 1 .q, 1 .r, 1 others.',
    ]);
  });

  it('limits the number of extensions in memory', () => {
    const places = new UnreadablePlaces();
    for (let i = 0; i < 5000; i++) places.skipByExtension(`x.${i}`);
    expect(places.extensionWarnings()[0]).toMatch(/^5000 files skipped by extension: 1 \.0, .*, 4995 others\.$/);
  });
});
