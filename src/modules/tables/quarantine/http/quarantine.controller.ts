import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { datasetPath, formatTimestamp } from '../../../../common/platform/http/query-values';
import { QuarantineListReadModel } from '../../persistence/quarantine-list.read-model';
import { quarantineQuery, quarantineResponse, type QuarantineQuery } from './quarantine.schemas';

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
