import { Controller, HttpCode, HttpStatus, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import {
  receiveForm,
  type ArrivingFile,
  type FormFields,
  type FormRule,
} from '../../../common/platform/http/multipart';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { parseOrFail, ValidationFailedError } from '../../../common/platform/http/zod-validation.pipe';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { AnnotateMediaUseCase, type ReceivedAnnotationFile, type ReceivedFile } from '../annotate-media.use-case';
import { FilePreviews } from '../files/file-preview';
import { annotationResponse } from './annotation.schemas';
import {
  annotationFileForm,
  annotationFileFormDescription,
  filePreviewResponse,
  MAX_FILES,
  MAX_PREVIEW_BYTES,
  presentFilePreview,
  sourceFileForm,
} from './annotation-file.schemas';
import { BadRequestError } from '../../../common/platform/errors/domain-error';
import { dropStagedFiles, stageFile } from '../../../common/platform/storage/staged-file';
import { ANNOTATION_FILE_NAMES, isAnnotationFileName } from '../../tables';

const NAMES = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(ANNOTATION_FILE_NAMES);

const MAX_NAME = 500;

/** Stores the annotation files of a form. The caller must call `discard` at the end. */
class ReceivedAnnotationFiles implements FormRule {
  readonly maxFiles = MAX_FILES;
  readonly files: ReceivedFile[] = [];
  private readonly names = new Set<string>();
  private readonly taking = new Set<Promise<void>>();

  constructor(
    private readonly store: ObjectStore,
    private maxBytes: number,
  ) {}

  accept({ field, clientName }: Pick<ArrivingFile, 'field' | 'clientName'>, texts: FormFields): void {
    if (field !== 'files') throw wrongField(field);
    const name = JSON.stringify(clientName.slice(0, 200));
    if ('source' in texts ? clientName.length > MAX_NAME : !isAnnotationFileName(clientName))
      throw new BadRequestError(
        'source' in texts
          ? `The name ${name} has more than ${MAX_NAME} characters`
          : `${name} is not an annotation file: its name must be ${NAMES}. Files of other names need the field 'source' before them`,
      );
    if (this.names.has(clientName)) throw new BadRequestError(`The form has ${clientName} twice`);
    this.names.add(clientName);
    if (texts.preview === 'true') this.maxBytes = Math.min(this.maxBytes, MAX_PREVIEW_BYTES);
  }

  take(file: ArrivingFile): Promise<void> {
    const taking = this.stage(file).finally(() => this.taking.delete(taking));
    this.taking.add(taking);
    return taking;
  }

  assertSome(): void {
    if (this.files.length > 0) return;
    const msg = "Field required: annotation files go into the form field 'files'";
    throw new ValidationFailedError([{ type: 'missing', loc: ['body', 'files'], msg, input: null }]);
  }

  async discard(): Promise<void> {
    await Promise.allSettled(this.taking);
    await dropStagedFiles(
      this.store,
      this.files.map(({ key }) => key),
    );
  }

  private async stage({ clientName, stream }: ArrivingFile): Promise<void> {
    const { key, size } = await stageFile(this.store, stream, { maxBytes: this.maxBytes });
    this.files.push({ clientName, key, size });
  }
}

const wrongField = (field: string): ValidationFailedError =>
  new ValidationFailedError([
    {
      type: 'unexpected',
      loc: ['body', field],
      msg: "Annotation files go into the form field 'files'",
      input: field,
    },
  ]);

@ApiTags('Annotations')
@Controller('api/v1')
export class AnnotationFileController {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
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
    await this.annotate.assertImportPossible(datasetId);
    const received = new ReceivedAnnotationFiles(this.store, this.configuration.maxUploadBytes);
    try {
      const fields = await receiveForm(request, response, received);
      received.assertSome();
      if (!('source' in fields))
        return { task_id: await this.annotateMedia(datasetId, fields, received.files, caller) };
      const { preview, format = null, model_id: modelId = null, ...rest } = parseOrFail(sourceFileForm, fields, 'body');
      if (preview) {
        response.status(HttpStatus.OK);
        return presentFilePreview(await this.previews.of(datasetId, format, received.files));
      }
      const asked = { ...rest, modelId, format };
      return { task_id: await this.annotate.startImportInto(datasetId, asked, received.files, caller) };
    } finally {
      await received.discard();
    }
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
