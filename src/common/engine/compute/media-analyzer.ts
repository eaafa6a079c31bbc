import { createRequire } from 'node:module';
import {
  analyzeImage,
  cutObjects,
  embedImage,
  pixelsFor,
  regionOf,
  type Analyzed,
  assertUnchanged,
} from './analyze-image';
import type { VideoAnalyzer } from './analyze-video';
import { PixelDescriber } from './describe-pixels';
import type { WaitForMemory } from './decode/open-image';
import { plainJpeg } from './decode/plain-jpeg';
import { encodePicture, ThumbnailStore } from './thumbnail-store';
import { freeBytes } from './decode/decoded-image';
import {
  type AnalyzeRequest,
  type ApplyRequest,
  type CutRequest,
  type DescribedText,
  type EmbedRequest,
  type EncodeRequest,
  type FileRequest,
  type FileResult,
  type Findings,
  type TextRequest,
  MediaRejected,
} from './media-analysis';
import { TileCutter } from './tile-cutter';
import { MAX_IMAGE_BYTES, readMedia, WHOLE_READ_BYTES, type ReadMedia } from './read-media';
import { Turns } from '../../platform/concurrency/turns';
import { KeptModels } from '../models/kept-models';
import { BrokenModelError, ModelError } from '../models/model-error';
import { openInChild, type CheckedModel, type ChildModelType, type OpenedModel } from '../models/child-openers';
import type { ModelTypes } from '../models/model-runtime';
import { firstLine } from '../models/onnx-session';
import {
  PictureRefusedError,
  type EncodedPicture,
  type LocalPictureModel,
  type ModelOptions,
  type PictureModel,
  type PictureModelType,
  type Pixels,
} from '../models/picture-model';
import { createStorage, type StorageConfig } from '../../platform/storage/create-storage';
import { BLOCKING_CALLS } from '../../platform/storage/folder/file-calls';
import type { MediaSources } from '../../platform/storage/sources/source-files';

const MAX_OPEN_MODELS = 3;

export interface LoadingEvents {
  onLoading(modelId: string): void;
  onLoaded(modelId: string): void;
}

type Media = ReadMedia & { readonly waitForMemory: WaitForMemory };
type ImageFile = Extract<Media, { kind: 'IMAGE' }>;
/** `onRegion` is called before each region of a picture. */
type Analyze = (media: Media, signal: AbortSignal, onRegion: () => void) => Promise<Analyzed<FileResult>>;

/** The work of a compute child for one file: first read, then analyse. */
export class MediaAnalyzer {
  /** By id, the models to open on next use. */
  private readonly checked = new Map<string, CheckedModel>();
  private readonly tiles = new TileCutter();

  private constructor(
    private readonly sources: MediaSources,
    private readonly thumbnails: ThumbnailStore,
    private readonly videos: () => VideoAnalyzer,
    private readonly models: KeptModels<CheckedModel, OpenedModel>,
  ) {}

  static open(config: Omit<StorageConfig, 'secretKey'>, scratch: string, events: LoadingEvents): MediaAnalyzer {
    // Has no signing key, because a process that decodes untrusted files must not hold secrets.
    const { store, sources } = createStorage({ ...config, secretKey: new Uint8Array(32) }, BLOCKING_CALLS);
    // Models are loaded one at a time, so that a crash can be attributed to a model.
    const loads = new Turns(1);
    const open = (model: CheckedModel): Promise<OpenedModel> =>
      loads.run(true, async () => {
        const { id: modelId } = model.manifest;
        events.onLoading(modelId);
        try {
          return await openInChild(model);
        } finally {
          events.onLoaded(modelId);
        }
      });
    // Loaded on first use, because most folders contain no video.
    const videos = (): VideoAnalyzer => {
      const { VideoAnalyzer: Analyzer } = createRequire(__filename)(
        './analyze-video',
      ) as typeof import('./analyze-video');
      return new Analyzer(sources, store, scratch);
    };
    return new MediaAnalyzer(sources, new ThumbnailStore(store), videos, new KeptModels(open, MAX_OPEN_MODELS));
  }

  /** Requests name the model by its id. */
  async load(model: CheckedModel): Promise<void> {
    this.checked.set(model.manifest.id, model);
    await this.models.use(model, () => Promise.resolve());
  }

  /** Opens the model of the request, which stays open until `work` is finished. */
  prepare<T>(request: FileRequest, work: (analyze: Analyze) => Promise<T>): Promise<T> {
    switch (request.kind) {
      case 'analyze':
        return this.describing(request.modelId, (describer) =>
          work((media, signal) => this.analyze(media, request, describer, signal)),
        );
      case 'cut':
        return this.describing(request.modelId, (describer) => work((media) => cut(media, request, describer)));
      case 'embed':
        return this.describing(request.modelId, (describer) => work((media) => embed(media, request, describer)));
      case 'apply':
        return this.use(request.type, request.modelId, (model) =>
          work((media, _signal, onRegion) => apply(media, request, model, onRegion)),
        );
      case 'encode':
        return work((media) => encode(media, request));
      case 'tile':
        return work(async (media) => {
          assertImage(media);
          const { longestSide, tile, swapRedBlueForTiffHeic } = request;
          const picture = await this.tiles.cut({ ...media, swapRedBlueForTiffHeic }, { longestSide, tile });
          return storesNothing({ kind: 'ENCODED', pictures: [picture] });
        });
    }
  }

  /** Undefined for an image above the limit; such images are read one at a time by `readLarge`. */
  async read(request: FileRequest, signal: AbortSignal, most = WHOLE_READ_BYTES): Promise<ReadMedia | undefined> {
    const media = await readMedia(this.sources, request.source, signal, most);
    if (media !== undefined && 'indexedAs' in request) assertUnchanged(media, request.indexedAs);
    return media;
  }

  async readLarge(request: FileRequest, signal: AbortSignal): Promise<ReadMedia> {
    return (await this.read(request, signal, MAX_IMAGE_BYTES))!;
  }

  /** `onOpened` is called when the model is loaded. */
  describeText({ modelId, text }: TextRequest, onOpened: () => void, signal: AbortSignal): Promise<DescribedText> {
    return this.use('MULTIMODEL_IMAGE_ENCODING', modelId, async (model) => {
      assertInChild(model, modelId);
      onOpened();
      const [embedding] = await model.embedTexts([text], signal);
      return { kind: 'TEXT', embedding: embedding! };
    });
  }

  private describing<T>(modelId: string, work: (describer: PixelDescriber) => Promise<T>): Promise<T> {
    return this.use('IMAGE_ENCODING', modelId, (embedding) => work(new PixelDescriber(this.thumbnails, embedding)));
  }

  private async use<Type extends ChildModelType, T>(
    type: Type,
    id: string,
    work: (opened: ModelTypes[Type]['opened']) => Promise<T>,
  ): Promise<T> {
    const model = this.checked.get(id);
    if (model?.manifest.type !== type) throw new ModelError(`No model ${id} of type ${type} was loaded.`);
    try {
      return await this.models.use(model, (opened) => work(opened));
    } catch (error) {
      throw error instanceof ModelError ? new BrokenModelError(model.folder, error) : error;
    }
  }

  private async analyze(
    media: Media,
    request: AnalyzeRequest,
    describer: PixelDescriber,
    signal: AbortSignal,
  ): Promise<Analyzed<FileResult>> {
    if (media.kind === 'VIDEO') {
      const { source, frameHeight } = request;
      return this.videos().analyze({ ...media, source, frameHeight }, describer, signal);
    }
    const { boxes, swapRedBlueForTiffHeic } = request;
    return analyzeImage({ ...media, boxes, swapRedBlueForTiffHeic }, describer);
  }
}

function assertInChild<Opened extends PictureModel<PictureModelType>>(
  model: Opened,
  modelId: string,
): asserts model is Extract<Opened, { readonly runsIn: 'child' }> {
  if (model.runsIn !== 'child') throw new ModelError(`The model ${modelId} does not run in a compute child.`);
}

function assertImage(media: Media): asserts media is ImageFile {
  if (media.kind === 'VIDEO') throw new MediaRejected('unsupported', 'The file is a video, not an image.');
}

const storesNothing = (analysis: FileResult): Analyzed<FileResult> => ({ analysis, stored: Promise.resolve() });

async function cut(media: Media, request: CutRequest, describer: PixelDescriber): Promise<Analyzed<FileResult>> {
  assertImage(media);
  return cutObjects({ ...media, ...request }, describer);
}

async function embed(media: Media, request: EmbedRequest, describer: PixelDescriber): Promise<Analyzed<FileResult>> {
  assertImage(media);
  return storesNothing({ kind: 'EMBEDDED', embedding: await embedImage({ ...media, ...request }, describer) });
}

async function apply(
  media: Media,
  { modelId, regions, options, swapRedBlueForTiffHeic }: ApplyRequest,
  model: PictureModel<PictureModelType>,
  onRegion: () => void,
): Promise<Analyzed<FileResult>> {
  assertImage(media);
  assertInChild(model, modelId);
  const pixels = await pixelsFor({ ...media, swapRedBlueForTiffHeic }, regions, model.longestSide);
  const findings: Findings['findings'][number][] = [];
  for (const region of regions) {
    onRegion();
    // One at a time, because each may have as many pixels as the picture.
    findings.push(await findingsIn(regionOf(pixels, region), options, model));
  }
  freeBytes(pixels.data);
  return storesNothing({ kind: 'FOUND', findings });
}

async function findingsIn(
  picture: Pixels,
  options: ModelOptions,
  model: LocalPictureModel<PictureModelType>,
): Promise<Findings['findings'][number]> {
  try {
    const [found] = await model.apply([picture], options);
    return found!;
  } catch (error) {
    if (error instanceof ModelError) throw error;
    return { refused: error instanceof PictureRefusedError ? error.message : `The model failed: ${firstLine(error)}.` };
  }
}

async function encode(media: Media, request: EncodeRequest): Promise<Analyzed<FileResult>> {
  assertImage(media);
  const { indexedAs, regions, longestSide } = request;
  const isWhole = regions.length === 1 && regions[0] === null;
  // An indexed file was decoded without errors.
  const plain = isWhole && indexedAs !== undefined ? plainJpeg(media.bytes, longestSide) : undefined;
  if (plain !== undefined) return storesNothing({ kind: 'ENCODED', pictures: [plain] });
  const pixels = await pixelsFor({ ...media, ...request }, regions, longestSide);
  const pictures: EncodedPicture[] = [];
  for (const region of regions) {
    const picture = regionOf(pixels, region);
    pictures.push(await encodePicture(picture, longestSide));
    if (picture !== pixels) freeBytes(picture.data);
  }
  freeBytes(pixels.data);
  return storesNothing({ kind: 'ENCODED', pictures });
}
