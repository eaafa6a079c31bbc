import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelRegistry } from '../../common/engine/models/model-registry';
import { StartError } from '../../common/platform/config/configuration-error';
import { errorCode, errorMessage } from '../../common/platform/errors/error-code';
import { UnfinishedFiles } from '../../common/platform/storage/folder/unfinished-files';
import { differenceOf, fetchPackage } from './fetch-package';
import { installModel } from './install-model';
import { entriesNamed, packageLabel, readEntries, type ModelEntry, type ModelPackage } from './model-package';

interface Site {
  readonly modelsDir: string | null;
  readonly dataDir: string;
}

interface InstallOptions {
  /** Packages that were fetched before. */
  readonly from?: readonly string[] | undefined;
  readonly signal: AbortSignal;
  readonly catalogue?: string;
}

type Print = (line: string) => void;

/** Installs models and sets of the catalogue into DATA_DIR/models. A model that cannot be installed does not prevent others. */
export async function installModels(
  site: Site,
  names: readonly string[],
  { from = [], signal, catalogue }: InstallOptions,
  print: Print,
): Promise<void> {
  const entries = entriesNamed(readEntries(catalogue), names);
  const missing = await missingOf(entries, site, print);
  if (missing.length === 0) return;
  const folder = join(site.dataDir, 'models');
  const unfinished = new UnfinishedFiles(join(folder, '.unfinished'));
  const packages = new PackageFiles(unfinished.newPath(), signal, print);
  const failures = new Map<string, string[]>();
  try {
    await unfinished.makeFolder();
    await unfinished.sweep();
    await packages.take(from, missing);
    for (const entry of missing) {
      const { id } = entry.manifest;
      const target = join(folder, id);
      try {
        await installModel(entry, { scratch: unfinished.newPath(), target }, (wanted) => packages.fileOf(wanted));
        print(`Installed ${id} in ${target}`);
      } catch (error) {
        signal.throwIfAborted();
        const reason = sentence(error, folder);
        failures.set(reason, [...(failures.get(reason) ?? []), id]);
      }
    }
  } catch (error) {
    throw signal.aborted ? new StartError('The installation was stopped.') : error;
  } finally {
    await packages.remove();
  }
  if (failures.size > 0)
    throw new StartError(
      [...failures].map(([reason, ids]) => `Not installed: ${ids.join(', ')}. ${reason}`).join('\n'),
    );
}

/** Throws StartError if a folder is in the way that cannot be used. */
async function missingOf(entries: readonly ModelEntry[], site: Site, print: Print): Promise<ModelEntry[]> {
  const registry = await ModelRegistry.load(site.modelsDir, { dataDir: site.dataDir });
  return entries.filter(({ manifest: { id } }) => {
    if (registry.has(id)) print(`${id} is installed already`);
    const folder = join(site.dataDir, 'models', id);
    const broken = registry.broken().find((each) => each.folder === folder);
    if (broken !== undefined)
      throw new StartError(`${folder} can't be used (${broken.reason}): delete this folder, then install ${id} again.`);
    return !registry.has(id);
  });
}

function sentence(error: unknown, folder: string): string {
  if (error instanceof StartError) return error.message;
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return `${folder} is on a full disk: make room, then install it again.`;
  if (code !== undefined) return `${folder} can't be written to (${errorMessage(error)}).`;
  throw error;
}

/** The files of packages: given by name, or fetched once each. */
class PackageFiles {
  private readonly files = new Map<string, Promise<string>>();

  constructor(
    private readonly folder: string,
    private readonly signal: AbortSignal,
    private readonly print: Print,
  ) {}

  /** Throws StartError if a file is none of the packages of these entries. */
  async take(paths: readonly string[], entries: readonly ModelEntry[]): Promise<void> {
    const wanted = entries.flatMap(({ packages }) => packages);
    for (const path of paths) {
      const differences = await Promise.all(wanted.map((each) => differenceFrom(path, each)));
      const at = differences.indexOf(undefined);
      if (at === -1)
        throw new StartError(
          `${path} is none of the packages needed: ${wanted.map((each, i) => `for ${packageLabel(each)} ${differences[i]}`).join('; ')}.`,
        );
      this.files.set(wanted[at]!.sha256, Promise.resolve(path));
    }
  }

  fileOf(wanted: ModelPackage): Promise<string> {
    const known = this.files.get(wanted.sha256);
    if (known !== undefined) return known;
    const file = this.fetch(wanted);
    this.files.set(wanted.sha256, file);
    return file;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private async fetch(wanted: ModelPackage): Promise<string> {
    this.print(`Fetching ${packageLabel(wanted)}, ${(wanted.bytes / 1e6).toFixed(1)} MB`);
    const folder = join(this.folder, wanted.sha256);
    await mkdir(folder, { recursive: true });
    return fetchPackage(wanted, folder, this.signal);
  }
}

async function differenceFrom(path: string, wanted: ModelPackage): Promise<string | undefined> {
  try {
    return await differenceOf(path, wanted);
  } catch (error) {
    throw new StartError(`${path} can't be read: ${errorMessage(error)}.`, { cause: error });
  }
}
