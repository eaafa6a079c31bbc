import { Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../common/config/configuration';
import { MediaSources } from '../../common/storage/source-files';
import { DatasetReader, DatasetsModule } from '../datasets';
import { DATASET_POINTER_READER } from './dataset-pointer';
import { ExploreAnswerCache } from './explore-answer-cache';
import { ExploreIndexCache } from './explore-index-cache';
import { ExploreService } from './explore.service';
import { ExploreController } from './http/explore.controller';
import { MEDIA_URLS } from './media-urls';
import { SignedMediaUrls } from './signed-media-urls';

/** Of the bytes that explore may keep in memory; the rest is for indexes. */
const PART_FOR_ANSWERS = 1 / 8;

@Module({
  imports: [DatasetsModule],
  controllers: [ExploreController],
  providers: [
    { provide: DATASET_POINTER_READER, useExisting: DatasetReader },
    {
      provide: MEDIA_URLS,
      inject: [MediaSources],
      useFactory: (sources: MediaSources) => new SignedMediaUrls(sources),
    },
    {
      provide: ExploreIndexCache,
      inject: [CONFIGURATION],
      useFactory: ({ exploreCacheBytes }: Configuration) =>
        new ExploreIndexCache(exploreCacheBytes * (1 - PART_FOR_ANSWERS)),
    },
    {
      provide: ExploreAnswerCache,
      inject: [CONFIGURATION],
      useFactory: ({ exploreCacheBytes }: Configuration) =>
        new ExploreAnswerCache(exploreCacheBytes * PART_FOR_ANSWERS),
    },
    ExploreService,
  ],
})
export class SearchModule {}
