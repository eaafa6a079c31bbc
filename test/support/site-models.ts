import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_IMAGE_MODEL, DEFAULT_TEXT_MODEL } from '../../src/common/platform/config/runtime-settings.schema';
import { BUILT_IN_MODELS } from '../../src/common/engine/models/built-in-models';
import { encodeOnnx } from '../../src/common/engine/arithmetic/onnx-graph';
import type { ClassLabel } from '../../src/common/engine/models/label-hierarchy';
import { flattenModel } from './flatten-model';

const WIDTH = 10;
const HEIGHT = 8;

/** The dimension of an image model created here; no built-in model has the same one. */
export const SITE_DIMENSION = 3 * WIDTH * HEIGHT;

/** A folder for MODELS_DIR with models created for a test. */
export class SiteModels {
  private readonly writers: number[] = [];

  private constructor(readonly folder: string) {}

  static async make(): Promise<SiteModels> {
    return new SiteModels(await mkdtemp(join(tmpdir(), 'site-models-')));
  }

  /** Models in the folder where a service installs them. */
  static installed(dataDir: string): SiteModels {
    return new SiteModels(join(dataDir, 'models'));
  }

  /** Adds a model that describes a picture only by its pixels, scaled down. */
  async addImageModel(id: string, changes: object = {}): Promise<void> {
    const preprocessing = {
      input: 'image',
      width: WIDTH,
      height: HEIGHT,
      fit: 'fill',
      layout: 'NHWC',
      type: 'float32',
    };
    const place = await this.copy(DEFAULT_IMAGE_MODEL, {
      id,
      preprocessing: { ...preprocessing, mean: [0.5, 0.5, 0.5] },
      outputs: { embedding: 'embedding', dimension: SITE_DIMENSION },
      ...changes,
    });
    await writeFile(join(place, 'model.onnx'), flattenModel('image', 'embedding'));
  }

  async addTextModel(id: string, dimension: number): Promise<void> {
    await this.copy(DEFAULT_TEXT_MODEL, { id, outputs: { dimension } });
  }

  /** Adds a tagger with a class for each of red, green and blue, which is sure of pictures with much of one of them. */
  async addTagger(id: string, classes: readonly ClassLabel[], changes: object = {}): Promise<string> {
    const place = join(this.folder, id);
    await mkdir(place, { recursive: true });
    const manifest = {
      id,
      name: id,
      type: 'IMAGE_TAGGING',
      runtime: 'onnx',
      description: 'Labels the colour of a picture.',
      licence: 'Apache-2.0',
      files: { model: 'model.onnx', labels: 'labels.json' },
      preprocessing: { input: 'image', width: 8, height: 8, fit: 'cover', layout: 'NCHW', type: 'float32' },
      outputs: { logits: 'logits' },
      temperature: 0.1,
      ...changes,
    };
    await writeFile(join(place, 'manifest.json'), JSON.stringify(manifest));
    await writeFile(join(place, 'labels.json'), JSON.stringify(classes));
    await writeFile(join(place, 'model.onnx'), meanColours());
    return place;
  }

  /** Adds a captioner that uses the server at this origin, such as a StubModelServer. `changes.server` is merged into the manifest. */
  async addCaptioner(
    id: string,
    serverUrl: string,
    changes: { readonly server?: object; readonly [field: string]: unknown } = {},
  ): Promise<void> {
    await this.addServed(id, serverUrl, { type: 'CAPTION_IMAGES', ...changes });
  }

  /** Adds an encoder of pictures and texts that uses the server at this origin. */
  async addEncoder(
    id: string,
    serverUrl: string,
    changes: { readonly server?: object; readonly [field: string]: unknown } = {},
  ): Promise<void> {
    await this.addServed(id, serverUrl, { type: 'MULTIMODEL_IMAGE_ENCODING', outputs: { dimension: 2 }, ...changes });
  }

  /** Adds a copy of a model from another folder. */
  async addCopy(of: string, changes: { readonly id: string; readonly [field: string]: unknown }): Promise<string> {
    const place = join(this.folder, changes.id);
    await cp(of, place, { recursive: true });
    const path = join(place, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(path, JSON.stringify({ ...manifest, ...changes }));
    return place;
  }

  /** Adds a model whose file never ends, so that opening it blocks. */
  async addEndless(id: string): Promise<{ isRead: () => boolean }> {
    const path = join(await this.copy(DEFAULT_IMAGE_MODEL, { id }), 'model.onnx');
    await rm(path);
    execFileSync('mkfifo', [path]);
    return { isRead: () => this.hasReader(path) };
  }

  async take(id: string): Promise<void> {
    await rm(join(this.folder, id), { recursive: true });
  }

  async remove(): Promise<void> {
    for (const writer of this.writers) closeSync(writer);
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Keeps its end open, because a reader without a writer would see the end of the file. */
  private hasReader(fifo: string): boolean {
    try {
      this.writers.push(openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK));
      return true;
    } catch {
      return false;
    }
  }

  private async addServed(
    id: string,
    serverUrl: string,
    fields: { readonly server?: object; readonly [field: string]: unknown },
  ): Promise<void> {
    const server = { url: `${serverUrl}/v1`, model: 'stub', retryMs: 10, ...fields.server };
    const manifest = {
      id,
      name: id,
      runtime: 'openai',
      description: 'Describes pictures, at a server.',
      licence: 'Apache-2.0',
      ...fields,
      server,
    };
    const place = join(this.folder, id);
    await mkdir(place, { recursive: true });
    await writeFile(join(place, 'manifest.json'), JSON.stringify(manifest));
  }

  private copy(of: string, changes: { readonly id: string; readonly [field: string]: unknown }): Promise<string> {
    return this.addCopy(join(BUILT_IN_MODELS, of), changes);
  }
}

/** An ONNX model with the mean of each channel, 0 to 1. */
const meanColours = (): Uint8Array =>
  encodeOnnx({
    nodes: [{ operator: 'ReduceMean', inputs: ['image'], output: 'logits', attributes: { axes: [2, 3], keepdims: 0 } }],
    constants: [],
    inputs: [{ name: 'image', element: 'float32', shape: ['pictures', 3, 8, 8] }],
    outputs: [{ name: 'logits', element: 'float32', shape: ['pictures', 3] }],
  });
