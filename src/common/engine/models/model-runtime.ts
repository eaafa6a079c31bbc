import type { z } from 'zod';
import type { ImageEmbedding } from './image-embedding';
import type { ImageModelManifest, TextModelManifest } from './model-manifest';
import type { TextEmbedding } from './text-embedding';

/** For each kind of model, its manifest and the interface of an open model. */
export interface ModelKinds {
  readonly 'image-embedding': { readonly manifest: ImageModelManifest; readonly opened: ImageEmbedding };
  readonly 'text-embedding': { readonly manifest: TextModelManifest; readonly opened: TextEmbedding };
}

export type ModelKind = keyof ModelKinds;

/** A model folder with the runtime that its manifest names. */
export interface Model<Kind extends ModelKind = ModelKind> {
  readonly folder: string;
  readonly manifest: ModelKinds[Kind]['manifest'];
  /** The caller closes it. */
  open(): Promise<ModelKinds[Kind]['opened']>;
}

export type ImageModel = Model<'image-embedding'>;
export type TextModel = Model<'text-embedding'>;

/** Runs models of one kind. Manifests refer to it by name. */
export interface ModelRuntime<Kind extends ModelKind = ModelKind> {
  readonly kind: Kind;
  readonly name: string;
  /** Throws ZodError if the content is not a manifest of such a model. */
  modelOf(folder: string, content: unknown): Model<Kind>;
}

interface RuntimeDefinition<Kind extends ModelKind, Manifest> {
  readonly kind: Kind;
  readonly name: string;
  readonly manifest: z.ZodType<Manifest>;
  readonly open: (model: { folder: string; manifest: Manifest }) => Promise<ModelKinds[Kind]['opened']>;
}

export function defineRuntime<Kind extends ModelKind, Manifest extends ModelKinds[Kind]['manifest']>({
  kind,
  name,
  manifest: schema,
  open,
}: RuntimeDefinition<Kind, Manifest>): ModelRuntime<Kind> {
  return {
    kind,
    name,
    modelOf(folder, content) {
      const manifest = schema.parse(content);
      return { folder, manifest, open: () => open({ folder, manifest }) };
    },
  };
}
