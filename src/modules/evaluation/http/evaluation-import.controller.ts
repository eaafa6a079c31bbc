import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { parseOrFail } from '../../../common/platform/http/zod-validation.pipe';
import { AnnotationFileForms, sourceImportForm } from '../../annotations';
import { StartEvaluationUseCase } from '../start-evaluation.use-case';
import { presentStarted, startedResponse } from './evaluation.presenter';
import { importedEvaluation, importedEvaluationDescription } from './evaluation.schemas';

@ApiTags('Evaluation')
@Controller('api/v1/dataset/:dataset_id/evaluations')
export class EvaluationImportController {
  constructor(
    private readonly forms: AnnotationFileForms,
    private readonly evaluations: StartEvaluationUseCase,
  ) {}

  @Post('import')
  @HttpCode(202)
  @DatasetAccess('write')
  @RateLimited('upload')
  @ApiOperation({
    summary: 'Import annotations of files into a source, and compare it',
    description:
      'The task is that of the import. The evaluation begins when the import is completed, and fails with it; a retry of the import takes it up again.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: importedEvaluationDescription })
  @ApiAcceptedResponse({ standardSchema: startedResponse })
  @MayFail(400, 404, 409, 413)
  start(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof startedResponse>> {
    return this.forms.receive(datasetId, request, response, async (fields, files) => {
      const source = parseOrFail(sourceImportForm, fields, 'body');
      const { evaluation } = parseOrFail(importedEvaluation(source.source), fields, 'body');
      const started = await this.evaluations.importAndCreate(datasetId, evaluation, { ...source, files }, caller);
      return presentStarted(started);
    });
  }
}
