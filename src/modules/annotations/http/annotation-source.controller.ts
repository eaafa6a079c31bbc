import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { PublishedStateReader, SourceAnnotations } from '../../versions';
import { AnnotateMediaUseCase } from '../annotate-media.use-case';
import { ChangeSourceUseCase } from '../change-source.use-case';
import { annotationResponse } from './annotation.schemas';
import { presentSource, sourceResponse, sourcesResponse } from './source.presenter';
import { renameBody, sourcePath, type RenameBody, type SourcePath } from './source.schemas';

@ApiTags('Annotations')
@Controller('api/v1')
export class AnnotationSourceController {
  constructor(
    private readonly states: PublishedStateReader,
    @Inject(MediaTableStore) private readonly tables: Pick<MediaTableStore, 'open'>,
    private readonly annotations: SourceAnnotations,
    private readonly changes: ChangeSourceUseCase,
    private readonly annotate: AnnotateMediaUseCase,
  ) {}

  @Get('dataset/:dataset_id/annotation_sources')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The sources of annotations of a dataset, by name' })
  @ApiOkResponse({ standardSchema: sourcesResponse })
  async list(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
  ): Promise<z.infer<typeof sourcesResponse>> {
    const { pointer } = await this.states.get(datasetId);
    if (pointer === null) return { sources: [] };
    const sources = await this.annotations.list(pointer, await this.tables.open(pointer));
    return { sources: sources.map(presentSource) };
  }

  @Patch('dataset/:dataset_id/annotation_sources/:source')
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Rename a source of annotations' })
  @ApiOkResponse({ standardSchema: sourceResponse })
  @MayFail(409)
  async rename(
    @Param({ schema: sourcePath }) { dataset_id: datasetId, source }: SourcePath,
    @Body({ schema: renameBody }) { name }: RenameBody,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof sourceResponse>> {
    return presentSource(await this.changes.rename(datasetId, source, name, caller));
  }

  @Delete('dataset/:dataset_id/annotation_sources/:source')
  @HttpCode(204)
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Remove a source with its annotations', description: 'Snapshots keep it.' })
  @ApiNoContentResponse()
  @MayFail(409)
  async remove(
    @Param({ schema: sourcePath }) { dataset_id: datasetId, source }: SourcePath,
    @CurrentPrincipal() caller: Principal,
  ): Promise<void> {
    await this.changes.remove(datasetId, source, caller);
  }

  @Post('dataset/:dataset_id/annotation_sources/:source/objects')
  @HttpCode(202)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Make objects of what a source marks',
    description:
      'Boxes, and the boxes around other shapes, are cut out and compared as objects, unless that was done before; objects whose annotation is gone are removed. ' +
      'All of that is seen when the task is COMPLETED; the dataset is READ ONLY meanwhile.',
  })
  @ApiAcceptedResponse({ standardSchema: annotationResponse })
  @MayFail(409)
  async makeObjects(
    @Param({ schema: sourcePath }) { dataset_id: datasetId, source }: SourcePath,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof annotationResponse>> {
    return { task_id: await this.annotate.startObjectsOf(datasetId, source, caller) };
  }
}
