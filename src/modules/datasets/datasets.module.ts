import { Module, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '../../common/observability/metrics';
import { DatasetReader } from './dataset.reader';
import { DatasetController } from './http/dataset.controller';
import { DatasetPresenter } from './http/dataset.presenter';
import { DatasetRepository } from './persistence/dataset.repository';
import { GenerationRepository } from './persistence/generation.repository';
import { SnapshotRepository } from './persistence/snapshot.repository';

@Module({
  controllers: [DatasetController],
  providers: [DatasetRepository, GenerationRepository, SnapshotRepository, DatasetReader, DatasetPresenter],
  exports: [DatasetReader, DatasetRepository, GenerationRepository, SnapshotRepository],
})
export class DatasetsModule implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly generations: GenerationRepository,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('media_table_rows', 'Rows of all media tables', [], async () => [
      { labels: {}, value: (await this.generations.totals()).rows },
    ]);
    this.metrics.gauge('media_table_bytes', 'Bytes of all media tables', [], async () => [
      { labels: {}, value: (await this.generations.totals()).bytes },
    ]);
  }
}
