import { filesForm, formOf } from '../support/api-client';
import { zipOf } from '../support/archive-bytes';
import { unknownDataset, type Case, type Route, type World } from './contract-case';

const ONE_SOURCE = 'Exactly one media source must be provided: files[], s3_uri, or archive';

const path = (world: World): string => `/api/v1/dataset/${world.ready}/add_media`;

const archiveForm = (name: string, bytes: Uint8Array): FormData => filesForm([{ name, bytes }], 'archive');

function withFile(fields: Readonly<Record<string, string>>, world: World): FormData {
  const form = formOf(fields);
  form.append('files', new Blob([new Uint8Array(world.picture)]), 'a.jpg');
  return form;
}

const wrongField = (field: string, value: string): Case => ({
  it: `requires ${field} to be well formed, not ${value}`,
  path,
  body: (world) => withFile({ [field]: value }, world),
  status: 422,
  locations: [['body', field]],
});

const refusedArchive = (it: string, name: string, members: Parameters<typeof zipOf>[0], detail: RegExp): Case => ({
  it,
  path,
  body: () => archiveForm(name, zipOf(members)),
  status: 400,
  detail,
});

const nothingAt = (it: string, uri: (world: World) => string, reason?: RegExp): Case => ({
  it,
  path,
  body: (world) => formOf({ s3_uri: uri(world) }),
  status: 400,
  detail: /^Invalid S3 URI or no media files found at \S+$/,
  ...(reason === undefined ? {} : { reason }),
});

export const ADD_MEDIA_CONTRACT: readonly Route[] = [
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/add_media',
    cases: [
      { it: 'requires a source', path, body: () => formOf({ auto_reindex: 'true' }), status: 400, detail: ONE_SOURCE },
      { it: 'requires a body', path, status: 400, detail: ONE_SOURCE },
      {
        it: 'requires a source that is not empty',
        path,
        body: () => formOf({ s3_uri: ' ' }),
        status: 400,
        detail: ONE_SOURCE,
      },
      {
        it: 'rejects a second source',
        path,
        body: (world) => withFile({ s3_uri: world.folder }, world),
        status: 400,
        detail: ONE_SOURCE,
      },
      {
        it: 'rejects files together with an archive',
        path,
        body: (world) => {
          const form = archiveForm('a.zip', zipOf([{ name: 'a.jpg', bytes: world.picture }]));
          form.append('files', new Blob([new Uint8Array(world.picture)]), 'a.jpg');
          return form;
        },
        status: 400,
        detail: ONE_SOURCE,
      },
      {
        it: 'requires a form',
        path,
        body: () => ({ s3_uri: 's3://bucket' }),
        status: 422,
        locations: [['body']],
      },
      {
        it: 'requires the field files, not files[]',
        path,
        body: (world) => filesForm([{ name: 'a.jpg', bytes: world.picture }], 'files[]'),
        status: 422,
        locations: [['body', 'files[]']],
      },
      {
        it: 'requires a file in the field files',
        path,
        body: () => formOf({ files: 'a.jpg' }),
        status: 422,
        locations: [['body', 'files']],
      },
      wrongField('auto_reindex', 'maybe'),
      wrongField('use_spot', '2'),
      wrongField('batch_n_videos', '-1'),
      wrongField('batch_n_images', 'many'),
      wrongField('batch_n_objects', '1.5'),
      wrongField('assume_role', 'admin'),
      {
        it: 'rejects other formats',
        path,
        body: () => filesForm([{ name: 'a.pdf', bytes: Buffer.from('x') }]),
        status: 400,
        detail: 'Unsupported file format: a.pdf',
      },
      {
        it: 'rejects other kinds of archives',
        path,
        body: () => archiveForm('a.rar', Buffer.from('x')),
        status: 400,
        detail: 'Unsupported file format: a.rar',
      },
      {
        it: 'rejects parent paths',
        path,
        body: (world) => filesForm([{ name: '../a.jpg', bytes: world.picture }]),
        status: 400,
        detail: /leads through '\.\.'/,
      },
      refusedArchive(
        'rejects an archive with parent paths',
        'a.zip',
        [{ name: '../a.jpg' }],
        /^The archive can't be taken in: its member "\.\.\/a\.jpg" leads through '\.\.'$/,
      ),
      refusedArchive(
        'rejects an encrypted archive',
        'a.zip',
        [{ name: 'a.jpg', flags: 1 }],
        /its member "a\.jpg" is encrypted$/,
      ),
      refusedArchive(
        'rejects an archive without media',
        'a.zip',
        [{ name: 'a.txt' }],
        /^No media files found in a\.zip$/,
      ),
      {
        it: 'rejects a file that is not an archive',
        path,
        body: () => archiveForm('a.tar.gz', Buffer.from('not an archive')),
        status: 400,
        detail: "The archive can't be taken in: it is neither a zip nor a tar",
      },
      nothingAt('requires media in the folder', (world) => world.emptyFolder),
      nothingAt('requires an existing folder', (world) => `${world.folder}/none`, /^Nothing is at /),
      nothingAt('requires a folder that may be read', () => '/etc', /MEDIA_ROOTS/),
      nothingAt('requires a bucket that may be read', () => 's3://other-bucket/x', /MEDIA_BUCKETS/),
      nothingAt('requires an address', () => 'http://example.com/x'),
      nothingAt('requires an address without a role in it', () => 's3://arn%3Aaws@bucket/x'),
      {
        it: 'requires a dataset that was indexed',
        path: (world) => `/api/v1/dataset/${world.draft}/add_media`,
        body: (world) => filesForm([{ name: 'a.jpg', bytes: world.picture }]),
        status: 400,
        detail: /^Dataset [0-9a-f-]{36} has no embedding_config/,
      },
      ...unknownDataset((id) => `/api/v1/dataset/${id}/add_media`),
    ],
  },
];
