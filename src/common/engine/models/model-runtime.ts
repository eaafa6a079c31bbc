import type { z } from 'zod';
import type { ImageEmbedding, TextEmbedding } from './embedding';
import type {
  CaptionManifest,
  DetectionManifest,
  ImageTexts,
  ImageModelManifest,
  ModelType,
  MultimodalManifest,
  ObjectCaptionManifest,
  TaggingManifest,
  TextModelManifest,
  TextRecognitionManifest,
} from './model-manifest';
import type { ClassLabel } from './label-hierarchy';
import type { PictureModel, TextSide } from './picture-model';

/** For each type of model, its manifest and the interface of an opened model. */
export interface ModelTypes extends Record<ModelType, { readonly manifest: object; readonly opened: object }> {
  readonly IMAGE_ENCODING: { readonly manifest: ImageModelManifest; readonly opened: ImageEmbedding };
  readonly TEXT_ENCODING: { readonly manifest: TextModelManifest; readonly opened: TextEmbedding };
  readonly CAPTION_IMAGES: { readonly manifest: CaptionManifest; readonly opened: PictureModel<'CAPTION_IMAGES'> };
  readonly CAPTION_OBJECTS: {
    readonly manifest: ObjectCaptionManifest;
    readonly opened: PictureModel<'CAPTION_OBJECTS'>;
  };
  readonly IMAGE_TAGGING: { readonly manifest: TaggingManifest; readonly opened: PictureModel<'IMAGE_TAGGING'> };
  readonly OBJECT_DETECTION: {
    readonly manifest: DetectionManifest;
    readonly opened: PictureModel<'OBJECT_DETECTION'>;
  };
  readonly TEXT_RECOGNITION: {
    readonly manifest: TextRecognitionManifest;
    readonly opened: PictureModel<'TEXT_RECOGNITION'>;
  };
  readonly MULTIMODEL_IMAGE_ENCODING: {
    readonly manifest: MultimodalManifest;
    readonly opened: PictureModel<'MULTIMODEL_IMAGE_ENCODING'> & TextSide;
  };
}

/** In a compute child, which decodes untrusted files and has no secrets, or in this process. */
export type RunsIn = 'child' | 'service';

/** A model folder with the runtime that its manifest names. */
export interface Model<Type extends ModelType = ModelType> {
  readonly folder: string;
  readonly manifest: ModelTypes[Type]['manifest'];
  readonly runsIn: RunsIn;
  /** Paths relative to the folder. */
  readonly files: readonly string[];
  /** The labels that the model gives, with their parents; only of models that know parents. */
  classLabels?(): Promise<readonly ClassLabel[]>;
  /** Must be closed by the caller. */
  open(): Promise<ModelTypes[Type]['opened']>;
}

export type ImageModel = Model<'IMAGE_ENCODING'>;
export type TextModel = Model<'TEXT_ENCODING'>;
export type MultimodalModel = Model<'MULTIMODEL_IMAGE_ENCODING'>;

/** Runs models of one type. Manifests refer to it by name. */
export interface ModelRuntime<Type extends ModelType = ModelType> {
  readonly type: Type;
  readonly name: string;
  readonly runsIn: RunsIn;
  /** Throws ZodError if the content is not a manifest of such a model. */
  modelOf(folder: string, content: unknown): Model<Type>;
}

interface RuntimeDefinition<Type extends ModelType, Manifest> {
  readonly type: Type;
  readonly name: string;
  readonly runsIn: RunsIn;
  readonly manifest: z.ZodType<Manifest>;
  readonly classLabels?: (model: { folder: string; manifest: Manifest }) => Promise<readonly ClassLabel[]>;
  readonly open: (model: { folder: string; manifest: Manifest }) => Promise<ModelTypes[Type]['opened']>;
}

type WithFiles = {
  readonly files?: Readonly<Record<string, string | undefined>> | undefined;
  readonly texts?: ImageTexts | undefined;
};

export function defineRuntime<Type extends ModelType, Manifest extends ModelTypes[Type]['manifest'] & WithFiles>({
  type,
  name,
  runsIn,
  manifest: schema,
  classLabels,
  open,
}: RuntimeDefinition<Type, Manifest>): ModelRuntime<Type> {
  return {
    type,
    name,
    runsIn,
    modelOf(folder, content) {
      const manifest = schema.parse(content);
      const { texts } = manifest;
      const named = [...Object.values(manifest.files ?? {}), texts?.words, texts?.classes];
      const files = named.filter((file) => file !== undefined);
      const model = { folder, manifest };
      const labels = classLabels === undefined ? {} : { classLabels: () => classLabels(model) };
      return { ...model, runsIn, files, ...labels, open: () => open(model) };
    },
  };
}
