import { Module, type FactoryProvider } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ComputePool } from '../../common/engine/compute/compute-pool';
import { RayJobs } from '../../common/engine/ray/ray-jobs';
import { RaySteps } from '../../common/engine/ray/ray-steps';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../common/platform/storage/storage.module';
import { DatasetsModule } from '../datasets';
import { VersionsModule } from '../versions';
import { SettingsModule } from '../settings';
import { TasksModule } from '../tasks';
import { AnalyzeFilesStep, IngestFilesStep, KeptParts } from './analysis/ingest-files.step';
import { AnalyzePart, PART_ENGINE, type PartEngine, PartRecords } from './analysis/analyze-part';
import { AnalyzePartJob } from './analysis/analyze-part.job';
import { AnalyzePartStep } from './analysis/analyze-part.step';
import { ObjectCrops } from './analysis/object-crops';
import { QueuedParts } from './analysis/queued-parts';
import { RayParts } from './analysis/ray-parts';
import { SharedAnnotations, AnnotationFiles } from './annotation-files/annotation-files';
import { BuildTableStep, RegisterGenerationStep } from './build/build-table.step';
import { CompareRowsStep } from './build/compare-rows.step';
import { RewriteRowsStep } from './build/rewrite-rows.step';
import { AddedBatches, UpdateOperation, BatchModels } from './change/update-operation';
import { AppendRowsStep } from './change/append-rows.step';
import { RebuildStep } from './change/rebuild.step';
import { RemoveRowsStep } from './change/remove-rows.step';
import { ReplaceRowsStep } from './change/replace-rows.step';
import { NEIGHBOUR_ENGINE, type NeighbourEngine } from './neighbours/neighbour-steps';
import { RayNeighbours } from './neighbours/ray-neighbours';
import { tablesPersistence } from './persistence/schema';
import { ChunkJournalRepository } from './persistence/chunk-journal.repository';
import { MediaLock } from './persistence/media-lock';
import { QuarantineListReadModel } from './persistence/quarantine-list.read-model';
import { QuarantineRepository } from './persistence/quarantine.repository';
import { QuarantineController } from './quarantine/http/quarantine.controller';
import { TaskRunner } from './runs/task-runner';

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
    ray === null ? null : new RaySteps(store, new RayJobs({ ...ray, timeoutMs })),
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

/** The providers that operations on datasets use. */
const SHARED = [
  AddedBatches,
  AnnotationFiles,
  AppendRowsStep,
  BatchModels,
  BuildTableStep,
  ChunkJournalRepository,
  IngestFilesStep,
  MediaLock,
  ObjectCrops,
  QuarantineRepository,
  RebuildStep,
  RemoveRowsStep,
  ReplaceRowsStep,
  RewriteRowsStep,
  TaskRunner,
  UpdateOperation,
];

/** Creates and changes media tables. */
@Module({
  imports: [
    TypeOrmModule.forFeature(tablesPersistence.entities),
    SettingsModule,
    DatasetsModule,
    TasksModule,
    VersionsModule,
  ],
  controllers: [QuarantineController],
  providers: [
    ...SHARED,
    CompareRowsStep,
    RegisterGenerationStep,
    QuarantineListReadModel,
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
  ],
  exports: SHARED,
})
export class TablesModule {}
