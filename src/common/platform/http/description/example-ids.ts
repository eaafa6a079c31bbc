/** Ids and folders in the examples of the API description. */
export const EXAMPLE = {
  dataset: '5b1f0c9e-6f0c-4c52-9a43-1f6f3f7f2a10',
  otherDataset: '0a9d2c4b-8e1d-4f7a-b6a5-3c2e1d0f9b8a',
  task: 'c7d8e9f0-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
  metadataTask: '1d7c5b3a-9e8f-4a6b-b5c4-d3e2f1a0b9c8',
  media: '2743066e-6ea5-453a-9436-7977fd385503',
  otherMedia: '48f211b7-ed8d-4017-a979-cee808f70170',
  cluster: 'f12a5372-0338-8271-bd5f-065200000000',
  batch: '9c1e5a70-3b7d-4e0a-8f26-d4b7a9c31e55',
  anchor: 'a81b4ce6-74f9-485a-86de-9f408a7b69da',
  tag: 'c3965308-2156-47d5-8964-08f809b8505a',
  view: '93e3a872-f5f0-473c-9b6e-475d0cb6d31a',
  snapshot: 'ac559ecd-912c-4de2-83ff-459a9a496c5c',
  exportTask: '0f5c8543-15f7-4e19-bdcd-32fceb90ad24',
  change: '4f6a1c2e-7b3d-4e58-9c10-2d3e4f5a6b7c',
  otherChange: '8e2b7d90-5c4f-4a31-8b6e-9f0a1b2c3d4e',
  decision: 'b7d20c4e-6a1f-4f83-9e25-1c8d7e6f5a4b',
  webhook: '9f1f9772-9c36-46dd-82b0-c3175083b840',
  delivery: '7e0b6a52-4d7f-4a1e-9c83-21b5f6d8e904',
  notification: 'd41f2b6c-9a3e-4c58-8b70-6e5d4c3b2a19',
  reviewQueue: '3f6b1d8c-52a7-4e09-8c4d-7b1a90e2d6f5',
  reviewItem: '8a0c4e61-7d3b-4f92-a5e8-1c6f9b2d7043',
  evaluation: '6c2f9a1e-83d4-4b57-a0c9-5e7d1b3f8246',
  otherEvaluation: '2b7e4d90-1f6c-4a85-9e3d-c8a05f7b6142',
  reviewComment: 'e5d2a7b4-0f18-4c6a-9b37-84d1c0f6e29a',
  context: '40088cc8-ed67-8101-8845-75daf6904f26',
  user: '6a0f4e2d-1c8b-4b7e-9d35-8f7e6d5c4b3a',
  member: 'b2c4d6e8-f0a1-4b3c-8d5e-7f9a1b3c5d7e',
  folder: '/data/harbour',
  otherFolder: '/data/harbour-november',
  transaction: 4711,
  workspace: '00000000-0000-0000-0000-000000000001',
} as const;

const SIGNED = '?expires=1795564800&type=image%2Fjpeg&signature=deVHn45PL7cpTvy-2qENCU5K5YmCHu3fjZiZEVSvB6U';

/** A signed URL of a picture, as shown in examples. */
export const exampleUri = (path: string): string => `http://127.0.0.1:3000/api/v1/media/${path}${SIGNED}`;
