import type { Box } from '../../media-table/media-row';
import { PictureRefusedError, TextRefusedError, type FoundLabel, type FoundObject } from '../picture-model';
import type { ModelServer } from './model-server';
import { plainText } from '../../../platform/text/texts';
import { UnreadableAnswerError } from './model-server-errors';

const MAX_CAPTION = 10_000;
const MAX_LABEL = 200;
const MAX_LABELS = 100;
const MAX_OBJECTS = 300;

/** The units of boxes: fractions of the picture's width and height, thousandths of them, or pixels of the sent picture. */
export const BOX_UNITS = ['fractions', 'thousandths', 'pixels'] as const;
export type BoxUnit = (typeof BOX_UNITS)[number];

/** A label as returned by a server: the confidence may be missing or out of range. */
export interface ClaimedLabel {
  readonly label: string;
  readonly confidence?: number | undefined;
}

export interface ClaimedObject extends ClaimedLabel {
  /** Undefined if it is not a valid box in the picture. */
  readonly box: Box | undefined;
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export function checkedCaption(text: string): string {
  const caption = plainText(text, MAX_CAPTION);
  if (caption === '') throw new PictureRefusedError('The model gave an empty caption.');
  return caption;
}

/** The labels with the highest confidence, without duplicates. */
export function checkedLabels(claimed: readonly ClaimedLabel[]): FoundLabel[] {
  const best = new Map<string, number>();
  for (const { label, confidence } of claimed) {
    const text = plainText(label, MAX_LABEL);
    if (text !== '') best.set(text, Math.max(best.get(text) ?? 0, checkedConfidence(confidence)));
  }
  return surest(
    Array.from(best, ([label, confidence]) => ({ label, confidence })),
    MAX_LABELS,
  );
}

export function checkedObjects(claimed: readonly ClaimedObject[]): FoundObject[] {
  const objects = claimed.flatMap(({ label, confidence, box }) => {
    const text = plainText(label, MAX_LABEL);
    return text === '' || box === undefined ? [] : [{ label: text, confidence: checkedConfidence(confidence), box }];
  });
  return surest(objects, MAX_OBJECTS);
}

/** The box between two corners as fractions, clipped to the picture; undefined if it is empty. */
export function boxBetween(
  corners: readonly [left: number, top: number, right: number, bottom: number],
  unit: BoxUnit,
  { width, height }: PictureSize,
): Box | undefined {
  if (!corners.every(Number.isFinite)) return undefined;
  const [across, down] = unit === 'fractions' ? [1, 1] : unit === 'thousandths' ? [1000, 1000] : [width, height];
  const [left, top, right, bottom] = corners;
  const [x, y] = [clipped(left / across), clipped(top / down)];
  const box = { x, y, width: clipped(right / across) - x, height: clipped(bottom / down) - y };
  return box.width > 0 && box.height > 0 ? box : undefined;
}

/** Returns a unit vector. Throws ModelServerError if its dimension differs from the manifest. */
export function checkedEmbedding(
  numbers: readonly number[],
  { dimension, about }: { readonly dimension: number; readonly about: 'picture' | 'text' },
  server: ModelServer,
): Float32Array {
  if (numbers.length !== dimension)
    throw server.misconfigured(
      `returned an embedding of ${numbers.length} numbers, not ${dimension}`,
      `Correct ${server.field('outputs.dimension')} or "server.model".`,
    );
  const length = Math.hypot(...numbers);
  if (!Number.isFinite(length)) throw new UnreadableAnswerError('has an embedding with numbers that are not finite');
  if (length === 0) {
    const Refusal = about === 'text' ? TextRefusedError : PictureRefusedError;
    throw new Refusal('The model gave an embedding of zeros, which cannot be compared.');
  }
  return Float32Array.from(numbers, (value) => value / length);
}

const clipped = (value: number): number => Math.min(Math.max(value, 0), 1);

const checkedConfidence = (confidence: number | undefined): number =>
  confidence === undefined || Number.isNaN(confidence) ? 1 : clipped(confidence);

const surest = <Label extends FoundLabel>(found: Label[], most: number): Label[] =>
  found.sort((a, b) => b.confidence - a.confidence).slice(0, most);
