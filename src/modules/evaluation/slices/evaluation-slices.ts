import { Injectable } from '@nestjs/common';
import { cutsOf } from '../../../common/engine/evaluation/counted-outcomes';
import { sliceUnits } from '../../../common/engine/evaluation/slices/slice-units';
import { slicesInThread } from '../../../common/engine/evaluation/slices/slices-in-thread';
import { TagRepository, type OpenedVersion } from '../../versions';
import { cutsOfResult, resultOf, type Evaluation } from '../domain/evaluation';
import type { EvaluatedSlices } from '../domain/slice';
import { ConditionReader } from './condition-reader';
import { numberedConditions } from './numbered-conditions';

/** Finds where the predictions of an evaluation are worse than elsewhere. */
@Injectable()
export class EvaluationSlices {
  constructor(
    private readonly reader: ConditionReader,
    private readonly tags: TagRepository,
  ) {}

  async find(version: OpenedVersion, evaluation: Evaluation): Promise<EvaluatedSlices> {
    const { datasetId } = evaluation;
    const { outcomes, rowOf } = await version.outcomes(resultOf(evaluation).file);
    const units = await sliceUnits(outcomes, cutsOf(outcomes, cutsOfResult(evaluation)));
    const names = new Map((await this.tags.list(datasetId)).map(({ id, name }) => [id, name]));
    const ofPictures = await this.reader.of(datasetId, version, names, rowOf);
    const { by, conditions } = await numberedConditions(units, outcomes.labels, ofPictures);
    const { figure, slices } = await slicesInThread(units, by);
    return {
      figure: Number.isNaN(figure) ? null : figure,
      slices: slices
        // What is everything has nothing that it could be compared with.
        .filter(({ rest }) => !Number.isNaN(rest))
        .map(({ conditions: numbers, ...slice }) => ({
          ...slice,
          conditions: numbers.map((number) => conditions[number]!),
          interval: slice.interval!,
        })),
    };
  }
}
