import { ModelRegistry } from '../common/engine/models/model-registry';

/** Prints a line for each model, and the reason for each folder that cannot be used. */
export async function listModels(
  { modelsDir, dataDir }: { readonly modelsDir: string | null; readonly dataDir: string },
  print: (line: string) => void,
): Promise<void> {
  const registry = await ModelRegistry.load(modelsDir, { dataDir });
  const rows = registry
    .all()
    .map(({ manifest: { id, type, runtime, status, name } }) => [id, type, runtime, status, name]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows) print(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  for (const { folder, reason } of registry.broken()) print(`${folder} can't be used: ${reason}`);
}
