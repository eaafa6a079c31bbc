import { mediaRow } from '../../../../test/support/media-rows';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaItem } from '../domain/media-item';
import type { ExportInfo } from './archive-format';
import { metadataItems } from './metadata.presenter';
import { MetadataTexts } from './metadata-texts';

const INFO: ExportInfo = {
  datasetId: 'd0000000-0000-4000-8000-000000000000',
  datasetName: 'photos',
  datasetCreatedAt: new Date(0),
  exportedAt: new Date(0),
  exportedBy: 'somebody',
  baseUrl: 'http://127.0.0.1:3000',
  items: 1,
  embeddingModel: null,
  fields: [],
  source: null,
  enrichments: {},
};

const itemOf = (row: Partial<MediaRow>, changes: Partial<MediaItem> = {}): MediaItem => ({
  row: mediaRow(1, row),
  clusterId: null,
  objects: [],
  tags: [],
  annotations: [],
  duplicates: null,
  embedding: null,
  imageName: null,
  imageError: null,
  ...changes,
});

const NO_ISSUES = { blurConfidence: 0, darkConfidence: 0, brightConfidence: 0, outlierConfidence: 0 };
const COPY = { groupId: 'c-1', similarity: 0.95 };

const ITEMS: Readonly<Record<string, MediaItem>> = {
  nothing: itemOf(NO_ISSUES),
  'a caption with quotes, a zero and half a character': itemOf({ caption: 'a "b"\n\u0000 0.123456 \ud800 größer' }),
  'labels, one of them twice and one like code': itemOf({ labels: ['boat', 'a,"b"', 'boat', '__proto__', '\u0000'] }),
  issues: itemOf({
    blurConfidence: 0.1234561,
    darkConfidence: 1e-7,
    classOutlierConfidence: 1,
    mislabelConfidence: 0.5,
  }),
  'a label that similar media have': itemOf({ mislabelConfidence: 0.5, suggestedLabel: 'a "ship"' }),
  copies: itemOf(NO_ISSUES, { duplicates: COPY }),
  'copies of another similarity': itemOf({ labels: ['boat'] }, { duplicates: { ...COPY, similarity: 1 } }),
  tags: itemOf({ labels: ['boat'] }, { tags: [{ id: 't', name: 'keep' }] as unknown as MediaItem['tags'] }),
  'captions of a model': itemOf({ caption: 'own', generatedCaption: 'made' }),
  'labels of a model': itemOf({ labels: ['boat'], generatedLabels: [{ label: 'boat', confidence: 0.5, given: true }] }),
  'text in the picture': itemOf({
    textLines: [
      {
        text: 'a "b"',
        confidence: 0.5,
        corners: [
          { x: 0, y: 0 },
          { x: 1, y: 0 },
          { x: 1, y: 0.5 },
          { x: 0, y: 0.5 },
        ],
      },
    ],
  }),
  'fields of people': itemOf({
    customMetadata: [{ name: 'n', type: 'string', value: 'v' }] as MediaRow['customMetadata'],
  }),
  frames: itemOf({ kind: 'FRAME', parentId: 'v', path: 'v.mp4/output_3.jpg', frameTimestamp: 2 }),
  'an image that could not be read': itemOf({}, { imageError: 'It is gone' }),
};

describe('the text of metadata items', () => {
  const texts = new MetadataTexts(INFO);

  it.each(Object.keys(ITEMS))('is their JSON: %s', (name) => {
    const expected = JSON.stringify(metadataItems(ITEMS[name]!, INFO));
    expect(texts.of(ITEMS[name]!)).toBe(expected);
    expect(texts.of(ITEMS[name]!)).toBe(expected);
  });

  it('is the same for more labels than are cached', () => {
    const item = itemOf({ labels: Array.from({ length: 10_010 }, (_, at) => `label ${at}`) });
    expect(texts.of(item)).toBe(JSON.stringify(metadataItems(item, INFO)));
  });
});
