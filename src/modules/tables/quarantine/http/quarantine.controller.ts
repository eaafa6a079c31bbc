import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { datasetPath, wholeNumber, formatTimestamp } from '../../../../common/platform/http/query-values';
import { QuarantineListReadModel } from '../../persistence/quarantine-list.read-model';

const quarantineQuery = z.object({
  page: wholeNumber(1, 1_000_000_000).default(1).describe('From 1.'),
  page_size: wholeNumber(1, 1000).default(100).describe('Files per page, 1 to 1000.'),
});
type QuarantineQuery = z.infer<typeof quarantineQuery>;

const quarantineResponse = z
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

@ApiTags('Datasets')
@Controller('api/v1/dataset/:dataset_id/quarantine')
export class QuarantineController {
  constructor(private readonly quarantine: QuarantineListReadModel) {}

  @Get()
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The files that could not be ingested, with the reasons' })
  @ApiOkResponse({ standardSchema: quarantineResponse })
  async list(
    @Param({ schema: datasetPath }) path: z.infer<typeof datasetPath>,
    @Query({ schema: quarantineQuery }) { page, page_size }: QuarantineQuery,
  ): Promise<z.infer<typeof quarantineResponse>> {
    const { files, total } = await this.quarantine.page(path.dataset_id, (page - 1) * page_size, page_size);
    return {
      files: files.map((file) => ({
        file: file.path,
        reason: file.reason,
        detail: file.detail,
        quarantined_at: formatTimestamp(file.quarantinedAt),
      })),
      total,
      page,
      page_size,
    };
  }
}
