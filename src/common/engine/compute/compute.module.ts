import { Global, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics';
import { ModelRegistry } from '../models/model-registry';
import { TextEmbeddings } from '../models/kept-models';
import { ImageModelTexts } from '../models/texts/image-model-texts';
import { type ComputeConfig, ComputePool } from './compute-pool';
import { MultimodalTexts } from './multimodal-texts';
import { ForeignFiles } from './readers/foreign-files';
import { PictureTiles } from './picture-tiles';
import { SearchPictures } from './search-pictures';
import { VideoSupport } from './video-tools';

export const COMPUTE_CONFIG = Symbol('ComputeConfig');

@Global()
@Module({
  providers: [
    {
      provide: ModelRegistry,
      inject: [COMPUTE_CONFIG],
      useFactory: ({ modelsDir, dataDir }: ComputeConfig) => ModelRegistry.load(modelsDir, { dataDir }),
    },
    {
      provide: TextEmbeddings,
      inject: [ModelRegistry],
      useFactory: (models: ModelRegistry) => new TextEmbeddings(models),
    },
    {
      provide: ImageModelTexts,
      inject: [ModelRegistry],
      useFactory: (models: ModelRegistry) => new ImageModelTexts(models),
    },
    { provide: ComputePool, inject: [COMPUTE_CONFIG], useFactory: (config: ComputeConfig) => new ComputePool(config) },
    {
      provide: MultimodalTexts,
      inject: [ModelRegistry, ComputePool],
      useFactory: (models: ModelRegistry, pool: ComputePool) => new MultimodalTexts(models, pool),
    },
    {
      provide: ForeignFiles,
      inject: [COMPUTE_CONFIG],
      useFactory: (config: ComputeConfig) => new ForeignFiles(config),
    },
    {
      provide: SearchPictures,
      inject: [COMPUTE_CONFIG],
      useFactory: (config: ComputeConfig) => new SearchPictures(config),
    },
    {
      provide: PictureTiles,
      inject: [COMPUTE_CONFIG],
      useFactory: (config: ComputeConfig) => new PictureTiles(config),
    },
    { provide: VideoSupport, useFactory: () => new VideoSupport() },
  ],
  exports: [
    ModelRegistry,
    TextEmbeddings,
    ImageModelTexts,
    ComputePool,
    MultimodalTexts,
    ForeignFiles,
    PictureTiles,
    SearchPictures,
    VideoSupport,
  ],
})
export class ComputeModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly metrics: Metrics,
    private readonly pool: ComputePool,
    private readonly foreignFiles: ForeignFiles,
    private readonly searchPictures: SearchPictures,
    private readonly tiles: PictureTiles,
    private readonly texts: TextEmbeddings,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('compute_children', 'Compute processes that are running', [], () => [
      {
        labels: {},
        value: [this.pool, this.searchPictures, this.tiles].reduce((sum, { childPids }) => sum + childPids.length, 0),
      },
    ]);
    this.metrics.gauge('compute_requests_waiting', 'Files and texts that wait for a compute process', [], () => [
      { labels: {}, value: this.pool.waitingRequests },
    ]);
  }

  async onApplicationShutdown(): Promise<void> {
    this.foreignFiles.stop();
    await Promise.all([this.pool.stop(), this.searchPictures.stop(), this.tiles.stop(), this.texts.close()]);
  }
}
