import { join } from 'node:path';
import { z } from 'zod';
import { MAX_PARENTS, type ClassLabel } from './label-hierarchy';
import { ModelError } from './model-error';
import { parseJson, readPlainFile } from './model-folder';

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_CLASSES = 20_000;

const label = z.string().trim().min(1).max(200);

const classLabels = z
  .array(z.strictObject({ label, parents: z.array(label).max(MAX_PARENTS) }))
  .min(1)
  .max(MAX_CLASSES);

/** The label and the parents of each class of a model, in the order of its outputs. Throws ModelError. */
export async function readClassLabels(folder: string, file: string): Promise<readonly ClassLabel[]> {
  const { data, error } = classLabels.safeParse(
    parseJson(file, await readPlainFile(join(folder, file), MAX_BYTES, file)),
  );
  if (data !== undefined) return data;
  const { path, message } = error.issues[0]!;
  throw new ModelError(`${file} is not a list of labels with their parents: ${[...path, message].join(' ')}.`);
}
