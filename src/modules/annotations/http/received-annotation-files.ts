import { BadRequestError } from '../../../common/platform/errors/domain-error';
import type { ArrivingFile, FormRule } from '../../../common/platform/http/multipart';
import { ValidationFailedError } from '../../../common/platform/http/zod-validation.pipe';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { dropStagedFiles, stageFile } from '../../../common/platform/storage/staged-file';
import { ANNOTATION_FILE_NAMES, isAnnotationFileName } from '../../tables';
import type { ReceivedAnnotationFile } from '../annotate-media.use-case';

const NAMES = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(ANNOTATION_FILE_NAMES);

/** Stores the annotation files of a form. The caller must call `discard` at the end. */
export class ReceivedAnnotationFiles implements FormRule {
  readonly maxFiles = ANNOTATION_FILE_NAMES.length;
  readonly files: ReceivedAnnotationFile[] = [];
  private readonly names = new Set<string>();
  private readonly taking = new Set<Promise<void>>();

  constructor(
    private readonly store: ObjectStore,
    private readonly maxBytes: number,
  ) {}

  accept({ field, clientName }: Pick<ArrivingFile, 'field' | 'clientName'>): void {
    if (field !== 'files') throw wrongField(field);
    if (!isAnnotationFileName(clientName))
      throw new BadRequestError(
        `${JSON.stringify(clientName.slice(0, 200))} is not an annotation file: its name must be ${NAMES}`,
      );
    if (this.names.has(clientName)) throw new BadRequestError(`The form has ${clientName} twice`);
    this.names.add(clientName);
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
    if (!isAnnotationFileName(clientName)) return;
    const { key, size } = await stageFile(this.store, stream, { maxBytes: this.maxBytes });
    this.files.push({ name: clientName, key, size });
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
