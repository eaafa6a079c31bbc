import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorCode, errorMessage } from '../../platform/errors/error-code';
import { BUILT_IN_MODELS } from './built-in-models';
import { LabelHierarchy, type ClassLabel } from './label-hierarchy';
import { MissingModelError, ModelError, assertFromModel } from './model-error';
import { modelOf, readManifest, typeIn } from './model-folder';
import type { ModelType } from './model-manifest';
import type { Model, ModelRuntime } from './model-runtime';
import { MODEL_RUNTIMES } from './model-runtimes';

interface KnownPlaces {
  readonly builtIn: string;
  /** Models are installed into its folder `models`. */
  readonly dataDir: string | null;
  readonly runtimes: readonly ModelRuntime[];
}

/** A folder with a manifest that cannot be used. */
export interface BrokenModel {
  readonly folder: string;
  /** The type in the manifest; null if it cannot be read. */
  readonly type: string | null;
  /** One sentence. */
  readonly reason: string;
}

interface Seen {
  readonly manifest: string;
  readonly model: Model;
  readonly labels: readonly ClassLabel[];
}

/** The built-in models, and those in DATA_DIR/models and MODELS_DIR, as of the last refresh. */
export class ModelRegistry {
  private models: ReadonlyMap<string, Model> = new Map();
  private brokenModels: readonly BrokenModel[] = [];
  /** By folder. A model remains the same object until its manifest changes. */
  private seen: ReadonlyMap<string, Seen> = new Map();
  private hierarchy = LabelHierarchy.of([]);
  private looking: Promise<void> | undefined;
  private lookingNext: Promise<void> | undefined;

  private constructor(
    private readonly modelsDir: string | null,
    private readonly places: KnownPlaces,
  ) {}

  /** Throws ModelError if the folder of all models cannot be read. Invalid models are skipped and reported by `broken`. */
  static async load(
    modelsDir: string | null,
    { builtIn = BUILT_IN_MODELS, dataDir = null, runtimes = MODEL_RUNTIMES }: Partial<KnownPlaces> = {},
  ): Promise<ModelRegistry> {
    const registry = new ModelRegistry(modelsDir, { builtIn, dataDir, runtimes });
    await registry.refresh();
    return registry;
  }

  /** Refreshes the list of folders. Never returns the result of a refresh that started before this call. */
  refresh(): Promise<void> {
    if (this.looking === undefined) {
      this.looking = this.look().finally(() => (this.looking = undefined));
      return this.looking;
    }
    this.lookingNext ??= this.looking
      .catch(() => undefined)
      .then(() => {
        this.lookingNext = undefined;
        return this.refresh();
      });
    return this.lookingNext;
  }

  all(): readonly Model[] {
    return [...this.models.values()];
  }

  broken(): readonly BrokenModel[] {
    return this.brokenModels;
  }

  /** The models that can be applied. */
  idsOf(type: ModelType): readonly string[] {
    return this.all().flatMap(({ manifest: { id, type: its, status } }) =>
      its === type && status === 'Active' ? [id] : [],
    );
  }

  /** The labels of all models that know parents. Remains the same object until these models change. */
  get labelHierarchy(): LabelHierarchy {
    return this.hierarchy;
  }

  has(id: string): boolean {
    return this.models.has(id);
  }

  /**
   * Throws MissingModelError if there is no model with this name, UploadedVectorsError if the id represents uploaded vectors, and ModelError if the
   * model has another type.
   */
  get<Type extends ModelType>(wanted: Type, id: string): Model<Type> {
    assertFromModel(id);
    const model = this.models.get(id);
    if (model === undefined) throw new MissingModelError(id, this.idsOf(wanted), this.reasonOf(id));
    const { type } = model.manifest;
    if (type !== wanted) throw new ModelError(`The model ${id} is of type ${type}, not ${wanted}.`);
    return model as unknown as Model<Type>;
  }

  /** Like `get`, but refreshes if there is no such model, because it may have been added since. */
  async find<Type extends ModelType>(wanted: Type, id: string): Promise<Model<Type>> {
    assertFromModel(id);
    if (!this.models.has(id)) await this.refresh();
    return this.get(wanted, id);
  }

  /** The reason why the folder with this name cannot be used. */
  private reasonOf(id: string): string | undefined {
    return this.brokenModels.find(({ folder }) => basename(folder) === id)?.reason;
  }

  private async look(): Promise<void> {
    const { builtIn, dataDir } = this.places;
    const roots = this.modelsDir === null ? [builtIn] : [builtIn, this.modelsDir];
    const folders = (await Promise.all(roots.map((root) => foldersIn(root)))).flat();
    if (dataDir !== null) folders.push(...(await foldersIn(join(dataDir, 'models'), { mayBeMissing: true })));
    const seen = new Map<string, Seen>();
    const models = new Map<string, Model>();
    const broken: BrokenModel[] = [];
    for (const folder of folders) {
      try {
        const found = await this.lookAt(folder);
        if (found === undefined) continue;
        const { id } = found.model.manifest;
        const known = models.get(id);
        if (known)
          throw new ModelError(`The model ${id} exists in both ${basename(known.folder)} and ${basename(folder)}.`);
        seen.set(folder, found);
        models.set(id, found.model);
      } catch (error) {
        broken.push({ folder, type: await typeIn(folder), reason: errorMessage(error) });
      }
    }
    this.hierarchy = this.hierarchy.with([...seen.values()].map(({ labels }) => labels));
    this.seen = seen;
    this.models = models;
    this.brokenModels = broken;
  }

  private async lookAt(folder: string): Promise<Seen | undefined> {
    const manifest = await readManifest(folder);
    if (manifest === undefined) return undefined;
    // Checked each time, because a file may have been removed.
    const model = await modelOf(folder, manifest, this.places.runtimes);
    const known = this.seen.get(folder);
    if (known?.manifest === manifest) return known;
    return { manifest, model, labels: (await model.classLabels?.()) ?? [] };
  }
}

async function foldersIn(root: string, { mayBeMissing = false } = {}): Promise<string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isFile())
      .map((entry) => join(root, entry.name))
      .sort();
  } catch (error) {
    if (mayBeMissing && errorCode(error) === 'ENOENT') return [];
    throw new ModelError(`The model folder ${root} can't be read: ${errorMessage(error)}.`);
  }
}
