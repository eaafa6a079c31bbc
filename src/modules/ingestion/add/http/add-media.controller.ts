import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { receiveForm } from '../../../../common/platform/http/multipart';
import { CurrentPrincipal, type Principal } from '../../../../common/platform/http/principal';
import { datasetPath } from '../../../../common/platform/http/query-values';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import {
  toValidationItems,
  ValidationFailedError,
  parseInput,
} from '../../../../common/platform/http/zod-validation.pipe';
import { AddMediaFromLocationUseCase } from '../add-media-from-location.use-case';
import { StartAddition } from '../start-addition';
import { MediaSourceCountError } from '../domain/addition-errors';
import { AddUploadedMediaUseCase } from '../add-uploaded-media.use-case';
import { addMediaForm, addMediaFormDescription, batchOf, type AddMediaForm } from './add-media.schemas';

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
