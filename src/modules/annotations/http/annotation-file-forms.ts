import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { BadRequestError } from '../../../common/platform/errors/domain-error';
import {
  receiveForm,
  type ArrivingFile,
  type FormFields,
  type FormRule,
} from '../../../common/platform/http/multipart';
import { ValidationFailedError } from '../../../common/platform/http/zod-validation.pipe';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { dropStagedFiles, stageFile } from '../../../common/platform/storage/staged-file';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { ANNOTATION_FILE_NAMES, isAnnotationFileName } from '../../tables';
import { AnnotateMediaUseCase, type ReceivedFile } from '../annotate-media.use-case';
import { MAX_FILES, MAX_PREVIEW_BYTES } from './annotation-file.schemas';

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

/** Receives forms with annotation files. */
@Injectable()
export class AnnotationFileForms {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Pick<Configuration, 'maxUploadBytes'>,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly annotate: AnnotateMediaUseCase,
  ) {}

  /** The files are in the store until `use` is done. */
  async receive<T>(
    datasetId: string,
    request: Request,
    response: Response,
    use: (fields: FormFields, files: readonly ReceivedFile[]) => Promise<T>,
  ): Promise<T> {
    await this.annotate.assertImportPossible(datasetId);
    const received = new ReceivedAnnotationFiles(this.store, this.configuration.maxUploadBytes);
    try {
      const fields = await receiveForm(request, response, received);
      received.assertSome();
      return await use(fields, received.files);
    } finally {
      await received.discard();
    }
  }
}
