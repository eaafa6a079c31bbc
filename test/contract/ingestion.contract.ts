import { dirname } from 'node:path';
import { filesForm, formOf } from '../support/api-client';
import { unknownDataset, UUID, type Route } from './contract-case';

export const INGESTION_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/ingestion/new_dataset',
    cases: [
      {
        it: 'returns the id of a draft',
        path: () => '/api/v1/ingestion/new_dataset?dataset_name=Draft%20two',
        status: 200,
        answers: () => ({ dataset_id: UUID }),
      },
      { it: 'requires a name', path: () => '/api/v1/ingestion/new_dataset', status: 400, detail: /dataset_name/ },
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/ingestion/roots',
    cases: [
      {
        it: 'lists the folders that may be read',
        path: () => '/api/v1/ingestion/roots',
        status: 200,
        answers: ({ folder }) => {
          const root = dirname(folder);
          return expect.objectContaining({
            path: null,
            parent: null,
            folders: [{ name: root, path: root }],
          }) as unknown;
        },
      },
      {
        it: 'lists the folders in one of them, in pages',
        path: ({ folder }) => `/api/v1/ingestion/roots?path=${encodeURIComponent(folder)}&limit=1`,
        status: 200,
        answers: ({ folder }) =>
          expect.objectContaining({
            path: folder,
            parent: dirname(folder),
            folders: [{ name: expect.any(String) as string, path: expect.any(String) as string }],
            is_complete: true,
            current_page: 0,
          }) as unknown,
      },
      {
        it: 'does not leave them',
        path: ({ folder }) => `/api/v1/ingestion/roots?path=${encodeURIComponent(`${folder}/../..`)}`,
        status: 403,
        detail: /is outside the folders that this service may read/,
      },
      {
        it: 'knows no home outside them',
        path: () => '/api/v1/ingestion/roots?path=~',
        status: 400,
        detail: /^~ is outside the folders that this service may read/,
      },
      {
        it: 'reports that there is no such folder',
        path: ({ folder }) => `/api/v1/ingestion/roots?path=${encodeURIComponent(`${folder}/nowhere`)}`,
        status: 404,
        detail: /^Nothing is at /,
      },
      {
        it: 'rejects what is no path of this machine',
        path: () => '/api/v1/ingestion/roots?path=s3://photos/&limit=0&page_number=x',
        status: 422,
        locations: [
          ['query', 'path'],
          ['query', 'page_number'],
          ['query', 'limit'],
        ],
      },
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/ingestion/{dataset_id}/data_files',
    cases: [
      {
        it: 'returns the number of a new transaction',
        path: (world) => `/api/v1/ingestion/${world.draft}/data_files`,
        status: 200,
        answers: () => ({ trans_id: expect.any(Number) as number }),
      },
      ...unknownDataset((id) => `/api/v1/ingestion/${id}/data_files`),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/ingestion/{dataset_id}/data_files/{transaction_id}',
    cases: [
      {
        it: 'requires the field files, not files[]',
        path: (world) => `/api/v1/ingestion/${world.draft}/data_files/${world.emptyTransaction}`,
        body: (world) => filesForm([{ name: 'a.jpg', bytes: world.picture }], 'files[]'),
        status: 422,
        locations: [['body', 'files']],
      },
      {
        it: 'requires at least one file',
        path: (world) => `/api/v1/ingestion/${world.draft}/data_files/${world.emptyTransaction}`,
        body: () => formOf({ other: 'x' }),
        status: 422,
        locations: [['body', 'files']],
      },
      {
        it: 'rejects an archive',
        path: (world) => `/api/v1/ingestion/${world.draft}/data_files/${world.emptyTransaction}`,
        body: (world) => filesForm([{ name: 'all.zip', bytes: world.picture }]),
        status: 400,
        detail: 'Unsupported file format: all.zip',
      },
      {
        it: 'rejects parent paths',
        path: (world) => `/api/v1/ingestion/${world.draft}/data_files/${world.emptyTransaction}`,
        body: (world) => filesForm([{ name: '../../a.jpg', bytes: world.picture }]),
        status: 400,
        detail: /a\.jpg/,
      },
      {
        it: 'rejects an unknown transaction',
        path: (world) => `/api/v1/ingestion/${world.draft}/data_files/2147483647`,
        body: (world) => filesForm([{ name: 'a.jpg', bytes: world.picture }]),
        status: 404,
        detail: 'Transaction not found',
      },
      {
        it: "does not take another dataset's transaction",
        path: (world) => `/api/v1/ingestion/${world.ready}/data_files/${world.emptyTransaction}`,
        body: (world) => filesForm([{ name: 'a.jpg', bytes: world.picture }]),
        status: 404,
        detail: 'Transaction not found',
      },
      {
        it: 'is closed once the transaction is processed',
        path: (world) => `/api/v1/ingestion/${world.processedDataset}/data_files/${world.processedTransaction}`,
        body: (world) => filesForm([{ name: 'a.jpg', bytes: world.picture }]),
        status: 409,
        detail: /has been processed already/,
      },
      ...unknownDataset((id) => `/api/v1/ingestion/${id}/data_files/1`),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/ingestion/folder_labels',
    cases: [
      {
        it: 'counts images and videos by folder',
        path: (world) => `/api/v1/ingestion/folder_labels?bucket_path=${encodeURIComponent(world.folder)}`,
        status: 200,
        answers: () => expect.objectContaining({ is_partial: false }) as unknown,
      },
      {
        it: 'says what cannot be read',
        path: () => '/api/v1/ingestion/folder_labels?bucket_path=/nowhere/at/all',
        status: 400,
        detail: /^Nothing can be read at \/nowhere\/at\/all: /,
      },
      {
        it: 'requires a path',
        path: () => '/api/v1/ingestion/folder_labels',
        status: 422,
        locations: [['query', 'bucket_path']],
      },
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/ingestion/{dataset_id}/process_files/{transaction_id}',
    cases: [
      {
        it: 'requires files first',
        path: (world) => `/api/v1/ingestion/${world.draft}/process_files/${world.emptyTransaction}`,
        status: 400,
        detail: /holds no files/,
      },
      {
        it: 'runs once',
        path: (world) => `/api/v1/ingestion/${world.processedDataset}/process_files/${world.processedTransaction}`,
        status: 409,
        detail: /has been processed already/,
      },
      {
        it: 'rejects an unknown transaction',
        path: (world) => `/api/v1/ingestion/${world.draft}/process_files/2147483647`,
        status: 404,
        detail: 'Transaction not found',
      },
      {
        it: 'requires true or false',
        path: (world) => `/api/v1/ingestion/${world.draft}/process_files/1?labels_from_folders=maybe`,
        status: 422,
        locations: [['query', 'labels_from_folders']],
      },
      {
        it: 'requires a number',
        path: (world) => `/api/v1/ingestion/${world.draft}/process_files/abc`,
        status: 422,
        locations: [['path', 'transaction_id']],
      },
      ...unknownDataset((id) => `/api/v1/ingestion/${id}/process_files/1`),
    ],
  },
];
