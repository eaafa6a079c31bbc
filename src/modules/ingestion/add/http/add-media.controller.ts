import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiTags, type ApiBodyOptions } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { receiveForm } from '../../../../common/platform/http/multipart';
import { CurrentPrincipal, type Principal } from '../../../../common/platform/http/principal';
import { datasetPath, booleanText, wholeNumber } from '../../../../common/platform/http/query-values';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import {
  toValidationItems,
  ValidationFailedError,
  parseInput,
} from '../../../../common/platform/http/zod-validation.pipe';
import { AddMediaFromLocationUseCase } from '../add-media-from-location.use-case';
import { StartAddition } from '../start-addition';
import { MediaSourceCountError, type Addition } from '../domain/addition';
import { AddUploadedMediaUseCase } from '../add-uploaded-media.use-case';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';

const MAX_COUNT = 1_000_000_000;
const ROLE_ARN = /^arn:[a-z0-9-]{1,32}:iam:[a-z0-9-]{0,32}:[a-z0-9-]{0,64}:role\/[\w+=,.@/-]{1,512}$/i;

const isEmpty = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** Forms send omitted fields as empty texts. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (isEmpty(value) ? undefined : value), schema.optional());

const count = optional(wholeNumber(0, MAX_COUNT));
const file = z.never({ error: 'Input should be a file' }).optional();

export const addMediaForm = z.object({
  s3_uri: optional(z.string().trim().max(4096, { error: 'Input should be at most 4096 characters' })),
  auto_reindex: optional(booleanText),
  assume_role: optional(z.string().trim().regex(ROLE_ARN, { error: 'Input should be the ARN of a role' })),
  batch_n_videos: count,
  batch_n_images: count,
  batch_n_objects: count,
  use_spot: optional(booleanText),
  files: file,
  archive: file,
});
type AddMediaForm = z.infer<typeof addMediaForm>;

const batchOf = (form: AddMediaForm): Omit<Addition, 'source'> => ({
  autoReindex: form.auto_reindex ?? false,
  hints: {
    videos: form.batch_n_videos ?? null,
    images: form.batch_n_images ?? null,
    objects: form.batch_n_objects ?? null,
    useSpot: form.use_spot ?? null,
  },
});

const addMediaFormDescription: Extract<ApiBodyOptions, { schema: unknown }>['schema'] = {
  type: 'object',
  description: 'Exactly one of s3_uri, files and archive.',
  example: { s3_uri: EXAMPLE.otherFolder, auto_reindex: true },
  properties: {
    s3_uri: { type: 'string', description: 'A folder, or a manifest (.csv, .parquet, .txt) that lists media.' },
    files: { type: 'array', items: { type: 'string', format: 'binary' } },
    archive: { type: 'string', format: 'binary', description: 'One .zip, .tar, .tar.gz or .tgz.' },
    auto_reindex: { type: 'boolean', default: false },
    assume_role: { type: 'string', description: 'The ARN of a role to read s3_uri with.' },
    batch_n_videos: { type: 'integer', minimum: 0 },
    batch_n_images: { type: 'integer', minimum: 0 },
    batch_n_objects: { type: 'integer', minimum: 0 },
    use_spot: { type: 'boolean' },
  },
};

function readForm(fields: Readonly<Record<string, unknown>>): AddMediaForm {
  const parsed = parseInput(addMediaForm, fields);
  if (parsed.success) return parsed.data;
  throw new ValidationFailedError(toValidationItems(parsed.error.issues, fields, 'body'));
}

@ApiTags('Datasets')
@Controller('api/v1')
export class AddMediaController {
  constructor(
    private readonly additions: StartAddition,
    private readonly addFromLocation: AddMediaFromLocationUseCase,
    private readonly receiveMedia: AddUploadedMediaUseCase,
  ) {}

  @Post('dataset/:dataset_id/add_media')
  @HttpCode(202)
  @DatasetAccess('write')
  @RateLimited('upload')
  @ApiOperation({ summary: 'Add media to an indexed dataset, from exactly one source' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: addMediaFormDescription })
  async add(
    @Param({ schema: datasetPath }) { dataset_id }: z.infer<typeof datasetPath>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentPrincipal() principal: Principal,
  ): Promise<void> {
    await this.additions.assertPossible(dataset_id);
    if (request.headers['content-type'] === undefined) throw new MediaSourceCountError();
    const received = this.receiveMedia.open(principal.userId);
    try {
      const form = readForm(await receiveForm(request, response, received));
      if ((form.s3_uri !== undefined) === received.hasSource) throw new MediaSourceCountError();
      const [batch, role] = [batchOf(form), form.assume_role ?? null];
      if (form.s3_uri === undefined) await this.receiveMedia.start(dataset_id, received.uploads, batch, principal);
      else await this.addFromLocation.start(dataset_id, form.s3_uri, role, batch, principal);
    } finally {
      await received.discardStaged();
    }
  }
}
