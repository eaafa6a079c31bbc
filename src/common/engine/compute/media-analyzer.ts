import { analyzeImage, embedImage, type Analyzed } from './analyze-image';
import { VideoAnalyzer } from './analyze-video';
import type { ComputeConfig } from './compute-config';
import { PixelDescriber } from './describe-pixels';
import type { ComputeRequest, ComputeResult } from './media-analysis';
import { MediaRejected } from './media-rejected';
import { readMedia, type ReadMedia } from './read-media';
import { ThumbnailStore } from './thumbnail-store';
import { Turns } from '../../platform/concurrency/turns';
import type { ImageEmbedding } from '../models/image-embedding';
import { KeptModels } from '../models/kept-models';
import { ModelRegistry } from '../models/model-registry';
import { createStorage } from '../../platform/storage/create-storage';
import { BLOCKING_CALLS } from '../../platform/storage/file-calls';
import type { MediaSources } from '../../platform/storage/source-files';

const MAX_OPEN_MODELS = 3;

export interface LoadingEvents {
  onLoading(modelId: string): void;
  onLoaded(modelId: string): void;
}

/** The work of a compute child for one file: first read, then analyse. */
export class MediaAnalyzer {
  private constructor(
    private readonly sources: MediaSources,
    private readonly thumbnails: ThumbnailStore,
    private readonly videos: VideoAnalyzer,
    private readonly models: KeptModels<ImageEmbedding>,
  ) {}

  static async open(config: ComputeConfig, scratch: string, events: LoadingEvents): Promise<MediaAnalyzer> {
    // Has no signing key, because a process that decodes untrusted files must not hold secrets.
    const { store, sources } = createStorage({ ...config, secretKey: new Uint8Array(32) }, BLOCKING_CALLS);
    const models = await ModelRegistry.load(config.modelsDir);
    // Models are loaded one at a time, so that a crash can be attributed to a model.
    const loads = new Turns(1);
    const open = (modelId: string): Promise<ImageEmbedding> =>
      loads.run(true, async () => {
        const model = models.get(modelId);
        events.onLoading(modelId);
        try {
          return await model.open();
        } finally {
          events.onLoaded(modelId);
        }
      });
    const videos = new VideoAnalyzer(sources, store, scratch);
    return new MediaAnalyzer(sources, new ThumbnailStore(store), videos, new KeptModels(open, MAX_OPEN_MODELS));
  }

  /** The model stays open until the work is done. */
  withModel<T>(modelId: string, work: (describer: PixelDescriber) => Promise<T>): Promise<T> {
    return this.models.use(modelId, (embedding) => work(new PixelDescriber(this.thumbnails, embedding)));
  }

  read(request: ComputeRequest, signal: AbortSignal): Promise<ReadMedia> {
    return readMedia(this.sources, request.source, signal);
  }

  async analyze(
    media: ReadMedia,
    request: ComputeRequest,
    describer: PixelDescriber,
    signal: AbortSignal,
  ): Promise<Analyzed<ComputeResult>> {
    if (!('boxes' in request)) {
      if (media.kind === 'VIDEO') throw new MediaRejected('unsupported', 'The file is a video, not an image.');
      const embedding = await embedImage({ ...media, ...request }, describer);
      return { analysis: { kind: 'EMBEDDED', embedding }, stored: Promise.resolve() };
    }
    if (media.kind === 'VIDEO') {
      const { source, frameHeight } = request;
      return this.videos.analyze({ source, mimeType: media.mimeType, frameHeight }, describer, signal);
    }
    const { boxes, swapRedBlueForTiffHeic } = request;
    return analyzeImage({ ...media, boxes, swapRedBlueForTiffHeic }, describer);
  }
}
