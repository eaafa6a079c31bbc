import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { InferenceSession } from 'onnxruntime-node';
import { errorMessage } from '../../../platform/errors/error-code';
import { ModelError } from '../model-error';
import type { ModelDevice } from '../model-manifest';
import { openSession } from '../onnx-session';
import { readPlainFile } from '../model-folder';
import { PicturePreparation } from './picture-preparation';

/** Exporters write models to the folder itself or to this subfolder. */
const SUBFOLDERS = ['', 'onnx'];
/** Large enough for tokenizers of large language models, about 30 MB. */
const MAX_JSON_BYTES = 128 * 1024 * 1024;

/** A folder as written by `optimum-cli export onnx`, or in the layout of repositories for Transformers.js. */
export class HuggingFaceFolder {
  private readonly opened: InferenceSession[] = [];

  constructor(
    readonly path: string,
    readonly modelId: string,
    readonly device: ModelDevice,
    /** File names in the manifest that replace the usual names. */
    private readonly named: Readonly<Record<string, string | undefined>> = {},
  ) {}

  /** Throws ModelError if the file is missing or not a JSON object. */
  async json(name: string): Promise<object> {
    const path = join(this.path, name);
    const text = await readPlainFile(path, MAX_JSON_BYTES).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw this.missing(name);
      if (error instanceof ModelError) throw error;
      throw new ModelError(`${path} can't be read: ${errorMessage(error)}.`);
    });
    const content = parsed(text);
    if (typeof content !== 'object' || content === null) throw new ModelError(`${path} is not a JSON object.`);
    return content;
  }

  async preparation(): Promise<PicturePreparation> {
    const name = 'preprocessor_config.json';
    return PicturePreparation.from(join(this.path, name), await this.json(name));
  }

  async has(file: string): Promise<boolean> {
    const found = await stat(join(this.path, file)).catch(() => undefined);
    return found?.isFile() === true;
  }

  /** The path of a model in the folder; undefined if it does not exist. */
  async find(name: string): Promise<string | undefined> {
    const named = this.named[name];
    const candidates = named === undefined ? SUBFOLDERS.map((folder) => join(folder, `${name}.onnx`)) : [named];
    for (const candidate of candidates) {
      if (await this.has(candidate)) return candidate;
    }
    return undefined;
  }

  /** The subfolder that contains all of these models. Throws ModelError if there is none. */
  async subfolderOf(...names: readonly string[]): Promise<string> {
    for (const subfolder of SUBFOLDERS) {
      const found = await Promise.all(names.map((name) => this.has(join(subfolder, `${name}.onnx`))));
      if (found.every((is) => is)) return subfolder;
    }
    throw this.missing(names.map((name) => `${name}.onnx`).join(' or '));
  }

  /** Opens the first of these models that exists. */
  async session(...names: readonly string[]): Promise<InferenceSession> {
    for (const name of names) {
      const file = await this.find(name);
      if (file !== undefined) return this.open(file);
    }
    throw this.missing(names.map((name) => `${name}.onnx`).join(' or '));
  }

  /** Closes all sessions that it has opened. */
  async close(): Promise<void> {
    for (const session of this.opened.splice(0)) await session.release();
  }

  private async open(file: string): Promise<InferenceSession> {
    const session = await openSession(this.path, file, { device: this.device });
    this.opened.push(session);
    return session;
  }

  private missing(file: string): ModelError {
    return new ModelError(`The file ${file} is missing in ${this.path}. Export the model ${this.modelId} again.`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
