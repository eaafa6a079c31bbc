import type { Annotation, BoxNumbers } from '../../src/common/engine/annotations/annotation';
import { pictureId, type CocoSet } from './coco-sets';
import { Random } from './random';

export const [WIDTH, HEIGHT] = [640, 480];
const WHEN = '2026-03-01T10:00:00.000Z';
const SAID = { createdBy: '6f9d7c1e-2b34-4c8a-9d10-3e4f5a6b7c8d', createdAt: WHEN, updatedAt: WHEN };

export interface Sizes {
  readonly pictures: number;
  readonly truth: number;
  readonly labels: number;
  /** Of each picture. */
  readonly detections: number;
}

const rounded = (box: readonly number[]): BoxNumbers =>
  box.map((value) => Number(value.toFixed(2))) as unknown as BoxNumbers;

/** Pictures with boxes, most of which a detector finds, beside many detections of little confidence, as COCO's validation set has them. */
export function detections({ pictures, truth, labels, detections }: Sizes, from = 0, end = pictures): CocoSet {
  const names = Array.from({ length: labels }, (_, at) => `label ${String(at).padStart(2, '0')}`);
  const listed = { truth: [] as Annotation[][], predictions: [] as Annotation[][] };
  for (let at = from; at < end; at++) {
    const random = new Random(at);
    const drawn = new Drawn(random, names);
    const own = Math.floor(((at + 1) * truth) / pictures) - Math.floor((at * truth) / pictures);
    const boxes = Array.from({ length: own }, (_, place) => drawn.trueBox(place));
    listed.truth.push(boxes);
    listed.predictions.push(Array.from({ length: detections }, (_, place) => drawn.detection(place, boxes[place])));
  }
  const numbered = Array.from({ length: end - from }, (_, at) => from + at);
  return {
    task: 'detection',
    labels: names,
    pictures: numbered.map((at) => ({ id: pictureId(at + 1), rank: at, width: WIDTH, height: HEIGHT })),
    ...listed,
  };
}

class Drawn {
  constructor(
    private readonly random: Random,
    private readonly names: readonly string[],
  ) {}

  trueBox(place: number): Annotation {
    const box = this.anyBox();
    const isCrowd = this.random.next() < 0.01;
    return {
      ...{ id: `${place}`, label: this.anyLabel(), version: 1, ...SAID, box, area: Math.round(box[2] * box[3] * 0.7) },
      ...(isCrowd && { crowd: true as const }),
    };
  }

  detection(place: number, of: Annotation | undefined): Annotation {
    const { random } = this;
    const isNear = of !== undefined && random.next() < 0.8;
    const label = isNear && random.next() < 0.9 ? of.label : this.anyLabel();
    const box = isNear
      ? rounded(of.box!.map((value, at) => value + (random.next() - 0.5) * 0.3 * of.box![2 + (at % 2)]!))
      : this.anyBox();
    const confidence = Number((isNear ? 0.3 + 0.7 * random.next() : 0.6 * random.next() ** 3).toFixed(5));
    return { id: `${place}`, label, version: 1, ...SAID, box, confidence };
  }

  private anyLabel(): string {
    return this.names[Math.floor(this.names.length * this.random.next() ** 2)]!;
  }

  private anyBox(): BoxNumbers {
    const { random } = this;
    const [width, height] = [8 + WIDTH * 0.6 * random.next() ** 2, 8 + HEIGHT * 0.6 * random.next() ** 2];
    return rounded([random.next() * (WIDTH - width), random.next() * (HEIGHT - height), width, height]);
  }
}
