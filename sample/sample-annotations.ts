import { DrawnObject, Scene } from './drawing';
import { SamplePlan } from './sample-plan';
import { SeededRandom } from './seeded-random';

const UNLABELLED_SHARE = 0.06;

/** The two annotation files of the sample. */
export function annotationFiles(
  plan: SamplePlan,
  scenes: ReadonlyMap<string, Scene>,
  seed: number,
): ReadonlyMap<string, string> {
  const random = new SeededRandom(`annotations ${seed}`);
  const images: string[][] = [['filename', 'label', 'caption']];
  const objects: string[][] = [['filename', 'col_x', 'row_y', 'width', 'height', 'label']];
  const describe = (path: string, scenePath: string, boxes: boolean): void => {
    const scene = scenes.get(scenePath);
    if (!scene || random.chance(UNLABELLED_SHARE)) return;
    images.push([path, labelLiteral(scene.labels, random), scene.caption]);
    if (boxes) objects.push(...scene.objects.map((object) => objectRow(path, object)));
  };
  for (const { path } of [...plan.drawn, ...plan.oddities]) describe(path, path, true);
  for (const { path, original } of plan.copies) describe(path, original.path, true);
  for (const { path, original } of plan.edits) describe(path, original.path, false);
  return new Map([
    ['image_annotations.csv', csv(images)],
    ['object_annotations.csv', csv(objects)],
  ]);
}

function labelLiteral(labels: readonly string[], random: SeededRandom): string {
  const [first = ''] = labels;
  if (labels.length < 2 || random.chance(0.6)) return first;
  return random.chance(0.5) ? JSON.stringify(labels) : `[${labels.map((label) => `'${label}'`).join(', ')}]`;
}

function objectRow(path: string, object: DrawnObject): string[] {
  return [path, String(object.x), String(object.y), String(object.width), String(object.height), object.label];
}

function csv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quoted).join(',')}\n`).join('');
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
