import { Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { MediaSources } from '../../common/platform/storage/sources/source-files';
import { OBJECT_STORE } from '../../common/platform/storage/storage.module';
import { QuantisedFiles } from '../../common/engine/vectors/quantised-files';
import { VectorCache } from '../../common/engine/vectors/vector-cache';
import { DatasetsModule } from '../datasets';
import { Settings, SettingsModule } from '../settings';
import { SnapshotRecordsModule } from '../snapshots/records';
import { TasksModule } from '../tasks';
import { AnchorsModule } from './anchors/anchors.module';
import { BatchMatches } from './batch-matches';
import { ClusterMembersService } from './cluster-members.service';
import { DATASET_POINTER_READER } from './dataset-pointer';
import { DuplicateGroupsCache } from './duplicates/duplicate-groups-cache';
import { ExploreAnswerCache } from './explore-answer-cache';
import { ExploreIndexCache } from './explore-index-cache';
import { ExploreService } from './explore.service';
import { FacetsService } from './facets.service';
import { ClusterMembersController } from './http/cluster-members.controller';
import { ExplorePages } from './http/explore-pages';
import { PagePresenter } from './http/page-presenter';
import { ExploreController } from './http/explore.controller';
import { FacetsController } from './http/facets.controller';
import { ImageMetadataController } from './http/image-metadata.controller';
import { MediaController } from './http/media.controller';
import { VectorSearchController } from './http/vector-search.controller';
import { MapController } from './map/http/map.controller';
import { MapService } from './map/map.service';
import { MediaListService } from './media-list.service';
import { MediaService } from './media.service';
import { bytesFor, type ExploreMemory } from './memory-shares';
import { MEDIA_URLS } from './media-urls';
import { SearchCacheMetrics } from './search-cache-metrics';
import { SearchEngine } from './search-engine';
import { SearchParts } from './search-parts';
import { SelectionResolver } from './selection/selection-resolver';
import { PublishedStateReader } from './published-state.reader';
import { SignedMediaUrls } from './signed-media-urls';
import { AssignmentChanges } from './tags/assignment-changes';
import { CarriedTags } from './tags/carried-tags';
import { NameTagUseCase } from './tags/name-tag.use-case';
import { TagAssignmentsCache } from './tags/tag-assignments-cache';
import { TagNames } from './tags/tag-names';
import { TagReader } from './tags/tag.reader';
import { TAGS_CONTROLLERS, TAGS_PROVIDERS } from './tags/tags.providers';
import { TextVectors } from './text-vectors';
import { VectorSearchService } from './vector-search.service';
import { VersionOpener } from './version-opener';
import { tagsPersistence } from './tags/persistence';

@Module({
  imports: [
    TypeOrmModule.forFeature(tagsPersistence.entities),
    SettingsModule,
    DatasetsModule,
    SnapshotRecordsModule,
    TasksModule,
    AnchorsModule,
  ],
  controllers: [
    ExploreController,
    ClusterMembersController,
    FacetsController,
    MediaController,
    ImageMetadataController,
    VectorSearchController,
    MapController,
    ...TAGS_CONTROLLERS,
  ],
  providers: [
    { provide: DATASET_POINTER_READER, useClass: PublishedStateReader },
    {
      provide: MEDIA_URLS,
      inject: [MediaSources, Settings],
      useFactory: (sources: MediaSources, settings: Settings) =>
        new SignedMediaUrls(sources, () => settings.isOn('SERVE_ORIGINAL_IMAGE')),
    },
    {
      provide: ExploreIndexCache,
      inject: [CONFIGURATION],
      useFactory: (memory: ExploreMemory) => new ExploreIndexCache(bytesFor('indexes', memory)),
    },
    {
      provide: ExploreAnswerCache,
      inject: [CONFIGURATION],
      useFactory: (memory: ExploreMemory) => new ExploreAnswerCache(bytesFor('answers', memory)),
    },
    {
      provide: DuplicateGroupsCache,
      inject: [OBJECT_STORE, CONFIGURATION],
      useFactory: (store: ObjectStore, memory: ExploreMemory) =>
        new DuplicateGroupsCache(store, bytesFor('duplicates', memory)),
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
    SearchParts,
    SearchCacheMetrics,
    TextVectors,
    VersionOpener,
    SearchEngine,
    ExploreService,
    ExplorePages,
    PagePresenter,
    BatchMatches,
    ClusterMembersService,
    FacetsService,
    MediaService,
    MediaListService,
    VectorSearchService,
    MapService,
    ...TAGS_PROVIDERS,
  ],
  exports: [
    MEDIA_URLS,
    BatchMatches,
    ExplorePages,
    TagNames,
    TagAssignmentsCache,
    CarriedTags,
    SelectionResolver,
    DuplicateGroupsCache,
    DATASET_POINTER_READER,
    VersionOpener,
    SearchEngine,
    TagReader,
    NameTagUseCase,
    AssignmentChanges,
  ],
})
export class SearchModule {}
