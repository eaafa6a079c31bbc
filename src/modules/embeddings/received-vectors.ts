import type { ArrivingFile, FormRule } from '../../common/platform/http/multipart';
import { ValidationFailedError } from '../../common/platform/http/zod-validation.pipe';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { stageFile } from '../../common/platform/storage/staged-file';
import { vectorFormatOf, type EmbeddingUpload, type Naming } from './domain/embedding-upload';

const FIELDS = ['vectors', 'names'] as const;
type Field = (typeof FIELDS)[number];

interface Destination {
  readonly taskId: string;
  readonly below: string;
  readonly maxBytes: number;
}

const isField = (field: string): field is Field => FIELDS.some((each) => each === field);

/** Stores the file of vectors of a form, and its list of names. Call `discard` if the task does not begin. */
export class ReceivedVectors implements FormRule {
  readonly maxFiles = FIELDS.length;
  private readonly announced = new Map<Field, string>();
  private readonly stored = new Map<Field, EmbeddingUpload['vectors']>();
  private readonly taking = new Set<Promise<void>>();

  constructor(
    private readonly store: ObjectStore,
    private readonly destination: Destination,
  ) {}

  get taskId(): string {
    return this.destination.taskId;
  }

  accept({ field, clientName }: Pick<ArrivingFile, 'field' | 'clientName'>): void {
    if (!isField(field))
      throw refused(field, "The file of vectors goes into the form field 'vectors', the list of names into 'names'");
    if (this.announced.has(field)) throw refused(field, 'Input should be one file');
    if (field === 'vectors' && vectorFormatOf(clientName) === undefined)
      throw refused(field, 'Input should be a .npy or .parquet file');
    this.announced.set(field, clientName);
  }

  take({ field, stream }: ArrivingFile): Promise<void> {
    const taking = this.receive(field as Field, stream).finally(() => this.taking.delete(taking));
    this.taking.add(taking);
    return taking;
  }

  /** Throws ValidationFailedError if a file is missing, or is one too many. */
  files(naming: Naming): Pick<EmbeddingUpload, 'format' | 'vectors' | 'names'> {
    const [vectors, names] = FIELDS.map((field) => this.stored.get(field));
    const format = vectorFormatOf(this.announced.get('vectors') ?? '');
    if (vectors === undefined || format === undefined) throw refused('vectors', 'Field required');
    if (format === 'npy' && names === undefined)
      throw refused(
        'names',
        'Field required: a text file with the name of each row of the .npy file on a line of its own',
      );
    if (format === 'parquet' && names !== undefined)
      throw refused('names', 'A .parquet file names its vectors in a column of its own');
    return { format, vectors, names: names === undefined ? null : { ...names, naming } };
  }

  async discard(): Promise<void> {
    await Promise.allSettled(this.taking);
    // A sweep removes remaining objects; the reason of the refusal must not be lost.
    await this.store.deletePrefix(this.destination.below).catch(() => undefined);
  }

  private async receive(field: Field, stream: ArrivingFile['stream']): Promise<void> {
    const { below, maxBytes } = this.destination;
    const { key, size } = await stageFile(this.store, stream, { below, maxBytes });
    this.stored.set(field, { key, size });
  }
}

const refused = (field: string, msg: string): ValidationFailedError =>
  new ValidationFailedError([{ type: 'value_error', loc: ['body', field], msg, input: null }]);
