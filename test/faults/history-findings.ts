import type { MediaRow } from '../../src/common/engine/media-table/media-row';
import type { Models } from './history-models';
import { SAID } from './history-sources';

/** The findings of the models in a picture, as texts by type of model. */
export type Found = ReadonlyMap<string, string>;

export const FINDING_COLUMNS = ['generatedCaption', 'labels', 'generatedLabels', 'multimodalEmbedding'] as const;

export function foundIn(
  row: Pick<MediaRow, (typeof FINDING_COLUMNS)[number]>,
  objects: readonly Pick<MediaRow, 'labels' | 'generatedCaption'>[],
): Found {
  const { generatedCaption: caption, labels, generatedLabels, multimodalEmbedding: vector } = row;
  const found = new Map<string, string>();
  if (caption !== null) found.set('CAPTION_IMAGES', caption);
  const generated = (generatedLabels ?? []).map(({ label }) => label);
  // Others are those of people when the table was written.
  expect(labels.filter((label) => !label.startsWith(SAID))).toEqual(generated);
  if (generatedLabels !== null) found.set('IMAGE_TAGGING', generated.join(', '));
  if (vector !== null) found.set('MULTIMODEL_IMAGE_ENCODING', [...vector].map((value) => value.toFixed(4)).join(' '));
  if (objects.length > 0) found.set('OBJECT_DETECTION', objects.map((object) => object.labels.join(', ')).join('; '));
  const captions = objects.flatMap(({ generatedCaption: each }) => each ?? []);
  if (captions.length > 0) found.set('CAPTION_OBJECTS', captions.join('; '));
  return found;
}

/** Records the findings of each model in a picture, which never change and differ between pictures. */
export class KnownFindings {
  private readonly found = new Map<string, string>();
  private readonly pictures = new Map<string, string>();

  /** The inconsistencies in the findings of a picture. */
  problems(applied: Models, sha256: string, found: Found): string[] {
    const problems: string[] = [];
    for (const [type, text] of found)
      if (!applied.has(type)) problems.push(`${type} found ${text}, but is not applied`);
    for (const [type, model] of applied) {
      const text = found.get(type);
      const known = this.learn(`${type} ${model}`, sha256, text);
      if (text === undefined || known !== text) problems.push(`${type} found ${text ?? 'nothing'} instead of ${known}`);
    }
    return problems;
  }

  private learn(model: string, sha256: string, text: string | undefined): string {
    const key = `${model} in ${sha256}`;
    const known = this.found.get(key);
    if (known !== undefined || text === undefined) return known ?? 'something';
    const [type, id] = model.split(' ') as [string, string];
    if (type !== 'MULTIMODEL_IMAGE_ENCODING' && !new RegExp(`^${id} [0-9a-f]+$`).test(text)) return `words of ${id}`;
    const other = this.pictures.get(`${model} ${text}`);
    if (other !== undefined) return `something else than in ${other}`;
    this.found.set(key, text);
    this.pictures.set(`${model} ${text}`, sha256);
    return text;
  }
}
