import { applyDecorators, Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { ChangesState, Public } from '../../../../common/platform/http/access';
import { PIPELINE_PATH } from '../../../../common/platform/http/pipeline-path';
import { localAdmin } from '../../../workspaces';
import { PipelineGuard } from './pipeline.guard';
import {
  addMediaParameters,
  processParameters,
  processStartedResponse,
  reindexParameters,
  startedResponse,
  type ProcessStarted,
  type Started,
} from './pipeline.schemas';
import { readParameters } from './read-parameters';
import { RunPipelineUseCase } from '../run-pipeline.use-case';

type Parameters = z.ZodObject<Readonly<Record<string, z.ZodType>>>;

/** Parameters are parsed by hand, because they may be in the body too. */
const Described = (summary: string, parameters: Parameters, response: z.ZodType): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    ApiOperation({ summary }),
    ApiOkResponse({ standardSchema: response }),
    ...Object.entries(parameters.shape).map(([name, schema]) =>
      ApiQuery({
        name,
        type: 'string',
        required: !schema.safeParse(undefined).success,
        ...(schema.description === undefined ? {} : { description: schema.description }),
      }),
    ),
  );

const Process = Described(
  'Create a dataset from a folder, a list or a bucket',
  processParameters,
  processStartedResponse,
);
const AddMedia = Described('Add media to a dataset by reference', addMediaParameters, startedResponse);
const Reindex = Described('Reindex a dataset: compare and cluster all media again', reindexParameters, startedResponse);

/** For scripts of the operator: callers act as the local admin. */
@ApiTags('Pipeline')
@Controller(PIPELINE_PATH)
@Public()
@ChangesState()
@UseGuards(PipelineGuard)
export class PipelineController {
  constructor(private readonly pipeline: RunPipelineUseCase) {}

  @Get()
  @Process
  async process(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<ProcessStarted> {
    const { path, name } = await readParameters(processParameters, request, response);
    const dataset_id = await this.pipeline.process(path, name, localAdmin());
    return { status: 'success', message: 'Dataset processing started', dataset_id, name };
  }

  @Post()
  @Process
  processPosted(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<ProcessStarted> {
    return this.process(request, response);
  }

  @Get('add_media')
  @AddMedia
  async addMedia(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<Started> {
    const { dataset_id, path, auto_reindex = false } = await readParameters(addMediaParameters, request, response);
    await this.pipeline.add(dataset_id, path, auto_reindex, localAdmin());
    return { status: 'success', message: 'Added media processing started', dataset_id };
  }

  @Post('add_media')
  @AddMedia
  addMediaPosted(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<Started> {
    return this.addMedia(request, response);
  }

  @Get('reindex')
  @Reindex
  async reindex(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<Started> {
    const { dataset_id } = await readParameters(reindexParameters, request, response);
    await this.pipeline.reindex(dataset_id, localAdmin());
    return { status: 'success', message: 'Reindex processing started', dataset_id };
  }

  @Post('reindex')
  @Reindex
  reindexPosted(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<Started> {
    return this.reindex(request, response);
  }
}
