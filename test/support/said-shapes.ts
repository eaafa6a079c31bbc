import { textOfRuns } from '../../src/common/engine/annotations/mask-runs';

export const SAID_LABEL = 'a <b> & "c"';

/** An annotation of each kind, in pictures of 160 by 120 pixels. */
export const SAID_SHAPES = [
  {
    ...{ file_name: '0.jpg', id: 'box-1', label: SAID_LABEL, confidence: 0.125, track_id: '7' },
    shape: { type: 'box', x: 16, y: 12, width: 40, height: 30 },
    attributes: { occluded: true },
  },
  {
    ...{ file_name: '0.jpg', id: 'mask-1', label: SAID_LABEL, crowd: true },
    shape: { type: 'mask', width: 160, height: 120, counts: textOfRuns([200, 1000, 18_000]) },
  },
  { file_name: '0.jpg', id: 'label-1', label: 'harbour' },
  { file_name: '1.jpg', id: 'polygon-1', label: 'x', shape: { type: 'polygon', rings: [[0, 0, 9, 0, 9, 9]] } },
  { file_name: '1.jpg', id: 'points-1', label: 'p', shape: { type: 'keypoints', points: [1, 2, 2, 5, 6, 1] } },
];
