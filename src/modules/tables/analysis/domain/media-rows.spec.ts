import type { Analysis, ImageAnalysis, VideoAnalysis } from '../../../../common/engine/compute/media-analysis';
import type { MediaRow } from '../../../../common/engine/media-table/media-row';
import { imageRows, videoRows } from './media-rows';

const FILE = { path: 'a/b.jpg', source: 'file:///a/b.jpg', size: 1_000, version: '"etag"' };

const ANALYSIS: Analysis = {
  mimeType: 'image/png',
  sizeBytes: 1_234,
  sha256: 'aa',
  width: 640,
  height: 480,
  perceptualHash: 'bb',
  sharpness: 12,
  meanIntensity: 34,
  thumbnailKey: 'thumbnails/a.webp',
  embedding: Float32Array.of(1, 0),
};
const IMAGE: ImageAnalysis = {
  ...ANALYSIS,
  kind: 'IMAGE',
  objects: [{ ...ANALYSIS, index: 0, box: { x: 0, y: 0, width: 0.5, height: 0.5 }, sha256: 'cc' }],
};
const VIDEO: VideoAnalysis = {
  kind: 'VIDEO',
  mimeType: 'video/mp4',
  sizeBytes: 5_678,
  sha256: 'dd',
  width: 320,
  height: 240,
  thumbnailKey: 'thumbnails/b.webp',
  durationSeconds: 5,
  frames: [{ ...ANALYSIS, timestamp: 2.5, imageKey: 'frames/a.jpg' }],
};

/** The values of an analysis for which the row has a column of the same name. */
const foundIn = (row: MediaRow, analysis: object): object =>
  Object.fromEntries(Object.entries(analysis).filter(([name]) => name in row && name !== 'kind'));

it('contain all values of an image and its objects', () => {
  const [image, object] = imageRows(FILE, IMAGE, { annotation: undefined, folders: ['boats'] }, 'batch');
  expect(image).toMatchObject({ ...foundIn(image!, IMAGE), labels: ['boats'] });
  expect(object).toMatchObject({ ...foundIn(object!, IMAGE.objects[0]!), parentId: image!.id });
});

it('contain all values of a video and its frames', () => {
  const [video, frame] = videoRows(FILE, VIDEO, ['boats'], 'batch');
  expect(video).toMatchObject(foundIn(video!, VIDEO));
  expect(frame).toMatchObject({
    ...foundIn(frame!, VIDEO.frames[0]!),
    frameTimestamp: 2.5,
    parentId: video!.id,
    labels: ['boats'],
  });
  expect(video!.labels).toEqual([]);
});
