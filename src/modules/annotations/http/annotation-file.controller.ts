import { Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { receiveForm } from '../../../common/platform/http/multipart';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import {
  toValidationItems,
  ValidationFailedError,
  parseInput,
} from '../../../common/platform/http/zod-validation.pipe';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { AnnotateMediaUseCase } from '../annotate-media.use-case';
import type { AnnotationMode } from '../domain/annotation';
import { annotationFileForm, annotationFileFormDescription, annotationResponse } from './annotation.schemas';
import { ReceivedAnnotationFiles } from './received-annotation-files';

function modeIn(fields: Readonly<Record<string, unknown>>): AnnotationMode {
  const parsed = parseInput(annotationFileForm, fields);
  if (parsed.success) return parsed.data.mode;
  throw new ValidationFailedError(toValidationItems(parsed.error.issues, fields, 'body'));
}

@ApiTags('Annotations')
@Controller('api/v1')
export class AnnotationFileController {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly annotate: AnnotateMediaUseCase,
  ) {}

  @Post('dataset/:dataset_id/annotations/files')
  @HttpCode(202)
  @DatasetAccess('write')
  @RateLimited('upload')
  @ApiOperation({
    summary: 'Give labels, captions, objects and fields to media of a dataset, by files',
    description:
      'Files have the names and columns of annotation files at creation. Objects may have a column `confidence` (COCO: `score`), from ' +
      '0 to 1, and are predictions then. Columns of `image_annotations` that are named `metadata.<field>` hold fields of your own, and ' +
      'need no `label` beside them; several options of an enum are divided by `|` in CSV. A warning of the task names files that are not in the dataset, up to 20 of them.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: annotationFileFormDescription })
  @ApiAcceptedResponse({ standardSchema: annotationResponse })
  @MayFail(400, 409)
  async start(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof annotationResponse>> {
    await this.annotate.assertPossible(datasetId);
    const received = new ReceivedAnnotationFiles(this.store, this.configuration.maxUploadBytes);
    try {
      const mode = modeIn(await receiveForm(request, response, received));
      received.assertSome();
      return { task_id: await this.annotate.startWithFiles(datasetId, mode, received.files, caller) };
    } finally {
      await received.discard();
    }
  }
}
