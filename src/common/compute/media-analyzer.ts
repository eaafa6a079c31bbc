import { analyzeImage, embedImage, type Analyzed } from './analyze-image';
import { VideoAnalyzer } from './analyze-video';
import type { ComputeConfig } from './compute-config';
import { PixelDescriber } from './describe-pixels';
import type { ComputeRequest, ComputeResult } from './media-analysis';
import { MediaRejected } from './media-rejected';
import { readMedia, type ReadMedia } from './read-media';
import { ThumbnailStore } from './thumbnail-store';
import { ModelRegistry } from '../models/model-registry';
import { OnnxEmbedding } from '../models/onnx-embedding';
import { createStorage } from '../storage/create-storage';
import { BLOCKING_CALLS } from '../storage/file-calls';
import type { MediaSources } from '../storage/source-files';

/** Everything a compute child does with a file: first read, then analyse. */
export class MediaAnalyzer {
  private constructor(
    private readonly sources: MediaSources,
    private readonly describer: PixelDescriber,
    private readonly videos: VideoAnalyzer,
  ) {}

  static async open(config: ComputeConfig, modelId: string, scratch: string): Promise<MediaAnalyzer> {
    // It signs nothing: a process that decodes files of strangers holds no secret.
    const { store, sources } = createStorage({ ...config, secretKey: new Uint8Array(32) }, BLOCKING_CALLS);
    const models = await ModelRegistry.load(config.modelsDir);
    const describer = new PixelDescriber(new ThumbnailStore(store), await OnnxEmbedding.open(models.get(modelId)));
    return new MediaAnalyzer(sources, describer, new VideoAnalyzer(sources, store, describer, scratch));
  }

  read(request: ComputeRequest, signal: AbortSignal): Promise<ReadMedia> {
    return readMedia(this.sources, request.source, signal);
  }

  async analyze(media: ReadMedia, request: ComputeRequest, signal: AbortSignal): Promise<Analyzed<ComputeResult>> {
    if (!('boxes' in request)) {
      if (media.kind === 'VIDEO') throw new MediaRejected('unsupported', 'The file is a video, not an image.');
      const embedding = await embedImage({ ...media, ...request }, this.describer);
      return { analysis: { kind: 'EMBEDDED', embedding }, stored: Promise.resolve() };
    }
    if (media.kind === 'VIDEO') {
      const { source, frameHeight } = request;
      return this.videos.analyze({ source, mimeType: media.mimeType, frameHeight }, signal);
    }
    const { boxes, swapRedBlueForTiffHeic } = request;
    return analyzeImage({ ...media, boxes, swapRedBlueForTiffHeic }, this.describer);
  }
}
