import { stat, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { constants } from 'node:fs';
import { z } from 'zod';
import { errorMessage } from '../../platform/errors/error-code';
import { ModelError } from './model-error';
import { MODEL_TYPES } from './model-manifest';
import type { Model, ModelRuntime } from './model-runtime';

/** Opening a pipe would otherwise wait for a writer, and block one of the few threads for files. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

const TYPES: Readonly<Record<string, string>> = {
  'image-embedding': 'IMAGE_ENCODING',
  'text-embedding': 'TEXT_ENCODING',
};

const FIRST_FIELDS = new Set(['kind', 'file', 'input', 'output', 'ladder', 'nearDuplicateCosine']);

const MANIFEST = 'manifest.json';
const MAX_MANIFEST_BYTES = 1024 * 1024;

const runtimeChoice = z.object({ type: z.enum(MODEL_TYPES), runtime: z.string() });

/** The content of the manifest; undefined if the folder has none and is therefore not a model. */
export async function readManifest(folder: string): Promise<string | undefined> {
  const path = join(folder, MANIFEST);
  try {
    return await readPlainFile(path, MAX_MANIFEST_BYTES, nameOf(folder));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (error instanceof ModelError) throw error;
    throw new ModelError(`${nameOf(folder)} can't be read: ${code ?? errorMessage(error)}.`);
  }
}

/** Throws ModelError with one sentence if the manifest is invalid or one of its files is missing. */
export async function modelOf(folder: string, text: string, runtimes: readonly ModelRuntime[]): Promise<Model> {
  const path = nameOf(folder);
  const content = currentManifest(parseJson(path, text));
  const model = parsed(path, () => runtimeOf(path, content, runtimes).modelOf(folder, content));
  for (const file of model.files) {
    const found = await stat(join(folder, file)).catch(() => undefined);
    if (found === undefined || found.isDirectory())
      throw new ModelError(`The file ${file} is missing, although ${path} names it.`);
  }
  return model;
}

/** The type of a model, even if its manifest is otherwise invalid. */
export async function typeIn(folder: string): Promise<string | null> {
  try {
    const content = currentManifest(JSON.parse((await readManifest(folder)) ?? 'null'));
    return z.object({ type: z.enum(MODEL_TYPES) }).parse(content).type;
  } catch {
    return null;
  }
}

function parsed<Result>(path: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const issue = error.issues[0]!;
    const what = issue.path.length === 0 ? issue.message : `${issue.path.join('.')} ${issue.message}`;
    throw new ModelError(`${path} is not a valid model manifest: ${what}.`);
  }
}

/** Throws ModelError. */
export function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ModelError(`${path} is not JSON.`);
  }
}

function runtimeOf(path: string, content: unknown, runtimes: readonly ModelRuntime[]): ModelRuntime {
  const { type, runtime } = runtimeChoice.parse(content);
  const ofType = runtimes.filter((each) => each.type === type);
  const named = ofType.find(({ name }) => name === runtime);
  if (named !== undefined) return named;
  const known = ofType.map(({ name }) => name).join(', ');
  throw new ModelError(
    `${path} requires the runtime ${runtime}, which does not exist; for the type ${type} there is ${known === '' ? 'none' : known}.`,
  );
}

/** Converts a manifest of an earlier version, with `kind`, to the current form; others are unchanged. */
function currentManifest(content: unknown): unknown {
  if (!isObject(content) || content['kind'] === undefined || content['type'] !== undefined) return content;
  const { kind, file, input, output, ladder } = content;
  return {
    ...Object.fromEntries(Object.entries(content).filter(([name]) => !FIRST_FIELDS.has(name))),
    type: typeof kind === 'string' ? (TYPES[kind] ?? kind) : kind,
    ...(file === undefined ? {} : { files: { model: file } }),
    ...(isObject(input) ? { preprocessing: renamed(input, 'name', 'input') } : {}),
    ...(isObject(output) ? { outputs: renamed(output, 'name', 'embedding') } : {}),
    ...(ladder === undefined ? {} : { calibration: { ladder } }),
  };
}

function renamed(content: Record<string, unknown>, from: string, to: string): Record<string, unknown> {
  const { [from]: value, ...rest } = content;
  return value === undefined ? rest : { ...rest, [to]: value };
}

const isObject = (content: unknown): content is Record<string, unknown> =>
  typeof content === 'object' && content !== null && !Array.isArray(content);

/** Without the path of the folder, because API callers should not see paths of this machine. */
const nameOf = (folder: string): string => `${basename(folder)}/${MANIFEST}`;

/** Reads a text file in a model's folder. Throws ModelError, which refers to the file as `name`, if it is not a regular file or too large. */
export const readPlainFile = async (path: string, maxBytes: number, name = path): Promise<string> =>
  (await readPlainBytes(path, maxBytes, name)).toString();

/** Like `readPlainFile`, for any content. */
export async function readPlainBytes(path: string, maxBytes: number, name = path): Promise<Buffer> {
  const file = await open(path, WITHOUT_WAITING);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new ModelError(`${name} is not a file.`);
    if (stats.size > maxBytes) throw new ModelError(`${name} is larger than ${maxBytes} bytes.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
