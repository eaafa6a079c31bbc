import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../config/start-error';
import {
  type ImageModelManifest,
  modelManifestSchema,
  type ModelManifest,
  type TextModelManifest,
} from './model-manifest';

interface ModelFolder<M extends ModelManifest> {
  readonly folder: string;
  readonly manifest: M;
}

type Kind = ModelManifest['kind'];

export type ImageModel = ModelFolder<ImageModelManifest>;
export type TextModel = ModelFolder<TextModelManifest>;
export type Model = ImageModel | TextModel;

export const DEFAULT_IMAGE_MODEL = 'fixed-filters_v01';
export const DEFAULT_TEXT_MODEL = 'hashed-words_v00';
export const BUILT_IN_MODELS = join(__dirname, '..', '..', '..', 'models');

const MANIFEST = 'manifest.json';

export class ModelError extends StartError {}

/** The models of the service itself and those that the site has dropped into its folder. */
export class ModelRegistry {
  private constructor(private readonly models: ReadonlyMap<string, Model>) {}

  /** Throws ModelError with one sentence when a model folder is wrong. */
  static async load(modelsDir: string | null, builtIn = BUILT_IN_MODELS): Promise<ModelRegistry> {
    const models = new Map<string, Model>();
    for (const root of modelsDir === null ? [builtIn] : [builtIn, modelsDir]) {
      for (const model of await modelsBelow(root)) {
        const known = models.get(model.manifest.id);
        if (known) throw new ModelError(`The model ${model.manifest.id} is in ${known.folder} and in ${model.folder}.`);
        models.set(model.manifest.id, model);
      }
    }
    return new ModelRegistry(models);
  }

  all(): readonly Model[] {
    return [...this.models.values()];
  }

  get(id: string): ImageModel {
    const { folder, manifest } = this.find(id);
    if (manifest.kind !== 'image-embedding') throw wrongKind(id, manifest.kind);
    return { folder, manifest };
  }

  getText(id: string): TextModel {
    const { folder, manifest } = this.find(id);
    if (manifest.kind !== 'text-embedding') throw wrongKind(id, manifest.kind);
    return { folder, manifest };
  }

  private find(id: string): Model {
    const model = this.models.get(id);
    if (!model) throw new ModelError(`There is no model ${id}; known are ${[...this.models.keys()].join(', ')}.`);
    return model;
  }
}

const wrongKind = (id: string, kind: Kind): ModelError => new ModelError(`The model ${id} is of kind ${kind}.`);

async function modelsBelow(root: string): Promise<Model[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch((error: unknown) => {
    throw new ModelError(`The model folder ${root} can't be read: ${String(error)}.`);
  });
  const folders = entries.filter((entry) => !entry.isFile()).map((entry) => join(root, entry.name));
  const found = await Promise.all(folders.sort().map(readModel));
  return found.filter((model) => model !== undefined);
}

async function readModel(folder: string): Promise<Model | undefined> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ModelError(`${path} can't be read: ${String(error)}.`);
  });
  if (text === undefined) return undefined;
  return { folder, manifest: parseManifest(path, text) } as Model;
}

function parseManifest(path: string, text: string): ModelManifest {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new ModelError(`${path} is not JSON.`);
  }
  const parsed = modelManifestSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new ModelError(`${path} is not a model's manifest: ${issue.path.join('.')} ${issue.message}.`);
}
