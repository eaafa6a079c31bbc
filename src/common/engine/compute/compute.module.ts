import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ModelRegistry } from '../models/model-registry';
import { TextEmbeddings } from '../models/text-embeddings';
import type { ComputeConfig } from './compute-config';
import { ComputePool } from './compute-pool';
import { MultimodalTexts } from './multimodal-texts';
import { ForeignFiles } from './readers/foreign-files';
import { VideoSupport } from './video-support';

export const COMPUTE_CONFIG = Symbol('ComputeConfig');

@Global()
@Module({
  providers: [
    {
      provide: ModelRegistry,
      inject: [COMPUTE_CONFIG],
      useFactory: ({ modelsDir }: ComputeConfig) => ModelRegistry.load(modelsDir),
    },
    {
      provide: TextEmbeddings,
      inject: [ModelRegistry],
      useFactory: (models: ModelRegistry) => new TextEmbeddings(models),
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
    { provide: VideoSupport, useFactory: () => new VideoSupport() },
  ],
  exports: [ModelRegistry, TextEmbeddings, ComputePool, MultimodalTexts, ForeignFiles, VideoSupport],
})
export class ComputeModule implements OnApplicationShutdown {
  constructor(
    private readonly pool: ComputePool,
    private readonly foreignFiles: ForeignFiles,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    this.foreignFiles.stop();
    await this.pool.stop();
  }
}
