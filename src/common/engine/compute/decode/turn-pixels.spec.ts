import sharp from 'sharp';
import { type Orientation, turnPixels } from './orientation';

describe('turnPixels', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8] as const)(
    'applies orientation %i as sharp does',
    async (orientation: Orientation) => {
      const data = Uint8Array.from({ length: 5 * 3 * 3 }, (_, i) => i * 5);
      const raw = { width: 5, height: 3, channels: 3 } as const;
      const png = await sharp(data, { raw }).withMetadata({ orientation }).png().toBuffer();
      const expected = await sharp(png).autoOrient().raw().toBuffer({ resolveWithObject: true });
      const turned = turnPixels({ data, width: 5, height: 3 }, orientation);
      expect(turned).toMatchObject({ width: expected.info.width, height: expected.info.height });
      expect([...turned.data]).toEqual([...expected.data]);
    },
  );
});
