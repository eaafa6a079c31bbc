import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { DatasetReader, MetadataFieldRepository } from '../datasets';
import type { ExportInfo } from './archive/archive-format';
import type { RunningExport } from './domain/export';

/** What an archive says of its dataset. */
@Injectable()
export class ExportInfoReader {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Pick<Configuration, 'baseUrl'>,
    private readonly datasets: DatasetReader,
    private readonly fields: MetadataFieldRepository,
  ) {}

  async of({ datasetId, exportedBy, entitiesCount, embeddingModel }: RunningExport): Promise<ExportInfo> {
    const { displayName, createdAt, pointer } = await this.datasets.get(datasetId);
    return {
      datasetId,
      datasetName: displayName,
      datasetCreatedAt: createdAt,
      exportedAt: new Date(),
      exportedBy,
      baseUrl: this.configuration.baseUrl,
      items: entitiesCount,
      embeddingModel,
      enrichments: pointer?.enrichments ?? {},
      fields: await this.fields.list(datasetId),
    };
  }
}
