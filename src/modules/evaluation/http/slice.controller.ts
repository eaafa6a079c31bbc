import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import type { Level } from '../../../common/engine/media-table/media-row';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { MEDIA_URLS, presentPreview, rowsShown, type MediaUrls } from '../../search';
import { PublishedStateReader } from '../../versions';
import { EvaluationReader } from '../evaluation.reader';
import { EvaluationComparison } from '../slices/evaluation-comparison';
import { FAILURES, FailureGroups } from '../slices/failure-groups';
import { evaluationPath, type EvaluationPath } from './evaluation.schemas';
import { presentComparison, presentSlices } from './slice.presenter';
import {
  comparisonQuery,
  comparisonResponse,
  failuresQuery,
  failuresResponse,
  slicesQuery,
  slicesResponse,
  type ComparisonQuery,
  type FailuresQuery,
  type SlicesQuery,
} from './slice.schemas';

const UNRANKED = { relevance_score: null, relevance_score_type: null };

@ApiTags('Evaluation')
@Controller('api/v1/dataset/:dataset_id/evaluations/:evaluation_id')
export class SliceController {
  constructor(
    private readonly reader: EvaluationReader,
    private readonly comparison: EvaluationComparison,
    private readonly groups: FailureGroups,
    private readonly states: PublishedStateReader,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
  ) {}

  @Get('slices')
  @DatasetAccess('read')
  @ApiOperation({
    summary: 'Where predictions are worse than elsewhere',
    description:
      'Labels, sizes and conditions on pictures, their pairs, and three of them. One of several conditions is listed if it is also worse than each slice that it narrows; ' +
      'one that is only worse because of those before it is not.',
  })
  @ApiOkResponse({ standardSchema: slicesResponse })
  @MayFail(409)
  async slices(
    @Param({ schema: evaluationPath }) path: EvaluationPath,
    @Query({ schema: slicesQuery }) query: SlicesQuery,
  ): Promise<z.infer<typeof slicesResponse>> {
    const evaluation = await this.reader.completed(path.dataset_id, path.evaluation_id);
    return presentSlices(evaluation, await this.reader.slices(evaluation), query);
  }

  @Get('comparison')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({ summary: 'This evaluation, A, beside another one of the same truth, B' })
  @ApiOkResponse({ standardSchema: comparisonResponse })
  @MayFail(400, 409)
  async compare(
    @Param({ schema: evaluationPath }) { dataset_id: datasetId, evaluation_id: id }: EvaluationPath,
    @Query({ schema: comparisonQuery }) { with: otherId }: ComparisonQuery,
  ): Promise<z.infer<typeof comparisonResponse>> {
    const [first, second] = [
      await this.reader.completed(datasetId, id),
      await this.reader.completed(datasetId, otherId),
    ];
    const compared = await this.comparison.of(await this.states.get(datasetId), first, second);
    return presentComparison(first, second, compared, await this.reader.differences(first, second));
  }

  @Get('failures')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({
    summary: 'Failures in pictures that look alike',
    description:
      'Clusters of the dataset whose pictures have more failures than others, those with the most beyond that first.',
  })
  @ApiOkResponse({ standardSchema: failuresResponse })
  @MayFail(409)
  async failures(
    @Param({ schema: evaluationPath }) path: EvaluationPath,
    @Query({ schema: failuresQuery }) { outcome, threshold, limit }: FailuresQuery,
  ): Promise<z.infer<typeof failuresResponse>> {
    const evaluation = await this.reader.completed(path.dataset_id, path.evaluation_id);
    const state = await this.states.get(path.dataset_id);
    const outcomes = outcome === undefined ? FAILURES : [outcome];
    const groups = await this.groups.of(state, evaluation, { outcomes, level: threshold as Level, limit });
    const addresses = await this.urls.of(rowsShown(groups.flatMap(({ previews }) => previews)));
    return {
      groups: groups.map(({ id, pictures, failures, compared, previews }) => ({
        cluster_id: id,
        n_media: pictures,
        n_failures: failures,
        n_compared: compared,
        previews: previews.map((each) => presentPreview(each, UNRANKED, addresses, state.tagNames)),
        vql: [
          { evaluation: { op: 'is', evaluation: evaluation.id, value: [...outcomes] } },
          { clusters: { op: 'is', value: [id] } },
        ],
      })),
    };
  }
}
