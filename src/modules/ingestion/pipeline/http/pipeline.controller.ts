import { applyDecorators, Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
  type ApiBodyOptions,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { ChangesState, Public } from '../../../../common/platform/http/access';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
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

type Schema = Extract<ApiBodyOptions, { schema: unknown }>['schema'];

/** Parameters are parsed by hand, because those of a POST may be in the body too. */
const described = (summary: string, parameters: Parameters, response: z.ZodType) => {
  const both = [HttpCode(200), ApiOperation({ summary }), ApiOkResponse({ standardSchema: response })];
  return {
    asked: applyDecorators(...both, ...inQuery(parameters)),
    posted: applyDecorators(...both, inBody(parameters)),
  };
};

const inQuery = ({ shape }: Parameters): MethodDecorator[] =>
  Object.entries(shape).map(([name, schema]) =>
    ApiQuery({
      name,
      type: 'string',
      required: !schema.safeParse(undefined).success,
      ...(schema.description === undefined ? {} : { description: schema.description }),
      example: schema.meta()?.['example'],
    }),
  );

const inBody = (parameters: Parameters): MethodDecorator =>
  applyDecorators(
    ApiConsumes('application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'),
    ApiBody({
      description: 'The parameters may be in the query string as well.',
      required: false,
      schema: z.toJSONSchema(parameters, { io: 'input' }) as Schema,
    }),
  );

const Process = described(
  'Create a dataset from a folder, a list or a bucket',
  processParameters,
  processStartedResponse,
);
const AddMedia = described('Add media to a dataset by reference', addMediaParameters, startedResponse);
const Reindex = described('Reindex a dataset: compare and cluster all media again', reindexParameters, startedResponse);

/** For scripts of the operator: callers act as the local admin. */
@ApiTags('Pipeline')
@Controller(PIPELINE_PATH)
@Public()
@ChangesState()
@UseGuards(PipelineGuard)
@MayFail(401, 404, 409)
export class PipelineController {
  constructor(private readonly pipeline: RunPipelineUseCase) {}

  @Get()
  @Process.asked
  async process(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<ProcessStarted> {
    const asked = await readParameters(processParameters, request, response);
    const { path, name, labels_from_folders: labelsFromFolders = false } = asked;
    const dataset_id = await this.pipeline.process(path, name, labelsFromFolders, localAdmin());
    return { status: 'success', message: 'Dataset processing started', dataset_id, name };
  }

  @Post()
  @Process.posted
  processPosted(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<ProcessStarted> {
    return this.process(request, response);
  }

  @Get('add_media')
  @AddMedia.asked
  async addMedia(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<Started> {
    const { dataset_id, path, auto_reindex = false } = await readParameters(addMediaParameters, request, response);
    await this.pipeline.add(dataset_id, path, auto_reindex, localAdmin());
    return { status: 'success', message: 'Added media processing started', dataset_id };
  }

  @Post('add_media')
  @AddMedia.posted
  addMediaPosted(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<Started> {
    return this.addMedia(request, response);
  }

  @Get('reindex')
  @Reindex.asked
  async reindex(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<Started> {
    const { dataset_id } = await readParameters(reindexParameters, request, response);
    await this.pipeline.reindex(dataset_id, localAdmin());
    return { status: 'success', message: 'Reindex processing started', dataset_id };
  }

  @Post('reindex')
  @Reindex.posted
  reindexPosted(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<Started> {
    return this.reindex(request, response);
  }
}
