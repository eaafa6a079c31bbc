import { filesForm, formOf } from '../support/api-client';
import { unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

const path = (id: string, query = ''): string => `/api/v1/dataset/${id}/search-image-similarity?${query}`;
const pictureForm = ({ picture }: World, field = 'file'): FormData =>
  filesForm([{ name: 'query.jpg', bytes: picture }], field);
const box = (text: string): string => `entity_type=IMAGES&bounding_box=${encodeURIComponent(text)}`;

export const ANCHORS_CONTRACT: readonly Route[] = [
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/search-image-similarity',
    cases: [
      ...[
        'entity_type=IMAGES',
        'entity_type=OBJECTS&threshold=4',
        box('{"x":0.5,"y":0.5,"width":0.5,"height":0.5}'),
      ].map((query): Case => ({
        it: `answers an anchor for ${decodeURIComponent(query)}`,
        path: (world) => path(world.ready, query),
        body: (world) => pictureForm(world),
        status: 200,
        answers: () => ({ anchor_media_id: UUID, anchor_type: 'UPLOAD' }),
      })),
      ...['', 'entity_type=', 'entity_type=images', 'entity_type=VIDEOS', 'entity_type=IMAGES&entity_type=OBJECTS'].map(
        (query): Case => ({
          it: `requires an entity type, not '${query}'`,
          path: (world) => path(world.ready, query),
          body: (world) => pictureForm(world),
          status: 400,
          detail: 'entity_type is required: one of IMAGES, OBJECTS',
        }),
      ),
      ...['', '0,0,2048,1536', '{"x":0,"y":0,"width":2,"height":1}', '{"x":0,"y":0,"width":0,"height":1}'].map(
        (text): Case => ({
          it: `rejects the region '${text}'`,
          path: (world) => path(world.ready, box(text)),
          body: (world) => pictureForm(world),
          status: 400,
          detail: /^bounding_box is not valid/,
        }),
      ),
      ...['5', '-1', 'x'].map((threshold): Case => ({
        it: `rejects the threshold ${threshold}`,
        path: (world) => path(world.ready, `entity_type=IMAGES&threshold=${threshold}`),
        body: (world) => pictureForm(world),
        status: 422,
        locations: [['query', 'threshold']],
      })),
      {
        it: 'requires the field file',
        path: (world) => path(world.ready, 'entity_type=IMAGES'),
        body: (world) => pictureForm(world, 'files'),
        status: 422,
        locations: [['body', 'file']],
      },
      {
        it: 'requires a file in the form',
        path: (world) => path(world.ready, 'entity_type=IMAGES'),
        body: () => formOf({ other: 'x' }),
        status: 400,
        detail: "No image was sent: it goes into the form field 'file'",
      },
      {
        it: 'requires a form',
        path: (world) => path(world.ready, 'entity_type=IMAGES'),
        status: 400,
        detail: "No image was sent: it goes into the form field 'file'",
      },
      {
        it: 'says why an image is of no use',
        path: (world) => path(world.ready, 'entity_type=IMAGES'),
        body: () => filesForm([{ name: 'a.jpg', bytes: new TextEncoder().encode('not a picture') }], 'file'),
        status: 400,
        detail: /^The image can't be searched with \(unsupported\): /,
      },
      {
        it: 'requires a dataset that is READY',
        path: (world) => path(world.draft, 'entity_type=IMAGES'),
        body: (world) => pictureForm(world),
        status: 409,
        detail: "Operation 'visual_search' needs a dataset that is READY; this one is DRAFT",
      },
      ...unknownDataset((id) => path(id, 'entity_type=IMAGES')),
    ],
  },
];
