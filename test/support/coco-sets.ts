import type { Annotation, Mask } from '../../src/common/engine/annotations/annotation';
import { textOfRuns } from '../../src/common/engine/annotations/mask-runs';
import { runsOfSpans } from '../../src/common/engine/annotation-formats/mask-rows';
import type { PictureBatch } from '../../src/common/engine/evaluation/evaluation-run';
import { Random } from './random';

export const SET_TASKS = ['detection', 'segmentation', 'keypoints'] as const;
export type SetTask = (typeof SET_TASKS)[number];

interface Picture {
  readonly id: string;
  readonly rank: number;
  readonly width: number;
  readonly height: number;
}

/** Truth and predictions of some pictures. */
export interface CocoSet {
  readonly task: SetTask;
  readonly pictures: readonly Picture[];
  readonly labels: readonly string[];
  readonly truth: readonly (readonly Annotation[])[];
  readonly predictions: readonly (readonly Annotation[])[];
}

const POINTS = 17;
const MORE_THAN_COUNT = 120;

export const pictureId = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

const whole = (random: Random, least: number, most: number): number =>
  least + Math.floor(random.next() * (most - least + 1));

/** A set with crowds, equal confidences, empty pictures, all sizes, and pictures with more predictions than count. */
export function randomSet(seed: number, task: SetTask): CocoSet {
  const random = new Random(seed);
  const isPerson = task === 'keypoints';
  const labels = Array.from({ length: isPerson ? 1 : whole(random, 1, 5) }, (_, at) => `label ${at}`);
  const digits = whole(random, 1, 3);
  const pictures = Array.from({ length: whole(random, 1, 12) }, (_, at) => ({
    id: pictureId(at + 1),
    rank: at,
    width: whole(random, 20, 400),
    height: whole(random, 20, 400),
  }));
  const drawn = pictures.map((picture) => new DrawnPicture(random, task, labels, picture, digits));
  const set = {
    task,
    pictures,
    labels,
    truth: drawn.map(({ truth }) => truth),
    predictions: drawn.map(({ predictions }) => predictions),
  };
  // The tools of COCO read no list of results that is empty.
  if (set.predictions.flat().length > 0) return set;
  return { ...set, predictions: [[drawn[0]!.anywhere('1')], ...set.predictions.slice(1)] };
}

class DrawnPicture {
  readonly truth: Annotation[] = [];
  readonly predictions: Annotation[] = [];

  constructor(
    private readonly random: Random,
    private readonly task: SetTask,
    private readonly labels: readonly string[],
    private readonly picture: Picture,
    private readonly digits: number,
  ) {
    const count = random.next() < 0.2 ? 0 : whole(random, 1, 8);
    for (let at = 0; at < count; at++) this.truth.push(this.trueOne(`${at + 1}`));
    const predicted = random.next() < 0.15 ? 0 : random.next() < 0.1 ? MORE_THAN_COUNT : whole(random, 1, 20);
    for (let at = 0; at < predicted; at++) {
      const near = this.truth[whole(random, 0, this.truth.length)];
      this.predictions.push(
        near === undefined || random.next() < 0.2 ? this.anywhere(`${at + 1}`) : this.near(`${at + 1}`, near),
      );
    }
  }

  anywhere(id: string): Annotation {
    return this.shaped(id, this.anyLabel(), this.anyBox(), this.confidence(), 'prediction');
  }

  private trueOne(id: string): Annotation {
    const { random } = this;
    const isCrowd = random.next() < 0.12;
    const shape = this.shaped(id, this.anyLabel(), this.anyBox(), undefined, isCrowd ? 'crowd' : 'truth');
    return { ...shape, ...(isCrowd && { crowd: true as const }), area: shape.area ?? whole(random, 10, 20_000) };
  }

  private near(id: string, { label, box }: Annotation): Annotation {
    const { random } = this;
    const moved = box!.map((value, at) => value + (random.next() - 0.5) * 0.5 * box![2 + (at % 2)]!);
    const [x, y, width, height] = [moved[0]!, moved[1]!, Math.max(1, moved[2]!), Math.max(1, moved[3]!)];
    const exact = random.next() < 0.15 ? box! : ([x, y, width, height] as const);
    return this.shaped(id, random.next() < 0.15 ? this.anyLabel() : label, exact, this.confidence(), 'prediction');
  }

  private anyLabel(): string {
    return this.labels[whole(this.random, 0, this.labels.length - 1)]!;
  }

  private confidence(): number {
    return Number(this.random.next().toFixed(this.digits));
  }

  private anyBox(): readonly [number, number, number, number] {
    const { random, picture } = this;
    const size = (side: number): number => Math.max(2, side * random.next() ** 2);
    const [width, height] = [size(picture.width), size(picture.height)];
    return [random.next() * (picture.width - width), random.next() * (picture.height - height), width, height];
  }

  private shaped(
    id: string,
    label: string,
    box: readonly [number, number, number, number],
    confidence: number | undefined,
    kind: 'truth' | 'crowd' | 'prediction',
  ): Annotation {
    const { random } = this;
    const name = { id, label, version: 1, ...(confidence !== undefined && { confidence }) };
    const said = { ...name, box };
    if (this.task === 'detection')
      return random.next() < 0.3 ? said : { ...said, area: box[2] * box[3] * (0.5 + random.next() / 2) };
    if (this.task === 'keypoints') {
      const keypoints = this.points(box, kind);
      // Results with boxes have the areas of these.
      const hasBox = kind !== 'prediction' || this.digits > 1;
      return { ...(hasBox ? said : name), keypoints, ...(kind !== 'prediction' && { area: box[2] * box[3] * 0.6 }) };
    }
    // Its tools read no results with polygons.
    const asMask = kind !== 'truth';
    return { ...said, ...(asMask ? { mask: this.maskIn(box) } : { polygon: this.ringsIn(box) }) };
  }

  /** Of predictions, all are labelled; of the truth, sometimes none. */
  private points([x, y, width, height]: readonly [number, number, number, number], kind: string): number[] {
    const { random } = this;
    const isBlind = kind === 'crowd' || (kind === 'truth' && random.next() < 0.1);
    return Array.from({ length: POINTS }, (_, at) => {
      const spread = 0.1 * (random.next() - 0.5);
      const visibility = kind === 'prediction' ? 2 : isBlind ? 0 : whole(random, 0, 2);
      const place = ((at * 7) % POINTS) / POINTS + spread;
      return [x + width * place, y + (height * (at + spread)) / POINTS, visibility];
    }).flat();
  }

  /** None is inside another one. */
  private ringsIn([x, y, width, height]: readonly [number, number, number, number]): number[][] {
    const { random } = this;
    const parts = random.next() < 0.3 ? 2 : 1;
    return Array.from({ length: parts }, (_, part) => {
      const corners = whole(random, 3, 12);
      return Array.from({ length: corners }, (_, corner) => {
        const angle = (2 * Math.PI * corner) / corners;
        const radius = 0.5 * (0.6 + 0.4 * random.next());
        return [
          x + (width / parts) * (part * 0.9 + 0.5 + radius * Math.cos(angle)),
          y + height * (0.5 + radius * Math.sin(angle)),
        ];
      }).flat();
    });
  }

  /** Ragged columns. */
  private maskIn([x, y, w, h]: readonly [number, number, number, number]): Mask {
    const { random } = this;
    const { width, height } = this.picture;
    const [left, right] = [Math.max(0, Math.floor(x)), Math.min(width, Math.ceil(x + w))];
    const spans: [number, number][] = [];
    for (let column = left; column < right; column++) {
      const top = Math.min(height, Math.max(0, Math.floor(y + 0.2 * h * random.next())));
      const bottom = Math.min(height, Math.floor(y + h * (0.8 + 0.2 * random.next())));
      if (bottom > top) spans.push([column * height + top, column * height + bottom]);
    }
    return { width, height, counts: textOfRuns(runsOfSpans(spans, width * height)) };
  }
}

/** As files of COCO: an annotation document, and a list of results. */
export function asCoco({ task, pictures, labels, truth, predictions }: CocoSet): object {
  const segmentationOf = ({ mask, polygon }: Annotation): object =>
    mask === undefined
      ? { segmentation: polygon }
      : { segmentation: { size: [mask.height, mask.width], counts: mask.counts } };
  const shapeOf = (annotation: Annotation, isTruth: boolean): object => {
    if (task === 'detection') return { bbox: annotation.box };
    if (task === 'segmentation') return { ...segmentationOf(annotation), ...(isTruth && { bbox: annotation.box }) };
    return { keypoints: annotation.keypoints, bbox: annotation.box };
  };
  const listed = (lists: readonly (readonly Annotation[])[], isTruth: boolean): object[] =>
    lists.flatMap((annotations, at) =>
      annotations.map((annotation) => ({
        image_id: at + 1,
        category_id: labels.indexOf(annotation.label) + 1,
        ...shapeOf(annotation, isTruth),
        ...(isTruth
          ? { area: annotation.area, iscrowd: annotation.crowd === true ? 1 : 0, ...labelledPoints(annotation) }
          : { score: annotation.confidence }),
      })),
    );
  return {
    task,
    truth: {
      info: {},
      images: pictures.map(({ width, height }, at) => ({ id: at + 1, width, height, file_name: `${at + 1}.jpg` })),
      categories: labels.map((name, at) => ({ id: at + 1, name })),
      annotations: listed(truth, true).map((annotation, at) => ({ id: at + 1, ...annotation })),
    },
    results: listed(predictions, false),
  };
}

const labelledPoints = ({ keypoints }: Annotation): object =>
  keypoints === undefined ? {} : { num_keypoints: keypoints.filter((value, at) => at % 3 === 2 && value > 0).length };

/** In batches of so many pictures. */
export function* batchesOf(
  { pictures, truth, predictions }: Omit<CocoSet, 'task'>,
  size: number,
): Generator<PictureBatch> {
  const bytesOf = (lists: readonly (readonly Annotation[])[]): Uint8Array => Buffer.from(JSON.stringify(lists));
  for (let at = 0; at < pictures.length; at += size) {
    const part = <T>(all: readonly T[]): T[] => all.slice(at, at + size);
    yield { pictures: part(pictures), truth: bytesOf(part(truth)), predictions: bytesOf(part(predictions)) };
  }
}
