import type { Annotation } from '../../annotations/annotation';
import { MadeOutcomes } from '../coco/made-outcomes';
import { confidenceOf, PictureShapes, type LabelGroup } from '../coco/picture-shapes';
import { sortMistakes } from '../coco/sort-mistakes';
import { codeOf } from '../outcomes';
import type { Overlaps } from '../overlap/overlaps';
import { overlapsOf } from '../overlap/overlaps-of';
import type { PictureMatcher, PictureOutcomes, PictureSize } from '../picture-matcher';
import type { EvaluationPlan } from '../plan';
import { firstChoice, type Choice, type Chosen } from '../voc/first-choice';
import { LabelHierarchy } from './label-hierarchy';
import { VerifiedLabels } from './verified-labels';

const IGNORED = codeOf('ignored');
const WORDS = 1;

/** In the word of a prediction, for each of its names two bits: whether it is right or wrong by that name; neither if it does not count. */
export const BITS_OF_NAME = 2;
export const IS_RIGHT = 1;
export const IS_WRONG = 2;

const BITS_OF_CHOICE: Readonly<Record<Choice, number>> = {
  found: IS_RIGHT,
  ignored: 0,
  double: IS_WRONG,
  nothing: IS_WRONG,
};

/** Compares pictures as the Open Images Challenge does: a crowd is found once, and a label of the truth also stands for those above it in a hierarchy. */
export class OpenImagesMatcher implements PictureMatcher {
  private readonly overlaps: Overlaps<unknown>;
  private readonly hierarchy: LabelHierarchy;

  constructor(private readonly plan: EvaluationPlan) {
    const { classAgnostic, hierarchy = [] } = plan.options;
    this.overlaps = overlapsOf(plan);
    this.hierarchy = new LabelHierarchy(classAgnostic ? [] : hierarchy);
  }

  compare(
    picture: PictureSize,
    truth: readonly Annotation[],
    predictions: readonly Annotation[],
    pictureLabels: readonly Annotation[],
  ): PictureOutcomes {
    const { options } = this.plan;
    const shapes = new PictureShapes(this.overlaps, picture, truth, predictions);
    for (const [place, { crowd, ignored }] of truth.entries())
      if (crowd === true && ignored !== true && !Number.isNaN(shapes.truthAreas[place])) shapes.counts[place] = 1;
    const made = new MadeOutcomes(shapes, WORDS, 0);
    const found = new Uint8Array(truth.length);
    const groups = [...shapes.groups(options.classAgnostic, Infinity)];
    const verified = options.verified === true && new VerifiedLabels(this.hierarchy, truth, pictureLabels);
    const counts = (name: string): boolean => verified === false || verified.has(name);
    const chosen = groups.flatMap(({ truth: ofGroup, predictions: places }) =>
      places
        .filter((place) => counts(predictions[place]!.label))
        .map(firstChoice(shapes, ofGroup, { iou: options.iou, found })),
    );
    if (this.hierarchy.isEmpty) {
      sortMistakes(made, shapes, pairChosen(made, shapes, chosen), options);
      return made;
    }
    const named = this.truthByName(shapes);
    const chooser = (name: string, taken: Uint8Array) =>
      firstChoice(shapes, named.get(name) ?? [], { iou: options.iou, found: taken });
    const choosers = new Map<string, ReturnType<typeof firstChoice>>();
    const mistaken = pairChosen(made, shapes, chosen, (prediction) => {
      const { label } = predictions[prediction]!;
      let choose = choosers.get(label);
      if (choose === undefined) choosers.set(label, (choose = chooser(label, found)));
      return choose(prediction);
    });
    sortMistakes(made, shapes, mistaken, options);
    for (const [name, places] of this.predictionsByName(shapes, groups))
      if (counts(name))
        this.writeBits(
          made,
          shapes,
          name,
          byConfidence(places, shapes).map(chooser(name, new Uint8Array(truth.length))),
        );
    return made;
  }

  /** Annotations of each label and of those below it. */
  private truthByName({ truth, truthAreas }: PictureShapes): ReadonlyMap<string, readonly number[]> {
    const named = new Map<string, number[]>();
    for (const [place, { label }] of truth.entries())
      if (!Number.isNaN(truthAreas[place])) for (const name of this.hierarchy.namesOf(label)) addTo(named, name, place);
    return named;
  }

  /** By a name of predictions on its own. */
  private writeBits(made: MadeOutcomes, { predictions }: PictureShapes, name: string, all: readonly Chosen[]): void {
    for (const { prediction, choice } of all) {
      const at = this.hierarchy.namesOf(predictions[prediction]!.label).indexOf(name);
      made.predictionBits[prediction]! |= BITS_OF_CHOICE[choice] << (BITS_OF_NAME * at);
    }
  }

  /** A prediction has a name above its label unless there is a prediction of that label with the same shape. */
  private predictionsByName(
    { predictions }: PictureShapes,
    groups: readonly LabelGroup[],
  ): ReadonlyMap<string, number[]> {
    const labels = new Set(predictions.map(({ label }) => label));
    const said = new Set(predictions.map((prediction) => keyOf(prediction, prediction.label)));
    const byName = new Map<string, number[]>();
    for (const prediction of groups.flatMap((group) => group.predictions))
      for (const name of this.hierarchy.namesOf(predictions[prediction]!.label)) {
        const { label } = predictions[prediction]!;
        if (name !== label && labels.has(name) && said.has(keyOf(predictions[prediction]!, name))) continue;
        addTo(byName, name, prediction);
      }
    return byName;
  }
}

/** Returns the predictions that find nothing. What finds an annotation of a label below its own, by `chooseBelow`, is right; if that is found, it does not count. */
function pairChosen(
  made: MadeOutcomes,
  shapes: PictureShapes,
  chosen: readonly Chosen[],
  chooseBelow?: (prediction: number) => Chosen,
): number[] {
  const apply = ({ prediction, choice, truth, overlap }: Chosen): void => {
    if (choice === 'found') made.pair(prediction, truth, overlap);
    else made.mark(prediction, IGNORED, truth, overlap);
  };
  const mistaken: number[] = [];
  const rest: number[] = [];
  for (const one of chosen) {
    if (one.choice === 'double') mistaken.push(one.prediction);
    else if (one.choice === 'nothing') rest.push(one.prediction);
    else apply(one);
  }
  for (const prediction of byConfidence(rest, shapes)) {
    const below = chooseBelow?.(prediction);
    if (below === undefined || below.choice === 'nothing') mistaken.push(prediction);
    else apply(below);
  }
  return mistaken;
}

function addTo(lists: Map<string, number[]>, name: string, place: number): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [place]);
  else list.push(place);
}

const keyOf = ({ box, rotation, polygon, mask }: Annotation, name: string): string =>
  JSON.stringify([name, box, rotation, polygon, mask]);

const byConfidence = (places: readonly number[], { predictions }: PictureShapes): number[] =>
  places.toSorted((a, b) => confidenceOf(predictions[b]!) - confidenceOf(predictions[a]!) || a - b);
