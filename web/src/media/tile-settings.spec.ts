import { readTileSettings } from './tile-settings';

const DEFAULT = { size: 2, shown: [] };

it.each([
  [null, DEFAULT],
  ['', DEFAULT],
  ['null', DEFAULT],
  ['{"size":9,"shown":"labels"}', DEFAULT],
  [
    '{"size":"1","shown":[1,null,"labels","labels","other","field:site"]}',
    { size: 2, shown: ['labels', 'field:site'] },
  ],
  ['{"size":0,"shown":["tags"]}', { size: 0, shown: ['tags'] }],
])('reads %j as what people may have chosen', (text, expected) => expect(readTileSettings(text)).toEqual(expected));

it('limits the number of stored settings', () => {
  const shown = Array.from({ length: 300 }, (_, at) => `field:${at}`);
  expect(readTileSettings(JSON.stringify({ shown })).shown).toHaveLength(100);
});
