import { z } from 'zod';
import { wholeNumber } from '../../../../common/platform/http/query-values';

export const quarantineQuery = z.object({
  page: wholeNumber(1, 1_000_000_000).default(1).describe('From 1.'),
  page_size: wholeNumber(1, 1000).default(100).describe('Files per page, 1 to 1000.'),
});
export type QuarantineQuery = z.infer<typeof quarantineQuery>;

export const quarantineResponse = z
  .object({
    files: z.array(z.object({ file: z.string(), reason: z.string(), detail: z.string(), quarantined_at: z.string() })),
    total: z.int(),
    page: z.int(),
    page_size: z.int(),
  })
  .meta({
    id: 'Quarantine',
    example: {
      files: [
        {
          file: 'boats/broken.jpg',
          reason: 'unsupported',
          detail: 'The file is not in a supported image or video format.',
          quarantined_at: '2026-11-24T09:32:10.500000',
        },
      ],
      total: 1,
      page: 1,
      page_size: 100,
    },
  });
