import { readFile } from 'node:fs/promises';
import type { Annotation } from '../dataset.js';
import { csvRows } from './csv.js';
import { NotThereError, UsageError } from './exit.js';

type Row = Readonly<Record<string, unknown>>;

const NAMES = ['file_name', 'file_path', 'filename'];

/** Reads labels and captions from a JSON, JSONL or CSV file, one annotation per medium. */
export async function readAnnotations(path: string): Promise<Annotation[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new NotThereError(`${path} could not be read: ${(error as Error).message}`);
  });
  const read = /\.csv$/i.test(path) ? csvObjects : /\.(?:jsonl|ndjson)$/i.test(path) ? lineObjects : listObjects;
  const merged = new Map<string, Annotation>();
  try {
    for (const { place, row } of read(text)) merge(merged, row, place);
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`);
  }
  if (merged.size === 0) throw new UsageError(`${path} has no annotations`);
  return [...merged.values()];
}

interface Placed {
  readonly place: string;
  readonly row: unknown;
}

/** Empty cells are ignored. A cell of labels is a single label, or a list as JSON. */
function* csvObjects(text: string): Generator<Placed> {
  let names: readonly string[] | undefined;
  for (const { line, cells } of csvRows(text)) {
    if (names === undefined) {
      names = cells.map((name) => name.trim());
      continue;
    }
    const given = names
      .map((name, at): [string, unknown] => [name, cells[at] ?? ''])
      .filter(([, value]) => value !== '');
    const row: Record<string, unknown> = Object.fromEntries(given);
    if (typeof row['labels'] === 'string' && row['labels'].trim().startsWith('['))
      row['labels'] = JSON.parse(row['labels']);
    yield { place: `line ${line}`, row };
  }
}

function* lineObjects(text: string): Generator<Placed> {
  for (const [at, line] of text.split('\n').entries())
    if (line.trim() !== '') yield { place: `line ${at + 1}`, row: JSON.parse(line) };
}

function* listObjects(text: string): Generator<Placed> {
  const parsed = JSON.parse(text) as unknown;
  const list = Array.isArray(parsed)
    ? (parsed as unknown[])
    : (parsed as { readonly annotations?: unknown } | null)?.annotations;
  if (!Array.isArray(list)) throw new Error('it is neither a list of annotations, nor an object with "annotations"');
  for (const [at, row] of (list as unknown[]).entries()) yield { place: `annotation ${at + 1}`, row };
}

/** Labels of several rows of a medium are joined; the last caption wins. */
function merge(merged: Map<string, Annotation>, given: unknown, place: string): void {
  if (typeof given !== 'object' || given === null) throw new Error(`${place} is not an object`);
  const row = given as Row;
  const mediaId = textOf(row['media_id']);
  const fileName = NAMES.map((name) => textOf(row[name])).find((name) => name !== undefined);
  if (mediaId === undefined && fileName === undefined) throw new Error(`${place} has neither media_id nor file_name`);
  const labels = labelsOf(row['labels'] ?? row['label'], place);
  const { caption } = row;
  if (caption !== undefined && caption !== null && typeof caption !== 'string')
    throw new Error(`${place} has a caption that is not a text`);
  if (labels === undefined && caption === undefined) throw new Error(`${place} has neither labels nor a caption`);
  const key = mediaId === undefined ? `name ${fileName!}` : `id ${mediaId}`;
  const annotation = merged.get(key) ?? (mediaId === undefined ? { file_name: fileName! } : { media_id: mediaId });
  if (labels !== undefined) annotation.labels = [...new Set([...(annotation.labels ?? []), ...labels])];
  if (caption !== undefined) annotation.caption = caption;
  merged.set(key, annotation);
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function labelsOf(value: unknown, place: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const labels = Array.isArray(value) ? (value as unknown[]) : [value];
  if (labels.every((label) => typeof label === 'string' || typeof label === 'number')) return labels.map(String);
  throw new Error(`${place} has labels that are neither a text nor a list of texts`);
}
