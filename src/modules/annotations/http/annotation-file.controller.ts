import { Controller, HttpCode, HttpStatus, Param, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import type { FormFields } from '../../../common/platform/http/multipart';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { parseOrFail } from '../../../common/platform/http/zod-validation.pipe';
import { AnnotateMediaUseCase, type ReceivedAnnotationFile, type ReceivedFile } from '../annotate-media.use-case';
import { FilePreviews } from '../files/file-preview';
import { AnnotationFileForms } from './annotation-file-forms';
import { annotationResponse } from './annotation.schemas';
import {
  annotationFileForm,
  annotationFileFormDescription,
  filePreviewResponse,
  presentFilePreview,
  sourceFileForm,
} from './annotation-file.schemas';

@ApiTags('Annotations')
@Controller('api/v1')
export class AnnotationFileController {
  constructor(
    private readonly forms: AnnotationFileForms,
    private readonly annotate: AnnotateMediaUseCase,
    private readonly previews: FilePreviews,
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
      'need no `label` beside them; several options of an enum are divided by `|` in CSV. ' +
      'With a `source`, files of other tools are read into that source; archives with them, too. With `preview`, the answer says what they have instead. A warning of the task names files that are not in the dataset, up to 20 of them.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: annotationFileFormDescription })
  @ApiOkResponse({ standardSchema: filePreviewResponse, description: 'The preview; nothing is changed.' })
  @ApiAcceptedResponse({ standardSchema: annotationResponse })
  @MayFail(400, 409, 413)
  async start(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof annotationResponse> | z.infer<typeof filePreviewResponse>> {
    return this.forms.receive(datasetId, request, response, async (fields, files) => {
      if (!('source' in fields)) return { task_id: await this.annotateMedia(datasetId, fields, files, caller) };
      const { preview, ...asked } = parseOrFail(sourceFileForm, fields, 'body');
      if (preview) {
        response.status(HttpStatus.OK);
        return presentFilePreview(await this.previews.of(datasetId, asked.format, files));
      }
      return { task_id: await this.annotate.startImportInto(datasetId, asked, files, caller) };
    });
  }

  private annotateMedia(
    datasetId: string,
    fields: FormFields,
    files: readonly ReceivedFile[],
    caller: Principal,
  ): Promise<string> {
    const { mode } = parseOrFail(annotationFileForm, fields, 'body');
    return this.annotate.startWithFiles(datasetId, mode, files as readonly ReceivedAnnotationFile[], caller);
  }
}
