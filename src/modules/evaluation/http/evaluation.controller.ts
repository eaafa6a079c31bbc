import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { MaxBodyBytes } from '../../../common/platform/http/json-body.interceptor';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { ChangeEvaluationUseCase } from '../change-evaluation.use-case';
import type { AskedEvaluation } from '../domain/evaluation';
import { EvaluationReader } from '../evaluation.reader';
import { StartEvaluationUseCase } from '../start-evaluation.use-case';
import {
  evaluationResponse,
  evaluationsResponse,
  presentEvaluation,
  presentListed,
  presentStarted,
  startedResponse,
} from './evaluation.presenter';
import {
  evaluationChangeBody,
  evaluationPath,
  evaluationsQuery,
  MAX_EVALUATION_BYTES,
  newEvaluationBody,
  type EvaluationChangeBody,
  type EvaluationPath,
  type EvaluationsQuery,
} from './evaluation.schemas';

type DatasetPath = z.output<typeof datasetPath>;

@ApiTags('Evaluation')
@Controller('api/v1/dataset/:dataset_id/evaluations')
export class EvaluationController {
  constructor(
    private readonly reader: EvaluationReader,
    private readonly start: StartEvaluationUseCase,
    private readonly changes: ChangeEvaluationUseCase,
  ) {}

  @Post()
  @HttpCode(202)
  @DatasetAccess('write')
  @RateLimited('search')
  @MaxBodyBytes(MAX_EVALUATION_BYTES)
  @ApiOperation({
    summary: 'Compare what one source of annotations says with what another one says, which is right',
    description: 'Its task compares the dataset as it is when the task begins. Nothing in the dataset changes.',
  })
  @ApiAcceptedResponse({ standardSchema: startedResponse })
  @MayFail(400, 404, 409)
  async create(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Body({ schema: newEvaluationBody }) body: AskedEvaluation,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof startedResponse>> {
    return presentStarted(await this.start.create(datasetId, body, caller));
  }

  @Get()
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The evaluations of a dataset, newest first' })
  @ApiOkResponse({ standardSchema: evaluationsResponse })
  async list(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Query({ schema: evaluationsQuery }) query: EvaluationsQuery,
  ): Promise<z.infer<typeof evaluationsResponse>> {
    const { total, listed } = await this.reader.list(datasetId, query);
    return { total, evaluations: listed.map(presentListed) };
  }

  @Get(':evaluation_id')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'An evaluation with its figures' })
  @ApiOkResponse({ standardSchema: evaluationResponse })
  async get(@Param({ schema: evaluationPath }) path: EvaluationPath): Promise<z.infer<typeof evaluationResponse>> {
    return presentEvaluation(await this.reader.get(path.dataset_id, path.evaluation_id));
  }

  @Patch(':evaluation_id')
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Rename an evaluation, or keep it up to date from now on' })
  @ApiOkResponse({ standardSchema: evaluationResponse })
  async change(
    @Param({ schema: evaluationPath }) path: EvaluationPath,
    @Body({ schema: evaluationChangeBody }) { name, keep_up_to_date: keepUpToDate }: EvaluationChangeBody,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof evaluationResponse>> {
    await this.changes.change(path.dataset_id, path.evaluation_id, { name, keepUpToDate }, caller);
    return this.get(path);
  }

  @Delete(':evaluation_id')
  @HttpCode(204)
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Delete an evaluation', description: 'One that is running ends.' })
  @ApiNoContentResponse()
  async delete(
    @Param({ schema: evaluationPath }) path: EvaluationPath,
    @CurrentPrincipal() caller: Principal,
  ): Promise<void> {
    await this.changes.delete(path.dataset_id, path.evaluation_id, caller);
  }

  @Post(':evaluation_id/runs')
  @HttpCode(202)
  @DatasetAccess('write')
  @RateLimited('search')
  @ApiOperation({
    summary: 'Run an evaluation again, with the dataset as it is now',
    description: 'The figures stay until the new ones take their place.',
  })
  @ApiAcceptedResponse({ standardSchema: startedResponse })
  @MayFail(400, 404, 409)
  async runAgain(
    @Param({ schema: evaluationPath }) path: EvaluationPath,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof startedResponse>> {
    return presentStarted(await this.start.runAgain(path.dataset_id, path.evaluation_id, caller));
  }
}
