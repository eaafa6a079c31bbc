import { Injectable } from '@nestjs/common';
import { cutsOf, type Cuts } from '../../../common/engine/evaluation/counted-outcomes';
import { foundOnlyBy, type FoundOnly } from '../../../common/engine/evaluation/found-only';
import { NONE, type Outcomes } from '../../../common/engine/evaluation/outcomes';
import { unitsOfSides, type EvaluatedSide } from '../../../common/engine/evaluation/slices/slice-units';
import { comparisonInThread } from '../../../common/engine/evaluation/slices/slices-in-thread';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import { VersionOpener, type OpenedVersion, type PublishedState } from '../../versions';
import { cutsOfResult, pointerOf, resultOf, type Evaluation } from '../domain/evaluation';
import { assertComparable, type ComparedFigures, type EvaluatedSlice } from '../domain/slice';
import { ConditionReader } from './condition-reader';
import { numberedConditions } from './numbered-conditions';

export interface ComparedEvaluations {
  /** That both compared, and that are still there. */
  readonly pictures: number;
  readonly figures: ComparedFigures;
  readonly foundOnlyByFirst: FoundOnly;
  readonly foundOnlyBySecond: FoundOnly;
  /** Where the second is worse than the first, the worst first. */
  readonly regressions: readonly EvaluatedSlice[];
}

interface Side {
  readonly outcomes: Outcomes;
  readonly rowOf: Int32Array;
  readonly cuts: Cuts;
}

/** Compares two evaluations of the same truth. */
@Injectable()
export class EvaluationComparison {
  constructor(
    private readonly versions: VersionOpener,
    private readonly reader: ConditionReader,
  ) {}

  async of(state: PublishedState, first: Evaluation, second: Evaluation): Promise<ComparedEvaluations> {
    assertComparable(first, second);
    using version = await this.versions.open(pointerOf(state));
    const sides = [await sideOf(version, first), await sideOf(version, second)] as const;
    const pictures = await picturesOfBoth(version.rows, sides);
    const [one, other] = sides.map((side, nth) => ({ ...side, pictures: pictures[nth]! })) as [Evaluated, Evaluated];
    const labels = [...new Set(sides.flatMap(({ outcomes }) => outcomes.labels))].sort();
    const units = await unitsOfSides(labels.length, [sideOfUnits(one, labels), sideOfUnits(other, labels)]);
    const rowOf = pictures[0].map((picture) => sides[0].rowOf[picture]!);
    const ofPictures = await this.reader.of(state.datasetId, version, state.tagNames, rowOf);
    const { by, conditions } = await numberedConditions(units, labels, ofPictures);
    const { figures, regressions } = await comparisonInThread(units, by);
    return {
      pictures: rowOf.length,
      figures,
      foundOnlyByFirst: await foundOnlyBy(one, other),
      foundOnlyBySecond: await foundOnlyBy(other, one),
      regressions: regressions.map(({ conditions: numbers, first: rest, second: figure, interval, ...slice }) => ({
        ...slice,
        figure,
        rest,
        interval: interval!,
        isFound: true,
        conditions: numbers.map((number) => conditions[number]!),
      })),
    };
  }
}

interface Evaluated extends Side {
  readonly pictures: Int32Array;
}

async function sideOf(version: OpenedVersion, evaluation: Evaluation): Promise<Side> {
  const { outcomes, rowOf } = await version.outcomes(resultOf(evaluation).file);
  return { outcomes, rowOf, cuts: cutsOfResult(evaluation) };
}

function sideOfUnits({ outcomes, cuts, pictures }: Evaluated, labels: readonly string[]): EvaluatedSide {
  const numbers = new Map(labels.map((label, number) => [label, number]));
  return {
    columns: outcomes.columns,
    cuts: cutsOf(outcomes, cuts),
    pictures,
    labels: Int32Array.from(outcomes.labels, (label) => numbers.get(label)!),
  };
}

/** Where the pictures of both are in each. */
async function picturesOfBoth(rows: number, [one, other]: readonly [Side, Side]): Promise<[Int32Array, Int32Array]> {
  const pictureOf = new Int32Array(rows).fill(NONE);
  await inSlices(other.rowOf.length, (start, end) => {
    for (let picture = start; picture < end; picture++)
      if (other.rowOf[picture] !== NONE) pictureOf[other.rowOf[picture]!] = picture;
  });
  const found = [new Int32Array(one.rowOf.length), new Int32Array(one.rowOf.length)] as const;
  let count = 0;
  await inSlices(one.rowOf.length, (start, end) => {
    for (let picture = start; picture < end; picture++) {
      const row = one.rowOf[picture]!;
      if (row === NONE || pictureOf[row] === NONE) continue;
      found[0][count] = picture;
      found[1][count++] = pictureOf[row]!;
    }
  });
  return [found[0].slice(0, count), found[1].slice(0, count)];
}
