import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BUILT_IN_MODELS } from '../../src/common/engine/models/built-in-models';
import type { ModelEntry, ModelPackage } from '../../src/model-tools/packages/model-package';
import { tarOf } from './archive-bytes';

/** The bytes of a package of npm with the given members. */
export const npmPackage = (members: Readonly<Record<string, string | Buffer>>): Buffer =>
  gzipSync(tarOf(Object.entries(members).map(([name, bytes]) => ({ name, bytes: Buffer.from(bytes) }))));

/** The description of a package with these bytes. */
export const describedPackage = (bytes: Buffer, changes: Partial<ModelPackage> = {}): ModelPackage => ({
  registry: 'npm',
  name: 'weights',
  version: '1.0.0',
  bytes: bytes.length,
  sha256: hash('sha256', bytes),
  licence: 'MIT',
  notice: 'Copyright (c) 2026 the author of the weights.',
  members: { 'model.onnx': { path: 'package/model.onnx', bytes: 1_000 } },
  ...changes,
});

const MANIFEST = JSON.parse(
  readFileSync(join(BUILT_IN_MODELS, 'fixed-filters_v01', 'manifest.json'), 'utf8'),
) as object;

/** Package managers that fetch from a folder. Each writes its arguments and environment into the file `calls`. */
const CLIENTS = {
  npm: 'file="$2" folder="$4"',
  python3: 'file="$4" folder="$6"',
  mvn: 'file="${4#-Dartifact=}" folder="${5#-DoutputDirectory=}"',
} as const;

/** A catalogue, the packages in it, and package managers that know only these. */
export class PackageShelf {
  private constructor(private readonly root: string) {}

  static async make(): Promise<PackageShelf> {
    const shelf = new PackageShelf(await mkdtemp(join(tmpdir(), 'model-packages-')));
    for (const folder of [shelf.catalogue, shelf.dataDir, shelf.programs]) await mkdir(folder);
    return shelf;
  }

  get catalogue(): string {
    return join(this.root, 'catalogue');
  }

  get dataDir(): string {
    return join(this.root, 'data');
  }

  get models(): string {
    return join(this.dataDir, 'models');
  }

  /** For PATH. */
  get programs(): string {
    return join(this.root, 'programs');
  }

  file(name: string): string {
    return join(this.root, name);
  }

  async addClient(name: keyof typeof CLIENTS, otherwise = ''): Promise<void> {
    const log = `{ echo "${name} $*"; /usr/bin/env; } >> '${this.file('calls')}'`;
    const script = otherwise === '' ? `${CLIENTS[name]}\n/bin/cp "${this.root}/$file" "$folder/"` : otherwise;
    await writeFile(join(this.programs, name), `#!/bin/sh\n${log}\n${script}\n`, { mode: 0o700 });
  }

  async removeClient(name: keyof typeof CLIENTS): Promise<void> {
    await rm(join(this.programs, name), { force: true });
  }

  /** What the clients were called with, and their environment. */
  async calls(): Promise<string> {
    return readFile(this.file('calls'), 'utf8').catch(() => '');
  }

  /** Puts a package where the clients find it. */
  async addPackage(name: string, bytes: Buffer): Promise<string> {
    await writeFile(this.file(name), bytes);
    return this.file(name);
  }

  async addEntry(id: string, packages: readonly ModelPackage[], changes: Partial<ModelEntry> = {}): Promise<void> {
    const entry = {
      purpose: 'Weights to try the installation with.',
      packages,
      converter: 'copy',
      manifest: { ...MANIFEST, id, name: id },
      ...changes,
    };
    await writeFile(join(this.catalogue, `${id}.json`), JSON.stringify(entry));
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
