import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BUILT_IN_MODELS } from './built-in-models';
import { MissingModelError, ModelError } from './model-error';
import type { ImageModel, Model, ModelKind, ModelRuntime, TextModel } from './model-runtime';
import { MODEL_RUNTIMES } from './model-runtimes';

interface KnownPlaces {
  readonly builtIn: string;
  readonly runtimes: readonly ModelRuntime[];
}

const MANIFEST = 'manifest.json';

const runtimeChoice = z.object({ kind: z.string(), runtime: z.string() });

/** The built-in models and those in the site's MODELS_DIR. */
export class ModelRegistry {
  private constructor(private readonly models: ReadonlyMap<string, Model>) {}

  /** Throws ModelError with one sentence if a model folder is invalid. */
  static async load(
    modelsDir: string | null,
    { builtIn = BUILT_IN_MODELS, runtimes = MODEL_RUNTIMES }: Partial<KnownPlaces> = {},
  ): Promise<ModelRegistry> {
    const models = new Map<string, Model>();
    for (const root of modelsDir === null ? [builtIn] : [builtIn, modelsDir]) {
      for (const model of await modelsBelow(root, runtimes)) {
        const known = models.get(model.manifest.id);
        if (known)
          throw new ModelError(`The model ${model.manifest.id} exists in both ${known.folder} and ${model.folder}.`);
        models.set(model.manifest.id, model);
      }
    }
    return new ModelRegistry(models);
  }

  all(): readonly Model[] {
    return [...this.models.values()];
  }

  idsOf(kind: ModelKind): readonly string[] {
    return this.all().flatMap(({ manifest }) => (manifest.kind === kind ? [manifest.id] : []));
  }

  /** Throws MissingModelError if there is no model of this name. */
  get(id: string): ImageModel {
    return this.find(id, 'image-embedding') as ImageModel;
  }

  /** The same for text embeddings. */
  getText(id: string): TextModel {
    return this.find(id, 'text-embedding') as TextModel;
  }

  private find(id: string, wanted: ModelKind): Model {
    const model = this.models.get(id);
    if (model === undefined) throw new MissingModelError(id, this.idsOf(wanted));
    const { kind } = model.manifest;
    if (kind !== wanted) throw new ModelError(`The model ${id} is of kind ${kind}.`);
    return model;
  }
}

async function modelsBelow(root: string, runtimes: readonly ModelRuntime[]): Promise<Model[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch((error: unknown) => {
    throw new ModelError(`The model folder ${root} can't be read: ${String(error)}.`);
  });
  const folders = entries.filter((entry) => !entry.isFile()).map((entry) => join(root, entry.name));
  const found = await Promise.all(folders.sort().map((folder) => readModel(folder, runtimes)));
  return found.filter((model) => model !== undefined);
}

async function readModel(folder: string, runtimes: readonly ModelRuntime[]): Promise<Model | undefined> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ModelError(`${path} can't be read: ${String(error)}.`);
  });
  if (text === undefined) return undefined;
  const content = parseJson(path, text);
  try {
    return runtimeOf(path, content, runtimes).modelOf(folder, content);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const issue = error.issues[0]!;
    throw new ModelError(`${path} is not a valid model manifest: ${issue.path.join('.')} ${issue.message}.`);
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ModelError(`${path} is not JSON.`);
  }
}

function runtimeOf(path: string, content: unknown, runtimes: readonly ModelRuntime[]): ModelRuntime {
  const { kind, runtime } = runtimeChoice.parse(content);
  const ofKind = runtimes.filter((each) => each.kind === kind);
  if (ofKind.length === 0) throw new ModelError(`${path} has the kind ${kind}, which is not supported.`);
  const named = ofKind.find(({ name }) => name === runtime);
  if (named !== undefined) return named;
  const known = ofKind.map(({ name }) => name).join(', ');
  throw new ModelError(
    `${path} requires the runtime ${runtime}, which does not exist; for the kind ${kind} there is ${known}.`,
  );
}
