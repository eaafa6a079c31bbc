import { Body, Controller, Get, HttpCode, Param, Post, Query, UseFilters } from '@nestjs/common';
import { ApiConflictResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { PublishedStateReader } from '../../versions';
import { AnnotationHistoryReader } from '../history/annotation-history.reader';
import { UndoChangeUseCase } from '../undo-change.use-case';
import { AnnotationChangedFilter } from './annotation-changed.filter';
import {
  historyQuery,
  historyResponse,
  presentChange,
  undoBody,
  undoResponse,
  type HistoryQuery,
  type UndoBody,
} from './history.schemas';
import { conflictResponse } from './source.presenter';

@ApiTags('Annotations')
@Controller('api/v1')
export class AnnotationHistoryController {
  constructor(
    private readonly states: PublishedStateReader,
    private readonly history: AnnotationHistoryReader,
    private readonly undoing: UndoChangeUseCase,
  ) {}

  @Get('dataset/:dataset_id/annotations/history')
  @DatasetAccess('read')
  @ApiOperation({
    summary: 'Changes of the annotations of a dataset, latest first',
    description:
      'Who changed which annotations of which source, from what to what. Labels and objects that were given without a source are not among them.',
  })
  @ApiOkResponse({ standardSchema: historyResponse })
  async list(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Query({ schema: historyQuery }) query: HistoryQuery,
  ): Promise<z.infer<typeof historyResponse>> {
    const { media_id: mediaId, source, created_by: createdBy, queue_id: queueId, cursor: before, limit } = query;
    const state = await this.states.get(datasetId);
    const { changes, next } = await this.history.page(state, { mediaId, source, createdBy, queueId, before }, limit);
    return { changes: changes.map(presentChange), next_cursor: next === undefined ? null : String(next) };
  }

  @Post('dataset/:dataset_id/annotations/undo')
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Undo a change of annotations',
    description:
      'The annotations are exactly what they were before, with their versions and times, all of them or none: 409 if one of them was changed since. ' +
      'The undo is a change, too: its undo does the first change again.',
  })
  @ApiOkResponse({ standardSchema: undoResponse })
  @ApiConflictResponse({
    standardSchema: conflictResponse,
    description: 'The change was undone already, its content is not kept, or an annotation was changed since.',
  })
  @MayFail(409)
  @UseFilters(AnnotationChangedFilter)
  async undo(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Body({ schema: undoBody }) { change_id: changeId }: UndoBody,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof undoResponse>> {
    const { changeId: undo, ...counts } = await this.undoing.undo(datasetId, changeId, caller);
    return { change_id: undo, ...counts };
  }
}
