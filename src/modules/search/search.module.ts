import { Injectable, Module } from '@nestjs/common';
import { CONFIGURATION } from '../../common/platform/config/configuration';
import { bytesFor, type ExploreMemory } from '../../common/platform/config/memory-sizes';
import { MediaSources } from '../../common/platform/storage/sources/source-files';
import { DatasetsModule } from '../datasets';
import { Settings, SettingsModule } from '../settings';
import { TasksModule } from '../tasks';
import { VersionsModule } from '../versions';
import { AnchorsModule } from './anchors/anchors.module';
import { BatchMatches } from './query/batch-matches';
import { ClusterMembersService } from './explore/cluster-members.service';
import { ExploreAnswerCache, ExploreService } from './explore/explore.service';
import { FacetsService } from './facets/facets.service';
import { ClusterMembersController } from './explore/http/cluster-members.controller';
import { ExplorePages, ExploreController } from './explore/http/explore.controller';
import { PagePresenter } from './explore/http/page-presenter';
import { FacetsController } from './facets/http/facets.controller';
import { ImageMetadataController } from './media/http/image-metadata.controller';
import { MediaController } from './media/http/media.controller';
import { MediaTileController } from './media/http/media-tile.controller';
import { MediaTiles } from './media/media-tiles';
import { VectorSearchController } from './media/http/vector-search.controller';
import { MapController } from './map/http/map.controller';
import { MapService, MapViews } from './map/map.service';
import { MediaListService } from './media/media-list.service';
import { MediaService } from './media/media.service';
import { MEDIA_URLS, SignedMediaUrls } from './media/signed-media-urls';
import { SearchEngine } from './query/search-engine';
import { SelectionResolver } from './selection/selection-resolver';
import { AssignmentChanges } from './tags/assignment-changes';
import { NameTagUseCase } from './tags/name-tag.use-case';
import { VectorSearchService } from './media/vector-search.service';
import { AssignTagUseCase, DeleteTagUseCase } from './tags/assign-tag.use-case';
import { TagController } from './tags/http/tag.controller';
import { TagReader } from './tags/tag.reader';
import { CacheMetrics } from '../../common/platform/observability/metrics';

/** Metrics of the caches of responses. Those of versions are separate. */
@Injectable()
class SearchCacheMetrics {
  constructor(metrics: CacheMetrics, answers: ExploreAnswerCache, { colours, matches }: MapViews) {
    metrics.add('answers', () => answers.usage);
    for (const cache of [colours, matches]) metrics.add('map', () => cache.usage);
  }
}

@Module({
  imports: [SettingsModule, DatasetsModule, TasksModule, AnchorsModule, VersionsModule],
  controllers: [
    ExploreController,
    ClusterMembersController,
    FacetsController,
    MediaController,
    MediaTileController,
    ImageMetadataController,
    VectorSearchController,
    MapController,
    TagController,
  ],
  providers: [
    {
      provide: MEDIA_URLS,
      inject: [MediaSources, Settings],
      useFactory: (sources: MediaSources, settings: Settings) =>
        new SignedMediaUrls(sources, () => settings.isOn('SERVE_ORIGINAL_IMAGE')),
    },
    {
      provide: ExploreAnswerCache,
      inject: [CONFIGURATION],
      useFactory: (memory: ExploreMemory) => new ExploreAnswerCache(bytesFor('answers', memory)),
    },
    SearchCacheMetrics,
    SearchEngine,
    ExploreService,
    ExplorePages,
    PagePresenter,
    BatchMatches,
    ClusterMembersService,
    FacetsService,
    MediaService,
    MediaTiles,
    MediaListService,
    VectorSearchService,
    MapService,
    MapViews,
    TagReader,
    SelectionResolver,
    AssignmentChanges,
    NameTagUseCase,
    AssignTagUseCase,
    DeleteTagUseCase,
  ],
  exports: [MEDIA_URLS, BatchMatches, ExplorePages, SelectionResolver, SearchEngine, NameTagUseCase, AssignmentChanges],
})
export class SearchModule {}
