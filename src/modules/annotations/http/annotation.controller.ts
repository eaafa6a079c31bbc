import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { MaxBodyBytes } from '../../../common/platform/http/json-body.interceptor';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { AnnotateMediaUseCase } from '../annotate-media.use-case';
import type { GivenObject } from '../domain/annotation';
import { givenMetadata } from './custom-metadata.schemas';
import {
  annotationBody,
  annotationResponse,
  folderAnnotationBody,
  type AnnotationBody,
  type FolderAnnotationBody,
} from './annotation.schemas';

const MAX_BYTES = 8 * 1024 * 1024;

@ApiTags('Annotations')
@Controller('api/v1')
export class AnnotationController {
  constructor(private readonly annotate: AnnotateMediaUseCase) {}

  @Post('dataset/:dataset_id/annotations')
  @HttpCode(202)
  @DatasetAccess('write')
  @MaxBodyBytes(MAX_BYTES)
  @ApiOperation({
    summary: 'Give labels, captions and objects to media of a dataset',
    description:
      'All annotations of a request appear at once, when the task is COMPLETED; the dataset is READ ONLY meanwhile. ' +
      'A warning of the task names annotations that match nothing. Findings of models stay.',
  })
  @ApiAcceptedResponse({ standardSchema: annotationResponse })
  @MayFail(400, 409)
  async start(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Body({ schema: annotationBody }) { mode, annotations }: AnnotationBody,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof annotationResponse>> {
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
    return { task_id: await this.annotate.start(datasetId, mode, given, caller) };
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
}
