import { Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { WorkspaceRole } from '../../../../common/platform/http/access';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { BadRequestError } from '../../../../common/platform/errors/domain-error';
import { receiveFields } from '../../../../common/platform/http/multipart';
import { CurrentPrincipal, type Principal } from '../../../../common/platform/http/principal';
import { parseInput } from '../../../../common/platform/http/zod-validation.pipe';
import { CreateDatasetFromPathUseCase } from '../create-dataset-from-path.use-case';
import { FolderLabelCounts } from '../folder-label-counts';
import {
  createDatasetForm,
  createDatasetFormDescription,
  datasetIdResponse,
  folderLabelsQuery,
  folderLabelsResponse,
  type FolderLabelsQuery,
} from './creation.schemas';

const MOST_LABELS = 100;

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
  constructor(
    private readonly createDataset: CreateDatasetFromPathUseCase,
    private readonly countFolders: FolderLabelCounts,
  ) {}

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
    const { dataset_name: name, bucket_path: path, labels_from_folders: labelsFromFolders } = form;
    return { dataset_id: await this.createDataset.create(name, path, principal, { labelsFromFolders }) };
  }

  @Get('ingestion/folder_labels')
  @WorkspaceRole('editor')
  @ApiOperation({
    summary: 'The labels that labels_from_folders would give to the media of a bucket path or a local folder',
  })
  @ApiOkResponse({ standardSchema: folderLabelsResponse })
  @MayFail(400)
  async folderLabels(
    @Query({ schema: folderLabelsQuery }) { bucket_path: path }: FolderLabelsQuery,
  ): Promise<z.infer<typeof folderLabelsResponse>> {
    const { labels, files, isPartial } = await this.countFolders.at(path);
    return {
      labels: labels.slice(0, MOST_LABELS).map(([value, count]) => ({ value, count })),
      labels_total: labels.length,
      files,
      is_partial: isPartial,
    };
  }
}
