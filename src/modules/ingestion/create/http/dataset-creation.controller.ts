import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { WorkspaceRole } from '../../../../common/platform/http/access';
import { BadRequestError } from '../../../../common/platform/errors/domain-error';
import { receiveFields } from '../../../../common/platform/http/multipart';
import { CurrentPrincipal, type Principal } from '../../../../common/platform/http/principal';
import { parseInput } from '../../../../common/platform/http/zod-validation.pipe';
import { CreateDatasetFromPathUseCase } from '../create-dataset-from-path.use-case';
import { createDatasetForm, createDatasetFormDescription, datasetIdResponse } from './creation.schemas';

/** The specification requires 400 for a missing or invalid form field here. */
function readForm(fields: Readonly<Record<string, unknown>>): z.infer<typeof createDatasetForm> {
  const parsed = parseInput(createDatasetForm, fields);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  const name = String(path[0]);
  throw new BadRequestError(fields[name] === undefined ? `Field required: ${name}` : `${name}: ${message}`);
}

@ApiTags('Datasets')
@Controller('api/v1')
export class DatasetCreationController {
  constructor(private readonly createDataset: CreateDatasetFromPathUseCase) {}

  @Post('dataset')
  @HttpCode(200)
  @WorkspaceRole('editor')
  @ApiOperation({ summary: 'Create and index a dataset from a bucket path or a local folder' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: createDatasetFormDescription })
  @ApiOkResponse({ standardSchema: datasetIdResponse })
  async create(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof datasetIdResponse>> {
    if (!request.is('multipart/form-data'))
      throw new BadRequestError('Send dataset_name and bucket_path as a multipart form');
    const form = readForm(await receiveFields(request, response));
    return { dataset_id: await this.createDataset.create(form.dataset_name, form.bucket_path, principal) };
  }
}
