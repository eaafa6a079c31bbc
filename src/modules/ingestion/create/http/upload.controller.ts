import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { CONFIGURATION, type Configuration } from '../../../../common/platform/config/configuration';
import { ChangesState, DatasetAccess, WorkspaceRole } from '../../../../common/platform/http/access';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { receiveFiles } from '../../../../common/platform/http/multipart';
import { CurrentPrincipal, type Principal } from '../../../../common/platform/http/principal';
import { datasetPath } from '../../../../common/platform/http/query-values';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import { OBJECT_STORE } from '../../../../common/platform/storage/storage.module';
import type { ObjectStore } from '../../../../common/platform/storage/object-store';
import { parseInput } from '../../../../common/platform/http/zod-validation.pipe';
import { CreateDraftUseCase, ProcessUploadUseCase, ReceiveUploadUseCase } from '../upload.use-cases';
import { MissingFieldError } from '../domain/new-dataset';
import { assertAccepted } from '../../uploads/domain/upload-errors';
import {
  datasetIdResponse,
  newDatasetQuery,
  processFilesQuery,
  transactionPath,
  transactionResponse,
  type ProcessFilesQuery,
  type TransactionPath,
} from './creation.schemas';

type DatasetPath = z.infer<typeof datasetPath>;

@ApiTags('Ingestion')
@Controller('api/v1/ingestion')
export class UploadController {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly createDraft: CreateDraftUseCase,
    private readonly receiveUpload: ReceiveUploadUseCase,
    private readonly processUpload: ProcessUploadUseCase,
  ) {}

  @Get('new_dataset')
  @ChangesState()
  @WorkspaceRole('editor')
  @ApiOperation({ summary: 'Create an empty dataset to upload files into' })
  @ApiQuery({ name: 'dataset_name', type: 'string', description: '1 to 255 characters.', example: 'Harbour' })
  @ApiOkResponse({ standardSchema: datasetIdResponse })
  @MayFail(400)
  async create(
    @Query() query: Record<string, unknown>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof datasetIdResponse>> {
    const parsed = parseInput(newDatasetQuery, query);
    // The specification requires 400 for a missing parameter here.
    if (!parsed.success) throw new MissingFieldError(`dataset_name (${parsed.error.issues[0]!.message})`);
    return { dataset_id: await this.createDraft.create(parsed.data.dataset_name, principal) };
  }

  @Get(':dataset_id/data_files')
  @ChangesState()
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Open an upload transaction' })
  @ApiOkResponse({ standardSchema: transactionResponse })
  async open(@Param({ schema: datasetPath }) path: DatasetPath): Promise<z.infer<typeof transactionResponse>> {
    return { trans_id: await this.receiveUpload.open(path.dataset_id) };
  }

  @Post(':dataset_id/data_files/:transaction_id')
  @HttpCode(202)
  @DatasetAccess('write')
  @RateLimited('upload')
  @ApiOperation({ summary: "Upload files, each in a form field named 'files'" })
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['files'],
      properties: { files: { type: 'array', items: { type: 'string', format: 'binary' } } },
    },
  })
  async upload(
    @Param({ schema: transactionPath }) path: TransactionPath,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.receiveUpload.assertOpen(path.dataset_id, path.transaction_id);
    const files = await receiveFiles(request, response, {
      field: 'files',
      store: this.store,
      maxFiles: this.configuration.maxFilesPerUpload,
      maxBytes: this.configuration.maxUploadBytes,
      accept: assertAccepted,
    });
    await this.receiveUpload.receive(path.dataset_id, path.transaction_id, files);
  }

  @Post(':dataset_id/process_files/:transaction_id')
  @HttpCode(202)
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Index the uploaded files' })
  @MayFail(400)
  process(
    @Param({ schema: transactionPath }) path: TransactionPath,
    @Query({ schema: processFilesQuery }) { labels_from_folders: labelsFromFolders }: ProcessFilesQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<void> {
    return this.processUpload.process(path.dataset_id, path.transaction_id, principal, { labelsFromFolders });
  }
}
