import { isAbsolute } from 'node:path';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  applyDecorators,
  Controller,
  Get,
  HttpCode,
  Post,
  Req,
  Res,
  UseGuards,
  Inject,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
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
import { RunPipelineUseCase } from '../run-pipeline.use-case';
import { receiveFields } from '../../../../common/platform/http/multipart';
import { DEFAULT_BODY_BYTES, readUrlencoded } from '../../../../common/platform/http/read-body';
import { readJson } from '../../../../common/platform/http/json-body.interceptor';
import { parseOrFail } from '../../../../common/platform/http/zod-validation.pipe';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { booleanText, uuid } from '../../../../common/platform/http/query-values';
import { CONFIGURATION, type Configuration } from '../../../../common/platform/config/configuration';
import { DomainError, ForbiddenError } from '../../../../common/platform/errors/domain-error';
import type { AuthenticatedRequest } from '../../../../common/platform/http/principal';

class PipelineTokenError extends DomainError {
  constructor() {
    super(401, 'The pipeline token is missing or wrong: send it as Authorization: Bearer or X-Pipeline-Token');
  }
}

/** Requires the pipeline token. It may be unset only with AUTH_MODE=none. */
@Injectable()
class PipelineGuard implements CanActivate {
  constructor(@Inject(CONFIGURATION) private readonly configuration: Configuration) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const { runMode, oidc, pipelineToken } = this.configuration;
    if (runMode === 'CLOUD')
      throw new ForbiddenError('The pipeline interface is only available in self-hosted installations');
    if (oidc !== null && pipelineToken === null)
      throw new ForbiddenError('The pipeline interface is disabled. Set PIPELINE_TOKEN to enable it.');
    if (pipelineToken !== null && !isSame(tokenOf(request.headers), pipelineToken)) throw new PipelineTokenError();
    request.principal = localAdmin();
    return true;
  }
}

const path = z
  .string()
  .trim()
  .min(1, { error: 'Input should not be empty' })
  .max(4096, { error: 'Input should be at most 4096 characters' })
  .superRefine((value, context) => {
    if (/^https?:\/\//i.test(value))
      context.addIssue({
        code: 'custom',
        message: 'Media are not read from web addresses: give an absolute path or s3://bucket/prefix',
      });
    else if (!isAbsolute(value) && !/^(s3:\/\/|file:\/\/\/)/.test(value))
      context.addIssue({ code: 'custom', message: 'Input should be an absolute path or s3://bucket/prefix' });
  })
  .meta({
    description: 'An absolute folder, a list of media (.txt, .csv, .parquet), or s3://bucket/prefix.',
    example: EXAMPLE.folder,
  });

/** JSON has booleans of its own. */
const flag = z.preprocess((value) => (typeof value === 'boolean' ? String(value) : value), booleanText.optional());

export const processParameters = z.object({
  path,
  name: z
    .string()
    .trim()
    .min(1, { error: 'Input should not be empty' })
    .max(255, { error: 'Input should be at most 255 characters' })
    .meta({ description: 'Of the new dataset, 1 to 255 characters.', example: 'Harbour' }),
  labels_from_folders: flag.describe(
    'Whether images and frames are labelled with the name of the folder of their file; default false.',
  ),
  serve_mode: z
    .enum(['reduce_disk_space'], { error: 'Input should be reduce_disk_space' })
    .optional()
    .describe('reduce_disk_space, or omitted; has no effect.'),
});

const addMediaParameters = z.object({
  dataset_id: uuid.meta({ description: 'The dataset that the media are added to.', example: EXAMPLE.dataset }),
  path,
  auto_reindex: flag.describe('Whether to reindex the dataset at once; default false.'),
});

const reindexParameters = z.object({
  dataset_id: uuid.meta({ description: 'The dataset to reindex.', example: EXAMPLE.dataset }),
});

const started = z.object({ status: z.literal('success'), message: z.string(), dataset_id: z.uuid() });
const startedResponse = started.meta({
  id: 'PipelineStarted',
  example: { message: 'Reindexing started', dataset_id: EXAMPLE.dataset },
});
type Started = z.infer<typeof startedResponse>;
const processStartedResponse = started.extend({ name: z.string() }).meta({
  id: 'PipelineProcessStarted',
  example: { message: 'Dataset processing started', dataset_id: EXAMPLE.dataset, name: 'Harbour' },
});
type ProcessStarted = z.infer<typeof processStartedResponse>;

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

/** Reads parameters of the query string; those of a POST may also be in the body, as JSON or as a form. */
async function readParameters<T>(schema: z.ZodType<T>, request: Request, response: Response): Promise<T> {
  const sent = request.method === 'POST' ? await readBody(request, response) : {};
  return parseOrFail(schema, { ...request.query, ...sent }, 'query');
}

async function readBody(request: Request, response: Response): Promise<object> {
  if (request.is('multipart/form-data')) return receiveFields(request, response);
  if (request.is('application/x-www-form-urlencoded')) return readUrlencoded(request, response);
  const body = await readJson(request, response, DEFAULT_BODY_BYTES);
  return typeof body === 'object' && body !== null ? body : {};
}

export function tokenOf(headers: IncomingHttpHeaders): string {
  const own = headers['x-pipeline-token'];
  if (typeof own === 'string') return own;
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

/** Compares digests of equal length in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
