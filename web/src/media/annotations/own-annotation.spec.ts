import { ownAnnotations } from './own-annotation';
import type { ShownAnnotation } from './shapes';

const PICTURE = { width: 100, height: 200 };

const annotation = (part: Partial<ShownAnnotation>): ShownAnnotation => ({
  key: '',
  id: 'one',
  media_id: 'picture',
  source: 'detector-a',
  label: 'boat',
  shape: { type: 'box', x: -5, y: 20, width: 15, height: 40 },
  confidence: null,
  attributes: {},
  crowd: false,
  ignored: false,
  track_id: null,
  area: null,
  version: 1,
  ...part,
});

describe('the annotation of an object', () => {
  const object = {
    media_id: 'object',
    label: 'boat',
    label_sources: [{ label: 'boat', source: null, confidence: null, annotation_source: 'detector-a' }],
    bounding_box: { x: 0, y: 0.1, width: 0.1, height: 0.2 },
  };
  const same = annotation({});
  const others = [
    annotation({ source: 'annotator-2' }),
    annotation({ label: 'buoy' }),
    annotation({ shape: null }),
    annotation({ shape: { type: 'box', x: 0, y: 23, width: 10, height: 40 } }),
  ];

  it('is that of its source with its label and box, as far as it is inside the picture', () => {
    expect(ownAnnotations(object, [...others, same], PICTURE)).toEqual([same]);
    expect(ownAnnotations({ ...object, bounding_box: null }, [same], PICTURE)).toEqual([]);
  });

  it('is the one with its id, if there is one', () => {
    const named = annotation({ id: 'object', source: 'annotator-2', label: 'ship' });
    expect(ownAnnotations(object, [same, named], PICTURE)).toEqual([named]);
  });
});
