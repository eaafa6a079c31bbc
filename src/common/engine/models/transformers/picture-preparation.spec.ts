import { PicturePreparation } from './picture-preparation';

const plain = { do_rescale: false, do_normalize: false };

const grey = (width: number, height: number, level = 200) => ({
  data: new Uint8Array(width * height * 3).fill(level),
  width,
  height,
});

const sizeOf = (config: object, width: number, height: number): [number, number] => {
  const prepared = PicturePreparation.from('x', config).prepare(grey(width, height));
  expect(prepared.values).toHaveLength(prepared.width * prepared.height * 3);
  return [prepared.width, prepared.height];
};

describe('PicturePreparation', () => {
  it.each<[string, object, [number, number], [number, number]]>([
    ['an exact size', { size: { width: 20, height: 30 } }, [7, 9], [20, 30]],
    ['the shortest edge', { size: { shortest_edge: 20 } }, [30, 41], [20, 27]],
    ['both edges', { size: { shortest_edge: 20, longest_edge: 30 } }, [30, 90], [10, 30]],
    ['both edges of a picture that fits', { size: { shortest_edge: 20, longest_edge: 30 } }, [40, 50], [20, 25]],
    ['the edges of older folders', { size: 20, max_size: 30 }, [90, 30], [30, 10]],
    ['the square of older folders', { size: 20 }, [90, 30], [20, 20]],
    ['the crop of older folders', { size: 20, do_center_crop: true, crop_size: 18 }, [90, 30], [18, 18]],
    ['no size', {}, [17, 9], [17, 9]],
    ['a size that is not applied', { do_resize: false, size: 20 }, [17, 9], [17, 9]],
  ])('scales to %s', (_name, config, [width, height], expected) => {
    expect(sizeOf({ image_processor_type: 'ViTImageProcessor', ...config }, width, height)).toEqual(expected);
  });

  it('scales to multiples of 16 for YOLOS', () => {
    const config = { image_processor_type: 'YolosImageProcessor', size: { shortest_edge: 40, longest_edge: 70 } };
    expect(sizeOf(config, 100, 60)).toEqual([64, 32]);
  });

  it('pads a picture smaller than the crop with black', () => {
    const config = { image_processor_type: 'CLIPImageProcessor', do_resize: false, do_center_crop: true, crop_size: 4 };
    const { values } = PicturePreparation.from('x', { ...config, ...plain }).prepare(grey(2, 3));
    const row = (...levels: number[]) => levels;
    const plane = [row(0, 0, 0, 0), row(0, 200, 200, 0), row(0, 200, 200, 0), row(0, 200, 200, 0)].flat();
    expect([...values]).toEqual([...plane, ...plane, ...plane]);
  });

  it('normalises each channel by its mean and deviation', () => {
    const config = {
      image_processor_type: 'ViTImageProcessorFast',
      image_mean: [0.1, 0.2, 0.3],
      image_std: [0.5, 0.25, 0.125],
    };
    const { values } = PicturePreparation.from('x', config).prepare(grey(1, 1, 51));
    expect([...values].map((value) => value.toFixed(4))).toEqual(['0.2000', '0.0000', '-0.8000']);
  });
});
