import { FORMAT_FIXTURES, readJson } from '../../../../../test/support/format-fixtures';
import { resizeAsPillow, type ResampleFilter } from './resize-as-pillow';

interface Case {
  readonly size: [number, number];
  readonly pixels: string;
  readonly to: [number, number];
  readonly filter: ResampleFilter;
  readonly resized: string;
}

const cases = (): Promise<Case[]> => readJson(FORMAT_FIXTURES, 'resampling.json');

const sourceOf = ({ size: [width, height], pixels }: Case) => ({ data: Buffer.from(pixels, 'base64'), width, height });

describe('resizeAsPillow', () => {
  it('has the same result as Pillow', async () => {
    for (const each of await cases()) {
      const [width, height] = each.to;
      const whole = { left: 0, top: 0, width, height };
      const { data } = resizeAsPillow(sourceOf(each), { width, height }, each.filter, whole);
      expect(Buffer.from(data)).toEqual(Buffer.from(each.resized, 'base64'));
    }
  });

  it('computes a window of the result', async () => {
    for (const each of await cases()) {
      const [width, height] = each.to;
      const window = { left: 1, top: 2, width: width - 3, height: height - 2 };
      const part = resizeAsPillow(sourceOf(each), { width, height }, each.filter, window);
      expect(part).toMatchObject({ width: window.width, height: window.height });
      const whole = Buffer.from(each.resized, 'base64');
      const lines = Array.from({ length: window.height }, (_, y) => {
        const from = ((window.top + y) * width + window.left) * 3;
        return whole.subarray(from, from + window.width * 3);
      });
      expect(Buffer.from(part.data)).toEqual(Buffer.concat(lines));
    }
  });
});
