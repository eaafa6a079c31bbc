import { Module } from '@nestjs/common';
import { DatasetsModule } from '../datasets';
import { TasksModule } from '../tasks';
import { CreateDatasetFromPathUseCase } from './create-dataset-from-path.use-case';
import { CreationTaskActions } from './creation-task.actions';
import { DeleteDatasetUseCase } from './delete-dataset.use-case';
import { DatasetCreationController } from './http/dataset-creation.controller';
import { UploadController } from './http/upload.controller';
import { AnalyzeFilesStep } from './jobs/analyze-files.step';
import { BuildTableStep } from './jobs/build-table.step';
import { IndexDatasetJob } from './jobs/index-dataset.job';
import { ListSourceStep } from './jobs/list-source.step';
import { ChunkJournalRepository } from './persistence/chunk-journal.repository';
import { QuarantineRepository } from './persistence/quarantine.repository';
import { UploadRepository } from './persistence/upload.repository';
import { ProcessUploadUseCase } from './process-upload.use-case';
import { ReceiveUploadUseCase } from './receive-upload.use-case';
import { SourceMedia } from './source-media';
import { StartIndexingUseCase } from './start-indexing.use-case';
import { DraftSweep } from './sweeps/draft.sweep';
import { GenerationSweep } from './sweeps/generation.sweep';
import { MediaSweep } from './sweeps/media.sweep';
import { SweepSchedule } from './sweeps/sweep.schedule';
import { WorkSweep } from './sweeps/work.sweep';

@Module({
  imports: [DatasetsModule, TasksModule],
  controllers: [DatasetCreationController, UploadController],
  providers: [
    UploadRepository,
    QuarantineRepository,
    ChunkJournalRepository,
    SourceMedia,
    StartIndexingUseCase,
    CreateDatasetFromPathUseCase,
    ReceiveUploadUseCase,
    ProcessUploadUseCase,
    DeleteDatasetUseCase,
    CreationTaskActions,
    ListSourceStep,
    AnalyzeFilesStep,
    BuildTableStep,
    IndexDatasetJob,
    DraftSweep,
    GenerationSweep,
    WorkSweep,
    MediaSweep,
    SweepSchedule,
  ],
})
export class IngestionModule {}
