import type { ApiBodyOptions } from '@nestjs/swagger';
import { z } from 'zod';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { booleanText, datasetPath, wholeNumber } from '../../../../common/platform/http/query-values';

const datasetName = z
  .string()
  .trim()
  .min(1, { error: 'Input should not be empty' })
  .max(255, { error: 'Input should be at most 255 characters' });

export const newDatasetQuery = z.object({
  dataset_name: datasetName.meta({ description: '1 to 255 characters.', example: 'Harbour' }),
});

const labelsFromFolders = booleanText.default(false).meta({
  description:
    'Whether images and frames are labelled with the name of the folder of their file, in addition to the labels of annotation files; also those that are added later.',
  example: true,
});

const bucketPath = z.string().trim().min(1).max(4096);

export const createDatasetForm = z
  .object({ dataset_name: datasetName, bucket_path: bucketPath, labels_from_folders: labelsFromFolders })
  .meta({ example: { dataset_name: 'Harbour', bucket_path: EXAMPLE.folder } });

export const createDatasetFormDescription = z.toJSONSchema(createDatasetForm, { io: 'input' }) as Extract<
  ApiBodyOptions,
  { schema: unknown }
>['schema'];

export const transactionPath = datasetPath.extend({
  transaction_id: wholeNumber(0, 2_147_483_647).meta({
    description: 'The transaction of an upload.',
    example: EXAMPLE.transaction,
  }),
});
export type TransactionPath = z.infer<typeof transactionPath>;

export const processFilesQuery = z.object({ labels_from_folders: labelsFromFolders });
export type ProcessFilesQuery = z.output<typeof processFilesQuery>;

export const folderLabelsQuery = z.object({
  bucket_path: bucketPath.meta({ description: 'As for the creation of a dataset.', example: EXAMPLE.folder }),
});
export type FolderLabelsQuery = z.output<typeof folderLabelsQuery>;

export const folderLabelsResponse = z
  .object({
    labels: z
      .array(z.object({ value: z.string(), count: z.int() }))
      .describe('The 100 most frequent names of folders, with the number of their images and videos.'),
    labels_total: z.int(),
    files: z.int().describe('The images and videos that were looked at.'),
    is_partial: z.boolean().describe('Whether there are more: the first 10,000 are looked at.'),
  })
  .meta({
    id: 'FolderLabels',
    example: { labels: [{ value: 'boats', count: 640 }], labels_total: 1, files: 640, is_partial: false },
  });

export const datasetIdResponse = z
  .object({ dataset_id: z.uuid() })
  .meta({ id: 'DatasetId', example: { dataset_id: EXAMPLE.dataset } });
export const transactionResponse = z
  .object({ trans_id: z.int() })
  .meta({ id: 'UploadTransaction', example: { trans_id: EXAMPLE.transaction } });
