import { Module, type OnModuleInit } from '@nestjs/common';
import { AuditModule } from '../audit';
import { DatasetsModule } from '../datasets';
import { EventsModule } from '../events';
import { SearchModule } from '../search';
import { SettingsModule } from '../settings';
import { TaskActions, TasksModule } from '../tasks';
import { AnnotationFiles } from './annotation-files';
import { AddMediaFromLocationUseCase } from './add-media-from-location.use-case';
import { AddMediaUseCase } from './add-media.use-case';
import { ArrivedBatches } from './arrived-batches';
import { CreateDatasetFromPathUseCase } from './create-dataset-from-path.use-case';
import { CreateDraftUseCase } from './create-draft.use-case';
import { DeleteDatasetUseCase } from './delete-dataset.use-case';
import { AddMediaController } from './http/add-media.controller';
import { DatasetCreationController } from './http/dataset-creation.controller';
import { ReindexController } from './http/reindex.controller';
import { SyncController } from './http/sync.controller';
import { UploadController } from './http/upload.controller';
import { AddMediaJob } from './jobs/add-media.job';
import { AnalyzeFilesStep } from './jobs/analyze-files.step';
import { AppendRowsStep } from './jobs/append-rows.step';
import { BuildTableStep } from './jobs/build-table.step';
import { GrowthOperation } from './jobs/growth-operation';
import { DATASET_CREATION, IndexDatasetJob } from './jobs/index-dataset.job';
import { KnownFilesStep } from './jobs/known-files.step';
import { ListSourceStep } from './jobs/list-source.step';
import { RebuildStep } from './jobs/rebuild.step';
import { ReindexJob } from './jobs/reindex.job';
import { TakeInFilesStep } from './jobs/take-in-files.step';
import { ChunkJournalRepository } from './persistence/chunk-journal.repository';
import { QuarantineListReadModel } from './persistence/quarantine-list.read-model';
import { QuarantineRepository } from './persistence/quarantine.repository';
import { UploadRepository } from './persistence/upload.repository';
import { PipelineController } from './pipeline/pipeline.controller';
import { RunPipelineUseCase } from './pipeline/run-pipeline.use-case';
import { ProcessUploadUseCase } from './process-upload.use-case';
import { ReceiveAddedMediaUseCase } from './receive-added-media.use-case';
import { ReceiveUploadUseCase } from './receive-upload.use-case';
import { ReindexUseCase } from './reindex.use-case';
import { ManifestFiles } from './manifests/manifest-files';
import { SourceMedia } from './source-media';
import { RegisterGenerationStep } from './jobs/register-generation.step';
import { TaskWork } from './jobs/task-work';
import { CompareSourceStep } from './sync/compare-source.step';
import { MissingFiles } from './sync/missing-files';
import { OwnBatches } from './sync/own-batches';
import { RemoveRowsStep } from './sync/remove-rows.step';
import { SyncDatasetJob } from './sync/sync-dataset.job';
import { SyncDatasetUseCase } from './sync/sync-dataset.use-case';
import { DraftSweep } from './sweeps/draft.sweep';
import { GenerationSweep } from './sweeps/generation.sweep';
import { MediaSweep } from './sweeps/media.sweep';
import { SweepSchedule } from './sweeps/sweep.schedule';
import { UnknownTableSweep } from './sweeps/unknown-table.sweep';
import { WorkSweep } from './sweeps/work.sweep';

@Module({
  imports: [AuditModule, SettingsModule, DatasetsModule, EventsModule, TasksModule, SearchModule],
  controllers: [
    DatasetCreationController,
    UploadController,
    AddMediaController,
    ReindexController,
    SyncController,
    PipelineController,
  ],
  providers: [
    UploadRepository,
    QuarantineRepository,
    QuarantineListReadModel,
    ChunkJournalRepository,
    SourceMedia,
    AnnotationFiles,
    ManifestFiles,
    CreateDatasetFromPathUseCase,
    CreateDraftUseCase,
    ReceiveUploadUseCase,
    ProcessUploadUseCase,
    DeleteDatasetUseCase,
    ListSourceStep,
    AnalyzeFilesStep,
    TakeInFilesStep,
    BuildTableStep,
    IndexDatasetJob,
    AddMediaUseCase,
    AddMediaFromLocationUseCase,
    ReceiveAddedMediaUseCase,
    ReindexUseCase,
    RunPipelineUseCase,
    SyncDatasetUseCase,
    OwnBatches,
    CompareSourceStep,
    MissingFiles,
    RemoveRowsStep,
    SyncDatasetJob,
    ArrivedBatches,
    GrowthOperation,
    RegisterGenerationStep,
    TaskWork,
    KnownFilesStep,
    AppendRowsStep,
    RebuildStep,
    AddMediaJob,
    ReindexJob,
    DraftSweep,
    GenerationSweep,
    WorkSweep,
    MediaSweep,
    UnknownTableSweep,
    SweepSchedule,
  ],
  exports: [ArrivedBatches],
})
export class IngestionModule implements OnModuleInit {
  constructor(private readonly actions: TaskActions) {}

  onModuleInit(): void {
    this.actions.register(DATASET_CREATION);
  }
}
