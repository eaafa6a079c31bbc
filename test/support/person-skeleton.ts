/** A category of COCO. */
export const PERSON = {
  id: 1,
  name: 'person',
  keypoints: ['head', 'hip', 'foot'],
  skeleton: [
    [1, 2],
    [2, 3],
  ],
};
