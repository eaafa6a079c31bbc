import { UnreadablePlaces } from './unreadable-places';

describe('UnreadablePlaces', () => {
  it('counts what is passed over by its extension', () => {
    const places = new UnreadablePlaces();
    expect(places.extensionSentences()).toEqual([]);
    places.passOverFile('notes/read.TXT');
    expect(places.extensionSentences()).toEqual(['1 file passed over by extension: 1 .txt.']);
    for (const path of ['a.svg', 'b.svg', 'LICENSE', 'c.d/e', 'a.txt', '1.q', '2.r', '3.s']) places.passOverFile(path);
    expect(places.extensionSentences()).toEqual([
      '9 files passed over by extension: 2 .txt, 2 .svg, 2 without extension, 1 .q, 1 .r, 1 others.',
    ]);
  });

  it('does not remember every name of a million', () => {
    const places = new UnreadablePlaces();
    for (let i = 0; i < 5000; i++) places.passOverFile(`x.${i}`);
    expect(places.extensionSentences()[0]).toMatch(/^5000 files passed over by extension: 1 \.0, .*, 4995 others\.$/);
  });
});
