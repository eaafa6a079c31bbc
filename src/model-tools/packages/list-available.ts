import { ModelRegistry } from '../../common/engine/models/model-registry';
import { readEntries } from './model-package';

interface Site {
  readonly modelsDir: string | null;
  readonly dataDir: string;
}

/** Prints a line for each model that can be installed. */
export async function listAvailable(
  { modelsDir, dataDir }: Site,
  print: (line: string) => void,
  catalogue?: string,
): Promise<void> {
  const entries = readEntries(catalogue);
  const registry = await ModelRegistry.load(modelsDir, { dataDir });
  const rows = entries.map(({ purpose, set, packages, manifest: { id, licence } }) => [
    id,
    registry.has(id) ? 'installed' : 'not installed',
    `${(packages.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1)} MB`,
    licence,
    packages.map(({ registry: of, name, version }) => `${of}:${name} ${version}`).join(', '),
    set === undefined ? purpose : `${purpose} (set ${set})`,
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows) print(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  if (rows.length === 0) print('The catalogue has no models.');
}
