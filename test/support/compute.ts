import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ComputePool, type PoolLimits, type ComputeConfig } from '../../src/common/engine/compute/compute-pool';
import type { AnalyzeRequest, AnalyzeResult, ImageAnalysis } from '../../src/common/engine/compute/media-analysis';
import { DEFAULT_IMAGE_MODEL } from '../../src/common/platform/config/runtime-settings.schema';
import { createStorage } from '../../src/common/platform/storage/create-storage';
import type { ObjectStore } from '../../src/common/platform/storage/object-store';

/** A compute pool with its own media folder and folder store. */
export class ComputeBench {
  readonly pool: ComputePool;
  readonly config: ComputeConfig;
  readonly store: ObjectStore;

  private constructor(
    readonly folder: string,
    concurrency: number,
    limits: Partial<PoolLimits>,
    roots: readonly string[],
    modelsDir: string | null,
  ) {
    this.config = {
      storageUrl: pathToFileURL(join(folder, 'store')).href,
      s3: null,
      mediaRoots: [join(folder, 'media'), ...roots],
      mediaBuckets: [],
      baseUrl: 'http://127.0.0.1',
      dataDir: join(folder, 'data'),
      modelsDir,
      workerConcurrency: concurrency,
    };
    this.store = createStorage({ ...this.config, secretKey: new Uint8Array(32) }).store;
    this.pool = new ComputePool(this.config, limits);
  }

  static async open(
    concurrency = 1,
    limits: Partial<PoolLimits> = {},
    roots: readonly string[] = [],
    modelsDir: string | null = null,
  ): Promise<ComputeBench> {
    const folder = await mkdtemp(join(tmpdir(), 'compute-spec-'));
    await mkdir(join(folder, 'media'));
    return new ComputeBench(folder, concurrency, limits, roots, modelsDir);
  }

  path(name: string): string {
    return join(this.folder, 'media', name);
  }

  source(name: string): string {
    return pathToFileURL(this.path(name)).href;
  }

  async analyze(name: string, bytes: Uint8Array, request: Partial<AnalyzeRequest> = {}): Promise<AnalyzeResult> {
    await writeFile(this.path(name), bytes);
    return this.pool.analyze(this.request(name, request));
  }

  async analyzeImage(name: string, bytes: Uint8Array, request: Partial<AnalyzeRequest> = {}): Promise<ImageAnalysis> {
    const result = await this.analyze(name, bytes, request);
    if (result.kind !== 'IMAGE') throw new Error(`${name} gave ${JSON.stringify(result)}`);
    return result;
  }

  request(name: string, request: Partial<AnalyzeRequest> = {}): AnalyzeRequest {
    const source = this.source(name);
    const modelId = DEFAULT_IMAGE_MODEL;
    return { source, modelId, fileName: name, boxes: [], swapRedBlueForTiffHeic: false, frameHeight: null, ...request };
  }

  async stored(key: string): Promise<Buffer> {
    return Buffer.concat(await (await this.store.get(key)).toArray());
  }

  async close(): Promise<void> {
    await this.pool.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
