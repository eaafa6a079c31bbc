import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Metrics } from '../../common/platform/observability/metrics';
import { AuditModule } from '../audit';
import { SettingsModule } from '../settings';
import { WorkspacesModule } from '../workspaces';
import { DatasetCopies, DatasetOwnership } from './dataset-ownership';
import { DatasetSharesReader, ShareDatasetUseCase } from './share-dataset.use-case';
import { DatasetReader } from './dataset.reader';
import { DeleteDatasetUseCase, DescribeDatasetUseCase } from './delete-dataset.use-case';
import { DatasetController } from './http/dataset.controller';
import { DatasetPresenter } from './http/dataset.presenter';
import { SharingController } from './http/sharing.controller';
import { datasetsPersistence } from './persistence/schema';
import { DatasetMemberRepository } from './persistence/dataset-member.repository';
import { DatasetStates } from './persistence/dataset-states';
import { DatasetRepository } from './persistence/dataset.repository';
import { DatasetWriter } from './persistence/dataset.writer';
import { GenerationRepository } from './persistence/generation.repository';
import { LabelSetRepository } from './persistence/label-set.repository';
import { MetadataFieldRepository } from './persistence/metadata-field.repository';
import { RemovedFilesRepository } from './persistence/removed-files.repository';

const OFFERED = [
  DatasetCopies,
  DatasetReader,
  DatasetWriter,
  DatasetStates,
  DatasetOwnership,
  DeleteDatasetUseCase,
  GenerationRepository,
  MetadataFieldRepository,
  RemovedFilesRepository,
  LabelSetRepository,
];

@Module({
  imports: [TypeOrmModule.forFeature(datasetsPersistence.entities), AuditModule, SettingsModule, WorkspacesModule],
  controllers: [DatasetController, SharingController],
  providers: [
    DatasetRepository,
    DatasetMemberRepository,
    DatasetSharesReader,
    ShareDatasetUseCase,
    DescribeDatasetUseCase,
    DatasetPresenter,
    ...OFFERED,
  ],
  exports: OFFERED,
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
