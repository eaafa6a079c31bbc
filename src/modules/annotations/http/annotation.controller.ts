import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  HttpStatus,
  Param,
  Post,
  Query,
  Res,
  UseFilters,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiConflictResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { MaxBodyBytes } from '../../../common/platform/http/json-body.interceptor';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { parseOrFail, ValidationFailedError } from '../../../common/platform/http/zod-validation.pipe';
import { PublishedStateReader } from '../../versions';
import { AnnotateMediaUseCase } from '../annotate-media.use-case';
import { AnnotationListReader } from '../annotation-list.reader';
import { ChangeSourceUseCase } from '../change-source.use-case';
import { cursorOf, placeIn, type ListPlace } from '../domain/list-cursor';
import { NotInLabelSetError } from '../domain/source-errors';
import { MAX_ANNOTATIONS, type GivenObject } from '../domain/annotation';
import { AnnotationChangedFilter } from './annotation-changed.filter';
import { givenMetadata } from './custom-metadata.schemas';
import {
  annotationBody,
  annotationResponse,
  folderAnnotationBody,
  mediaBody,
  type FolderAnnotationBody,
  type MediaBody,
} from './annotation.schemas';
import { conflictResponse, listResponse, presentAnnotation, sourceOutcome } from './source.presenter';
import { editsIn, listQuery, sourceBody, unusableIfMatch, withVersion, type ListQuery } from './source.schemas';

const MAX_BYTES = 8 * 1024 * 1024;
/** Of each annotation: itself, its attributes, its shape, and lists in that. */
const MAX_CONTAINERS = 6 * MAX_ANNOTATIONS;

@ApiTags('Annotations')
@Controller('api/v1')
export class AnnotationController {
  constructor(
    private readonly annotate: AnnotateMediaUseCase,
    private readonly sources: ChangeSourceUseCase,
    private readonly states: PublishedStateReader,
    private readonly listed: AnnotationListReader,
  ) {}

  @Post('dataset/:dataset_id/annotations')
  @HttpCode(202)
  @DatasetAccess('write')
  @MaxBodyBytes(MAX_BYTES, MAX_CONTAINERS)
  @ApiOperation({
    summary: 'Give labels, captions and objects to media of a dataset, or annotations of a source',
    description:
      'Without a source, all annotations of a request appear at once when the task is COMPLETED; the dataset is READ ONLY meanwhile. ' +
      'A warning of the task names annotations that match nothing. Findings of models stay. ' +
      'With a source, the response comes when the annotations can be seen, all of them or none; the dataset stays as it is.',
  })
  @ApiOkResponse({
    standardSchema: sourceOutcome,
    description: 'The annotations of the source are changed.',
    headers: {
      ETag: {
        description: 'The version of all annotations that were added or changed; absent if nothing changed.',
        schema: { type: 'string', example: '"1795512730500"' },
      },
    },
  })
  @ApiAcceptedResponse({ standardSchema: annotationResponse })
  @ApiConflictResponse({
    standardSchema: conflictResponse,
    description: 'The state of the object does not allow this now, or somebody else has changed an annotation.',
  })
  @ApiHeader({
    name: 'If-Match',
    required: false,
    description: 'The version of the annotation that was seen, in a request with one annotation of a source.',
    schema: { type: 'string', example: '"1795512730500"' },
  })
  @MayFail(400, 409)
  @UseFilters(AnnotationChangedFilter)
  async start(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Body({ schema: annotationBody }) body: unknown,
    @Headers('if-match') seen: string | undefined,
    @CurrentPrincipal() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<z.infer<typeof annotationResponse> | z.infer<typeof sourceOutcome>> {
    if (typeof body !== 'object' || body === null || !('source' in body)) {
      if (seen !== undefined) throw unusableIfMatch(seen);
      return { task_id: await this.startTask(datasetId, parseOrFail(mediaBody, body, 'body'), caller) };
    }
    const edits = editsIn(withVersion(parseOrFail(sourceBody, body, 'body'), seen));
    const made = await this.sources.edit(datasetId, edits, caller).catch(asInvalidItems);
    const { changeId, unmatched, version, ...counts } = made;
    response.status(HttpStatus.OK);
    if (version !== null) response.setHeader('ETag', `"${version}"`);
    return { ...counts, unmatched: [...unmatched], change_id: changeId };
  }

  @Get('dataset/:dataset_id/annotations')
  @DatasetAccess('read')
  @ApiOperation({
    summary: 'Annotations of sources',
    description:
      'By the names of the sources, then in the order of the media. Labels and objects that were given without a source are part of their media.',
  })
  @ApiOkResponse({ standardSchema: listResponse })
  @MayFail(409)
  async list(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Query({ schema: listQuery }) { snapshot_id: snapshotId, media_id: mediaIds, cursor, ...asked }: ListQuery,
  ): Promise<z.infer<typeof listResponse>> {
    const state = await this.states.get(datasetId, snapshotId);
    const { annotations, next, total } = await this.listed.page(state, { ...asked, mediaIds, from: placeOf(cursor) });
    return {
      annotations: annotations.map(presentAnnotation),
      next_cursor: next === undefined ? null : cursorOf(next),
      total,
    };
  }

  @Post('dataset/:dataset_id/annotations/folders')
  @HttpCode(202)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Label the images and frames of a dataset with the names of their folders',
    description:
      'The label is the name of the folder of a file, or of the video of a frame. Files at the root of their source get none.',
  })
  @ApiAcceptedResponse({ standardSchema: annotationResponse })
  @MayFail(409)
  async startFromFolders(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Body({ schema: folderAnnotationBody }) { mode }: FolderAnnotationBody,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof annotationResponse>> {
    return { task_id: await this.annotate.startFromFolders(datasetId, mode, caller) };
  }

  private startTask(datasetId: string, { mode, annotations }: MediaBody, caller: Principal): Promise<string> {
    const given = annotations.map(({ media_id: mediaId, file_name: fileName, labels, caption, objects, metadata }) => ({
      mediaId,
      fileName,
      labels,
      caption,
      objects: objects?.map(({ label, bounding_box: box, confidence = null }): GivenObject => ({
        label,
        box,
        unit: 'fractions',
        confidence,
      })),
      metadata: metadata?.map(givenMetadata),
    }));
    return this.annotate.start(datasetId, mode, given, caller);
  }
}

function asInvalidItems(error: unknown): never {
  if (!(error instanceof NotInLabelSetError)) throw error;
  const items = error.breaches.map(({ at, path, input, reason }) => ({
    ...{ type: 'value_error', loc: ['body', 'annotations', at, ...path], input },
    msg: `Input should be in the label set of the dataset, which is closed: ${reason}`,
  }));
  throw new ValidationFailedError(items);
}

function placeOf(cursor: string | undefined): ListPlace | undefined {
  if (cursor === undefined) return undefined;
  const place = placeIn(cursor);
  if (place !== undefined) return place;
  const msg = 'Input should be the next_cursor of a page';
  throw new ValidationFailedError([{ type: 'invalid_format', loc: ['query', 'cursor'], msg, input: cursor }]);
}
