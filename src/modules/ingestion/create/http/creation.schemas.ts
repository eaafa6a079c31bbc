import type { ApiBodyOptions } from '@nestjs/swagger';
import { z } from 'zod';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { datasetPath, wholeNumber } from '../../../../common/platform/http/query-values';

const datasetName = z
  .string()
  .trim()
  .min(1, { error: 'Input should not be empty' })
  .max(255, { error: 'Input should be at most 255 characters' });

export const newDatasetQuery = z.object({
  dataset_name: datasetName.meta({ description: '1 to 255 characters.', example: 'Harbour' }),
});
export type NewDatasetQuery = z.infer<typeof newDatasetQuery>;

export const createDatasetForm = z
  .object({ dataset_name: datasetName, bucket_path: z.string().trim().min(1).max(4096) })
  .meta({ example: { dataset_name: 'Harbour', bucket_path: EXAMPLE.folder } });

export const createDatasetFormDescription = z.toJSONSchema(createDatasetForm) as Extract<
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

export const datasetIdResponse = z
  .object({ dataset_id: z.uuid() })
  .meta({ id: 'DatasetId', example: { dataset_id: EXAMPLE.dataset } });
export const transactionResponse = z
  .object({ trans_id: z.int() })
  .meta({ id: 'UploadTransaction', example: { trans_id: EXAMPLE.transaction } });
