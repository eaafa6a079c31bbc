import { sharedInt32 } from '../arithmetic/shared-arrays';
import type { PictureSamples } from './samples/picture-samples';
import { codeOf, type OutcomeColumns, type Outcomes } from './outcomes';

/** All pictures of an evaluation. Its columns are shared by threads. */
export interface Collected extends Outcomes {
  /** Of the matcher, by annotation of the truth. */
  readonly truthBits: Uint8Array;
  /** Of the matcher, some words for each prediction. */
  readonly predictionBits: Uint32Array;
  readonly truthByLabel: PlacesByLabel;
  /** By `labelOfPrediction`. */
  readonly predictionsByLabel: PlacesByLabel;
  /** Undefined of few pictures. */
  readonly samples: PictureSamples | undefined;
}

/** Annotations whose figures are made together: those of a label, or all where labels do not matter. */
export interface Unit {
  /** Its label; undefined for all. */
  readonly label: number | undefined;
  /** Places in the columns, ascending. */
  readonly truth: Int32Array;
  /** Places in the columns, by falling confidence; of equals, those before are first. */
  readonly predictions: Int32Array;
}

const FOUND = codeOf('tp');

/** A hit belongs to the label of the annotation that it found, a mistake to its own. */
export const labelOfPrediction = (
  { outcomes, partners, truthLabels, predictionLabels }: OutcomeColumns,
  place: number,
): number => (outcomes[place] === FOUND ? truthLabels[partners[place]!]! : predictionLabels[place]!);

/** Places by the number of their label, ascending. Those of label l are from firsts[l] to before firsts[l + 1]. */
export interface PlacesByLabel {
  readonly firsts: Int32Array;
  readonly places: Int32Array;
}

export function placesByLabel(labels: Int32Array, count: number): PlacesByLabel {
  const firsts = sharedInt32(count + 1);
  for (const label of labels) firsts[label + 1]! += 1;
  for (let label = 0; label < count; label++) firsts[label + 1]! += firsts[label]!;
  const next = firsts.slice();
  const places = sharedInt32(labels.length);
  for (const [place, label] of labels.entries()) places[next[label]!++] = place;
  return { firsts, places };
}

export const placesOf = ({ firsts, places }: PlacesByLabel, label: number): Int32Array =>
  places.slice(firsts[label], firsts[label + 1]);

export const countedIn = ({ truthCounts }: OutcomeColumns, { truth }: Unit): number =>
  truth.reduce((sum, place) => sum + truthCounts[place]!, 0);
