import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatasetsModule } from '../datasets';
import { BatchModels, TablesModule } from '../tables';
import { SearchModule } from '../search';
import { SettingsModule } from '../settings';
import { VersionsModule } from '../versions';
import { SnapshotsModule } from '../snapshots';
import { TasksModule } from '../tasks';
import { AbortEnrichmentUseCase, EnrichDatasetUseCase } from './enrich-dataset.use-case';
import { ApplyModelStep } from './apply/apply-model.step';
import { EnrichDatasetJob } from './apply/enrich-dataset.job';
import { BaseTables } from './apply/base-tables';
import { EnrichBatch } from './apply/enrich-batch';
import { PictureModels } from './apply/picture-models';
import { WriteCopyStep } from './apply/write-copy.step';
import { EnrichmentStatusReader } from './enrichment-status.reader';
import { FindingsReader } from './findings.reader';
import { EnrichmentController } from './http/enrichment.controller';
import { ModelList, ModelWatch } from './model-list';
import { EnrichmentPreviews } from './preview-enrichment.service';
import { enrichmentPersistence } from './persistence/schema';
import { AppliedChunkRepository } from './persistence/applied-chunk.repository';

@Module({
  imports: [
    TypeOrmModule.forFeature(enrichmentPersistence.entities),
    SettingsModule,
    DatasetsModule,
    TasksModule,
    TablesModule,
    SearchModule,
    SnapshotsModule,
    VersionsModule,
  ],
  controllers: [EnrichmentController],
  providers: [
    ModelList,
    ModelWatch,
    PictureModels,
    AppliedChunkRepository,
    BaseTables,
    ApplyModelStep,
    EnrichBatch,
    WriteCopyStep,
    EnrichDatasetJob,
    EnrichDatasetUseCase,
    EnrichmentStatusReader,
    FindingsReader,
    EnrichmentPreviews,
    AbortEnrichmentUseCase,
  ],
})
export class EnrichmentModule implements OnModuleInit {
  constructor(
    private readonly batchModels: BatchModels,
    private readonly enrichBatch: EnrichBatch,
  ) {}

  onModuleInit(): void {
    this.batchModels.register(this.enrichBatch);
  }
}
