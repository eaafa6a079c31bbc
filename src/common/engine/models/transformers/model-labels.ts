import { z } from 'zod';
import { ModelError } from '../model-error';
import type { HuggingFaceFolder } from './hugging-face-folder';

const labelsSchema = z.object({ id2label: z.record(z.string(), z.string().min(1)) });

/** The names of a model's classes, in the order of its outputs. Throws ModelError if its manifest has labels as well. */
export async function modelLabels(
  folder: HuggingFaceFolder,
  ofManifest: readonly string[] | undefined,
): Promise<string[]> {
  if (ofManifest !== undefined)
    throw new ModelError(`The model ${folder.modelId} has labels of its own. Remove labels from its manifest.`);
  const { data } = labelsSchema.safeParse(await folder.json('config.json'));
  if (data === undefined) throw new ModelError(`The config.json in ${folder.path} has no labels (id2label).`);
  const count = Object.keys(data.id2label).length;
  return Array.from({ length: count }, (_, at) => {
    const label = data.id2label[at];
    if (label === undefined) throw new ModelError(`The config.json in ${folder.path} has no label ${at} (id2label).`);
    return label;
  });
}
