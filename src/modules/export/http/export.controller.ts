import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  StreamableFile,
  Injectable,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { ChangesState, DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { MaxBodyBytes } from '../../../common/platform/http/json-body.interceptor';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath, formatTimestamp } from '../../../common/platform/http/query-values';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { MAX_SELECTION_BYTES } from '../../search';
import { CancelExportUseCase, StartExportUseCase } from '../start-export.use-case';
import { ExportPreviewReader } from '../export-preview.reader';
import { ExportReader, type ExportWithTask } from '../export.reader';
import {
  contextQuery,
  entitiesBody,
  entitiesQuery,
  exportResponse,
  previewQuery,
  previewResponse,
  taskQuery,
  type ContextQuery,
  type EntitiesBody,
  type EntitiesQuery,
  type ExportResponse,
  type PreviewQuery,
  type PreviewResponse,
  type TaskQuery,
} from './export.schemas';
import type { Task } from '../../tasks';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { DatasetReader, DatasetStatusError } from '../../datasets';
import { csvLine } from '../../../common/platform/text/lines';

const BATCH_ROWS = 4_096;

/** The media of a dataset as `filename,media_id`, without objects. */
@Injectable()
export class MediaIdList {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly tables: MediaTableStore,
  ) {}

  async open(datasetId: string): Promise<AsyncGenerator<Buffer>> {
    const { pointer, status } = await this.datasets.get(datasetId);
    if (status !== 'READY' || pointer === null) throw new DatasetStatusError('export', status, ['READY']);
    const table = await this.tables.open(pointer);
    return (async function* () {
      yield Buffer.from('filename,media_id\n');
      for await (const rows of table.readRows(['id', 'kind', 'path'], { batchRows: BATCH_ROWS })) {
        const media = rows.filter(({ kind }) => kind !== 'OBJECT');
        if (media.length > 0) yield Buffer.from(media.map(({ id, path }) => csvLine([path, id])).join(''));
        await setImmediate();
      }
    })();
  }
}

const STATUSES: Readonly<Record<Task['status'], ExportResponse['status']>> = {
  INITIALIZING: 'INIT',
  RUNNING: 'RUNNING',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  ABORTED: 'FAILED',
};

const presentExport = ({ made, task, downloadUri }: ExportWithTask): ExportResponse => ({
  id: made.taskId,
  dataset_id: made.datasetId,
  created_at: formatTimestamp(task.startTime),
  download_uri: downloadUri,
  progress: task.progress,
  status: STATUSES[task.status],
  entities_count: made.entitiesCount,
  result_message: made.resultMessage,
});

type DatasetPath = z.infer<typeof datasetPath>;

const SELECTION_NAME = 'export.zip';

@ApiTags('Export')
@Controller('api/v1/dataset/:dataset_id')
export class ExportController {
  constructor(
    private readonly startExport: StartExportUseCase,
    private readonly cancelExport: CancelExportUseCase,
    private readonly exports: ExportReader,
    private readonly previews: ExportPreviewReader,
    private readonly mediaIds: MediaIdList,
  ) {}

  @Get('export_context_async')
  @ChangesState()
  @DatasetAccess('read', 'editor')
  @RateLimited('export')
  @ApiOperation({ summary: 'Export a whole dataset' })
  @ApiOkResponse({ standardSchema: exportResponse })
  @MayFail(409)
  async exportContext(
    @Param({ schema: datasetPath }) { dataset_id: id }: DatasetPath,
    @Query({ schema: contextQuery }) query: ContextQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ExportResponse> {
    const wanted = {
      fileName: query.file_name,
      format: query.export_format,
      includeImages: query.include_images,
      withEmbeddings: query.with_embeddings,
      source: query.source,
    };
    return presentExport(await this.startExport.start(id, wanted, principal));
  }

  @Post('export_entities_async')
  @HttpCode(200)
  @MaxBodyBytes(MAX_SELECTION_BYTES)
  @DatasetAccess('read', 'editor')
  @RateLimited('export')
  @ApiOperation({
    summary: 'Export a selection',
    description:
      'Items that are selected several times are exported once. A video is exported as its frames, an object with its image.',
  })
  @ApiOkResponse({ standardSchema: exportResponse })
  @MayFail(409)
  async exportEntities(
    @Param({ schema: datasetPath }) { dataset_id: id }: DatasetPath,
    @Query({ schema: entitiesQuery }) query: EntitiesQuery,
    @Body({ schema: entitiesBody }) { media_selection: selection }: EntitiesBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ExportResponse> {
    const { export_format: format, include_images: includeImages, with_embeddings: withEmbeddings, source } = query;
    const wanted = { fileName: SELECTION_NAME, format, includeImages, withEmbeddings, source, selection };
    return presentExport(await this.startExport.start(id, wanted, principal));
  }

  @Get('export_preview')
  @DatasetAccess('read', 'editor')
  @RateLimited('export')
  @ApiOperation({
    summary: 'What a format cannot hold',
    description: 'Of the annotations of a source of the whole dataset. Nothing is exported.',
  })
  @ApiOkResponse({ standardSchema: previewResponse })
  @MayFail(409)
  async preview(
    @Param({ schema: datasetPath }) { dataset_id: id }: DatasetPath,
    @Query({ schema: previewQuery }) { export_format: format, source }: PreviewQuery,
  ): Promise<PreviewResponse> {
    const { losses, media, annotations } = await this.previews.preview(id, format, source);
    return { losses: losses.map((loss) => ({ ...loss })), n_media: media, n_annotations: annotations };
  }

  @Get('export_status')
  @DatasetAccess('read', 'editor')
  @ApiOperation({
    summary: 'The progress of an export',
    description: 'The archive is available at `download_uri` for 24 hours after the export is COMPLETED.',
  })
  @ApiOkResponse({ standardSchema: exportResponse })
  status(
    @Param({ schema: datasetPath }) { dataset_id: id }: DatasetPath,
    @Query({ schema: taskQuery }) { export_task_id: taskId }: TaskQuery,
  ): Promise<ExportResponse> {
    return this.shown(id, taskId);
  }

  @Delete('export_status')
  @HttpCode(200)
  @DatasetAccess('read', 'editor')
  @ApiOperation({ summary: 'Cancel an export' })
  @ApiOkResponse({ standardSchema: exportResponse })
  @MayFail(409)
  async cancel(
    @Param({ schema: datasetPath }) { dataset_id: id }: DatasetPath,
    @Query({ schema: taskQuery }) { export_task_id: taskId }: TaskQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ExportResponse> {
    await this.cancelExport.cancel(id, taskId, principal);
    return this.shown(id, taskId);
  }

  @Get('export_media_id')
  @DatasetAccess('read', 'editor')
  @RateLimited('export')
  @ApiOperation({ summary: 'The ids of all media of a dataset, as CSV: `filename,media_id`' })
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string' } })
  @MayFail(409)
  async mediaIdList(@Param({ schema: datasetPath }) { dataset_id: id }: DatasetPath): Promise<StreamableFile> {
    const lines = Readable.from(await this.mediaIds.open(id), { objectMode: false });
    return new StreamableFile(lines, { type: 'text/csv; charset=utf-8' });
  }

  private async shown(datasetId: string, taskId: string): Promise<ExportResponse> {
    return presentExport(await this.exports.get(datasetId, taskId));
  }
}
