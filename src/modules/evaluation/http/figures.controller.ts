import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { EvaluationFiguresReader, type AskedFigures } from '../evaluation-figures.reader';
import { evaluationPath, type EvaluationPath } from './evaluation.schemas';
import { presentConfusion, presentCounts, presentCurves, presentPicture } from './figures.presenter';
import {
  confusionQuery,
  confusionResponse,
  countsQuery,
  countsResponse,
  curvesQuery,
  curvesResponse,
  picturePath,
  pictureQuery,
  pictureResponse,
} from './figures.schemas';

const askedOf = (
  { dataset_id: datasetId, evaluation_id: evaluationId }: EvaluationPath,
  confidence?: number,
): AskedFigures => ({ datasetId, evaluationId, confidence });

@ApiTags('Evaluation')
@Controller('api/v1/dataset/:dataset_id/evaluations/:evaluation_id')
export class FiguresController {
  constructor(private readonly figures: EvaluationFiguresReader) {}

  @Get('counts')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({ summary: 'How many annotations an evaluation found, and how many predictions are wrong' })
  @ApiOkResponse({ standardSchema: countsResponse })
  @MayFail(404, 409)
  async counts(
    @Param({ schema: evaluationPath }) path: EvaluationPath,
    @Query({ schema: countsQuery }) { confidence, label }: z.output<typeof countsQuery>,
  ): Promise<z.infer<typeof countsResponse>> {
    return presentCounts(await this.figures.counts(askedOf(path, confidence), label));
  }

  @Get('confusion')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({
    summary: 'Which labels an evaluation found in the place of which, with the filters that find the media',
  })
  @ApiOkResponse({ standardSchema: confusionResponse })
  @MayFail(404, 409)
  async confusion(
    @Param({ schema: evaluationPath }) path: EvaluationPath,
    @Query({ schema: confusionQuery }) { confidence, labels }: z.output<typeof confusionQuery>,
  ): Promise<z.infer<typeof confusionResponse>> {
    const asked = askedOf(path, confidence);
    return presentConfusion(await this.figures.confusion(asked, labels), asked);
  }

  @Get('curves')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({
    summary: 'Precision, recall and F1 of an evaluation by confidence, and how far confidences are right',
  })
  @ApiOkResponse({ standardSchema: curvesResponse })
  @MayFail(404, 409)
  async curves(
    @Param({ schema: evaluationPath }) path: EvaluationPath,
    @Query({ schema: curvesQuery }) { label, precision }: z.output<typeof curvesQuery>,
  ): Promise<z.infer<typeof curvesResponse>> {
    return presentCurves(await this.figures.curves(askedOf(path), { label, precision }));
  }

  @Get('media/:media_id')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'What became of the annotations of a picture in an evaluation' })
  @ApiOkResponse({ standardSchema: pictureResponse })
  @MayFail(404, 409)
  async picture(
    @Param({ schema: picturePath }) path: z.output<typeof picturePath>,
    @Query({ schema: pictureQuery }) { confidence }: z.output<typeof pictureQuery>,
  ): Promise<z.infer<typeof pictureResponse>> {
    return presentPicture(await this.figures.picture(askedOf(path, confidence), path.media_id));
  }
}
