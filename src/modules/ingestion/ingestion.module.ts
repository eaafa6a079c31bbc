import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatasetsModule } from '../datasets';
import { SettingsModule } from '../settings';
import { SnapshotRecordsModule } from '../snapshots/records';
import { TablesModule } from '../tables';
import { TasksModule } from '../tasks';
import { AddMediaFromLocationUseCase } from './add/add-media-from-location.use-case';
import { AddMediaJob } from './add/add-media.job';
import { StartAddition } from './add/start-addition';
import { AddUploadedMediaUseCase } from './add/add-uploaded-media.use-case';
import { AddMediaController } from './add/http/add-media.controller';
import { CreateDatasetFromPathUseCase } from './create/create-dataset-from-path.use-case';
import { CreationSnapshot, IndexDatasetJob } from './create/index-dataset.job';
import { CreateDraftUseCase, ProcessUploadUseCase, ReceiveUploadUseCase } from './create/upload.use-cases';
import { FolderLabelCounts } from './create/folder-label-counts';
import { DatasetCreationController } from './create/http/dataset-creation.controller';
import { UploadController } from './create/http/upload.controller';
import { ingestionPersistence } from './persistence/schema';
import { UploadRepository } from './persistence/upload.repository';
import { PipelineController } from './pipeline/http/pipeline.controller';
import { RunPipelineUseCase } from './pipeline/run-pipeline.use-case';
import { ReindexController } from './reindex/http/reindex.controller';
import { ReindexJob } from './reindex/reindex.job';
import { ReindexUseCase } from './reindex/reindex.use-case';
import { BatchSources } from './sources/batch-sources';
import { FolderListReader } from './sources/folder-list.reader';
import { FolderController } from './sources/http/folder.controller';
import { ManifestFiles } from './sources/manifests/manifest-files';
import { SourceMedia } from './sources/source-media';
import { SWEEPS } from './sweeps/sweep.schedule';
import { CompareSourceStep } from './sync/compare-source.step';
import { SyncController } from './sync/http/sync.controller';
import { MissingFiles } from './sync/missing-files';
import { OwnBatches } from './sync/own-batches';
import { SyncDatasetJob } from './sync/sync-dataset.job';
import { SyncDatasetUseCase } from './sync/sync-dataset.use-case';
import { ArchiveFiles } from './uploads/archive-files';

@Module({
  imports: [
    TypeOrmModule.forFeature(ingestionPersistence.entities),
    SettingsModule,
    DatasetsModule,
    SnapshotRecordsModule,
    TasksModule,
    TablesModule,
  ],
  controllers: [
    DatasetCreationController,
    UploadController,
    FolderController,
    AddMediaController,
    ReindexController,
    SyncController,
    PipelineController,
  ],
  providers: [
    UploadRepository,
    SourceMedia,
    BatchSources,
    FolderListReader,
    ManifestFiles,
    ArchiveFiles,
    CreateDatasetFromPathUseCase,
    FolderLabelCounts,
    CreateDraftUseCase,
    ReceiveUploadUseCase,
    ProcessUploadUseCase,
    CreationSnapshot,
    IndexDatasetJob,
    StartAddition,
    AddMediaFromLocationUseCase,
    AddUploadedMediaUseCase,
    AddMediaJob,
    ReindexUseCase,
    ReindexJob,
    RunPipelineUseCase,
    SyncDatasetUseCase,
    OwnBatches,
    CompareSourceStep,
    MissingFiles,
    SyncDatasetJob,
    ...SWEEPS,
  ],
})
export class IngestionModule {}
