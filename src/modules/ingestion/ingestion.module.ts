import { Module, type FactoryProvider, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ComputePool } from '../../common/engine/compute/compute-pool';
import { RayJobs } from '../../common/engine/ray/ray-jobs';
import { RaySteps } from '../../common/engine/ray/ray-steps';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../common/platform/storage/storage.module';
import { DatasetsModule } from '../datasets';
import { SearchModule } from '../search';
import { SettingsModule } from '../settings';
import { SnapshotRecordsModule } from '../snapshots/records';
import { TaskActions, TasksModule } from '../tasks';
import { AnnotationFiles } from './annotations/annotation-files';
import { AddMediaFromLocationUseCase } from './add/add-media-from-location.use-case';
import { AddMediaUseCase } from './add/add-media.use-case';
import { AddedBatches } from './update/added-batches';
import { BatchModels } from './update/batch-models';
import { CreateDatasetFromPathUseCase } from './create/create-dataset-from-path.use-case';
import { FolderLabelCounts } from './create/folder-label-counts';
import { CreateDraftUseCase } from './create/create-draft.use-case';
import { QuarantineController } from './indexing/http/quarantine.controller';
import { AddMediaController } from './add/http/add-media.controller';
import { DatasetCreationController } from './create/http/dataset-creation.controller';
import { ReindexController } from './reindex/http/reindex.controller';
import { SyncController } from './sync/http/sync.controller';
import { UploadController } from './create/http/upload.controller';
import { AddMediaJob } from './add/add-media.job';
import { AnalyzeFilesStep } from './indexing/analyze-files.step';
import { KeptParts } from './indexing/kept-parts';
import { AnalyzePart } from './indexing/analyze-part';
import { AnalyzePartJob } from './indexing/analyze-part.job';
import { PART_ENGINE, type PartEngine } from './indexing/part-engine';
import { PartRecords } from './indexing/part-records';
import { QueuedParts } from './indexing/queued-parts';
import { NEIGHBOUR_ENGINE, type NeighbourEngine } from './indexing/neighbour-engine';
import { RayNeighbours } from './indexing/ray-neighbours';
import { RayParts } from './indexing/ray-parts';
import { SharedAnnotations } from './indexing/shared-annotations';
import { AnalyzePartStep } from './indexing/steps/analyze-part';
import { AppendRowsStep } from './update/append-rows.step';
import { BuildTableStep } from './indexing/build-table.step';
import { CompareRowsStep } from './indexing/compare-rows.step';
import { UpdateOperation } from './update/update-operation';
import { DATASET_CREATION, IndexDatasetJob } from './create/index-dataset.job';
import { KnownFilesStep } from './update/known-files.step';
import { ListSourceStep } from './indexing/list-source.step';
import { RebuildStep } from './update/rebuild.step';
import { ReindexJob } from './reindex/reindex.job';
import { IngestFilesStep } from './indexing/ingest-files.step';
import { ingestionPersistence } from './persistence';
import { ChunkJournalRepository } from './persistence/chunk-journal.repository';
import { QuarantineListReadModel } from './persistence/quarantine-list.read-model';
import { QuarantineRepository } from './persistence/quarantine.repository';
import { UploadRepository } from './persistence/upload.repository';
import { PipelineController } from './pipeline/http/pipeline.controller';
import { RunPipelineUseCase } from './pipeline/run-pipeline.use-case';
import { ProcessUploadUseCase } from './create/process-upload.use-case';
import { AddUploadedMediaUseCase } from './add/add-uploaded-media.use-case';
import { ReceiveUploadUseCase } from './create/receive-upload.use-case';
import { ReindexUseCase } from './reindex/reindex.use-case';
import { ArchiveFiles } from './uploads/archive-files';
import { ManifestFiles } from './sources/manifests/manifest-files';
import { FolderListReader } from './sources/folder-list.reader';
import { FolderController } from './sources/http/folder.controller';
import { SourceMedia } from './sources/source-media';
import { RemoveRowsStep } from './indexing/remove-rows.step';
import { RewriteRowsStep } from './indexing/rewrite-rows.step';
import { ObjectCrops } from './indexing/object-crops';
import { RegisterGenerationStep } from './indexing/register-generation.step';
import { TaskRunner } from './indexing/task-runner';
import { CompareSourceStep } from './sync/compare-source.step';
import { MissingFiles } from './sync/missing-files';
import { OwnBatches } from './sync/own-batches';
import { SyncDatasetJob } from './sync/sync-dataset.job';
import { SyncDatasetUseCase } from './sync/sync-dataset.use-case';
import { DraftSweep } from './sweeps/draft.sweep';
import { GenerationSweep } from './sweeps/generation.sweep';
import { MediaSweep } from './sweeps/media.sweep';
import { SweepSchedule } from './sweeps/sweep.schedule';
import { UnknownTableSweep } from './sweeps/unknown-table.sweep';
import { WorkSweep } from './sweeps/work.sweep';

const analyzePartStep: FactoryProvider<AnalyzePartStep> = {
  provide: AnalyzePartStep,
  inject: [OBJECT_STORE, ComputePool, SharedAnnotations],
  useFactory: (store: ObjectStore, pool: ComputePool, annotations: SharedAnnotations) =>
    new AnalyzePartStep({ store, pool, annotations }),
};

const raySteps: FactoryProvider<RaySteps | null> = {
  provide: RaySteps,
  inject: [CONFIGURATION, OBJECT_STORE],
  useFactory: ({ ray, callTimeoutMs: timeoutMs }: Configuration, store: ObjectStore) =>
    ray === null ? null : new RaySteps(store, new RayJobs({ ...ray, timeoutMs }), { processors: ray.runnerProcessors }),
};

const partEngine: FactoryProvider<PartEngine> = {
  provide: PART_ENGINE,
  inject: [RaySteps, QueuedParts, ChunkJournalRepository, AnalyzePart, PartRecords],
  useFactory: (
    steps: RaySteps | null,
    queued: QueuedParts,
    ...parts: [ChunkJournalRepository, AnalyzePart, PartRecords]
  ) => (steps === null ? queued : new RayParts(steps, ...parts)),
};

const neighbourEngine: FactoryProvider<NeighbourEngine | null> = {
  provide: NEIGHBOUR_ENGINE,
  inject: [RaySteps, OBJECT_STORE],
  useFactory: (steps: RaySteps | null, store: ObjectStore) => steps && new RayNeighbours(steps, store),
};

@Module({
  imports: [
    TypeOrmModule.forFeature(ingestionPersistence.entities),
    SettingsModule,
    DatasetsModule,
    SnapshotRecordsModule,
    TasksModule,
    SearchModule,
  ],
  controllers: [
    DatasetCreationController,
    UploadController,
    FolderController,
    QuarantineController,
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
    FolderListReader,
    AnnotationFiles,
    ManifestFiles,
    ArchiveFiles,
    CreateDatasetFromPathUseCase,
    FolderLabelCounts,
    CreateDraftUseCase,
    ReceiveUploadUseCase,
    ProcessUploadUseCase,
    ListSourceStep,
    SharedAnnotations,
    analyzePartStep,
    PartRecords,
    AnalyzePart,
    KeptParts,
    AnalyzePartJob,
    QueuedParts,
    raySteps,
    partEngine,
    neighbourEngine,
    AnalyzeFilesStep,
    IngestFilesStep,
    BuildTableStep,
    CompareRowsStep,
    IndexDatasetJob,
    AddMediaUseCase,
    AddMediaFromLocationUseCase,
    AddUploadedMediaUseCase,
    ReindexUseCase,
    RunPipelineUseCase,
    SyncDatasetUseCase,
    OwnBatches,
    CompareSourceStep,
    MissingFiles,
    RemoveRowsStep,
    SyncDatasetJob,
    AddedBatches,
    BatchModels,
    UpdateOperation,
    RegisterGenerationStep,
    RewriteRowsStep,
    ObjectCrops,
    TaskRunner,
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
  exports: [
    AddedBatches,
    AnnotationFiles,
    BatchModels,
    BuildTableStep,
    ChunkJournalRepository,
    CompareRowsStep,
    ObjectCrops,
    RegisterGenerationStep,
    RemoveRowsStep,
    RewriteRowsStep,
    TaskRunner,
    QuarantineRepository,
  ],
})
export class IngestionModule implements OnModuleInit {
  constructor(private readonly actions: TaskActions) {}

  onModuleInit(): void {
    this.actions.register(DATASET_CREATION);
  }
}
