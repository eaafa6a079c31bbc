import { Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { QuantisedFiles } from '../../common/engine/vectors/quantised-files';
import { VectorCache } from '../../common/engine/vectors/vector-cache';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { bytesFor, type ExploreMemory } from '../../common/platform/config/memory-sizes';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../common/platform/storage/storage.module';
import { DatasetsModule } from '../datasets';
import { SettingsModule } from '../settings';
import { AnnotationFiles, AnnotationSweep } from './annotations/annotation-files';
import { AnnotationStateRepository } from './annotations/persistence/annotation-state.repository';
import { annotationStatesPersistence } from './annotations/persistence/schema';
import { SourceAnnotations } from './annotations/source-annotations';
import { ExploreIndexCache } from './clusters/explore-index-cache';
import { EvaluationFiles } from './evaluations/evaluation-files';
import { OutcomeCache } from './evaluations/outcome-cache';
import { EvaluatedFileReader } from './evaluations/persistence/evaluated-file.reader';
import { DuplicateGroupsCache } from './duplicates/duplicate-groups-cache';
import { PublishedStateReader } from './persistence/published-state.reader';
import { CarriedTags, TagNames } from './tags/carried-tags';
import { tagsPersistence } from './tags/persistence/schema';
import { TagFileRepository } from './tags/persistence/tag-file.repository';
import { TagRepository } from './tags/persistence/tag.repository';
import { TagAssignmentsCache, TagFiles, TagFileSweep } from './tags/tag-files';
import { TextVectors } from './vectors/text-vectors';
import { VersionCacheMetrics, VersionCaches } from './version-caches';
import { VersionOpener } from './version-opener';

@Module({
  imports: [
    TypeOrmModule.forFeature([...tagsPersistence.entities, ...annotationStatesPersistence.entities]),
    SettingsModule,
    DatasetsModule,
  ],
  providers: [
    PublishedStateReader,
    {
      provide: ExploreIndexCache,
      inject: [CONFIGURATION],
      useFactory: (memory: ExploreMemory) => new ExploreIndexCache(bytesFor('indexes', memory)),
    },
    {
      provide: DuplicateGroupsCache,
      inject: [OBJECT_STORE, CONFIGURATION],
      useFactory: (store: ObjectStore, memory: ExploreMemory) =>
        new DuplicateGroupsCache(store, bytesFor('duplicates', memory)),
    },
    {
      provide: TagAssignmentsCache,
      inject: [TagFiles, CONFIGURATION],
      useFactory: (files: TagFiles, memory: ExploreMemory) => new TagAssignmentsCache(files, bytesFor('tags', memory)),
    },
    {
      provide: SourceAnnotations,
      inject: [AnnotationStateRepository, AnnotationFiles, CONFIGURATION],
      useFactory: (
        states: AnnotationStateRepository,
        files: AnnotationFiles,
        { annotationCacheBytes }: Configuration,
      ) => new SourceAnnotations(states, files, annotationCacheBytes),
    },
    {
      provide: OutcomeCache,
      inject: [EvaluationFiles, SourceAnnotations, CONFIGURATION],
      useFactory: (files: EvaluationFiles, annotations: SourceAnnotations, memory: ExploreMemory) =>
        new OutcomeCache(files, annotations, bytesFor('outcomes', memory)),
    },
    {
      provide: VectorCache,
      inject: [CONFIGURATION, OBJECT_STORE],
      useFactory: ({ vectorCacheBytes, workerConcurrency }: Configuration, store: ObjectStore) => {
        const logger = new Logger('Vectors');
        const files = new QuantisedFiles(store, (problem) => logger.warn(problem));
        return new VectorCache(vectorCacheBytes, workerConcurrency, files);
      },
    },
    VersionCaches,
    VersionCacheMetrics,
    TextVectors,
    VersionOpener,
    TagRepository,
    TagFileRepository,
    TagFiles,
    TagFileSweep,
    TagNames,
    CarriedTags,
    AnnotationStateRepository,
    AnnotationFiles,
    AnnotationSweep,
    EvaluationFiles,
    EvaluatedFileReader,
  ],
  exports: [
    PublishedStateReader,
    VersionOpener,
    DuplicateGroupsCache,
    TagAssignmentsCache,
    TagRepository,
    TagFiles,
    TagNames,
    CarriedTags,
    AnnotationStateRepository,
    AnnotationFiles,
    SourceAnnotations,
    EvaluationFiles,
    EvaluatedFileReader,
    OutcomeCache,
  ],
})
export class VersionsModule {
  constructor(tables: MediaTableStore, annotations: SourceAnnotations) {
    tables.relabelBy((at, table) => annotations.relabelled(at, table));
  }
}
