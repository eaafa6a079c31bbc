import { errorMessage } from '../../platform/errors/error-code';
import type { CheckedModel } from '../models/child-openers';
import { ModelRegistry } from '../models/model-registry';
import type { ModelToLoad } from './compute-messages';

/** The compute children cannot work, for a reason that is not the fault of a file. */
export class ComputeUnavailableError extends Error {}

/** Finds and checks the models of requests in the parent, so that children need not check manifests. */
export class ComputeModels {
  private registry: Promise<ModelRegistry> | undefined;

  constructor(private readonly folders: { readonly modelsDir: string | null; readonly dataDir: string }) {}

  /** Throws ComputeUnavailableError if the folder of all models can't be read, and otherwise what ModelRegistry throws. */
  async find({ type, id }: ModelToLoad): Promise<CheckedModel> {
    const registry = await (this.registry ??= this.load());
    return registry.find(type, id);
  }

  /** Refreshes the list of folders when the next model is needed. */
  forget(): void {
    this.registry = undefined;
  }

  private async load(): Promise<ModelRegistry> {
    const { modelsDir, dataDir } = this.folders;
    try {
      return await ModelRegistry.load(modelsDir, { dataDir });
    } catch (error) {
      this.forget();
      throw new ComputeUnavailableError(`No compute child can start: ${errorMessage(error)}`);
    }
  }
}
