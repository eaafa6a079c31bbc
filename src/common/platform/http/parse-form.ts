import type { Readable, Writable } from 'node:stream';
import type { Request, Response } from 'express';
import multer, { MulterError, type Options, type StorageEngine } from 'multer';
import { BadRequestError, DomainError } from '../errors/domain-error';
import { brokenOff, openBody, watchBody } from './read-body';
import { ValidationFailedError } from './zod-validation.pipe';

export type FormFields = Readonly<Record<string, unknown>>;

/** A file that is being received. */
export interface ArrivingFile {
  readonly field: string;
  readonly clientName: string;
  readonly stream: Readable;
}

export interface FormParts {
  readonly maxFiles: number;
  /** The size limit of the whole form, if it is kept in memory; handlers of files have their own limits. */
  readonly maxBytes?: number;
  /** The texts are those before the file. */
  accept(file: Pick<ArrivingFile, 'field' | 'clientName'>, texts: FormFields): void;
  take(file: ArrivingFile): Promise<void>;
}

const MAX_FIELDS = 50;
/** The size limit of all texts of a form together. */
const MAX_TEXT_BYTES = 64 * 1024;

/** Parses a multipart form. Rejects with the first error, after the handlers have stopped working on its files. */
export async function parseForm(request: Request, response: Response, parts: FormParts): Promise<FormFields> {
  if (!request.is('multipart/form-data')) {
    const input = request.headers['content-type'] ?? null;
    throw new ValidationFailedError([
      { type: 'missing', loc: ['body'], msg: 'The body must be a multipart form', input },
    ]);
  }
  openBody(request, response, parts.maxBytes);
  return new FormReader(request, response, parts).read();
}

/** Reads a form with multer, but rejects at once where multer would first read the body to its end. */
class FormReader {
  private readonly fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  private readonly taking: Promise<void>[] = [];
  private textBytes = 0;
  private failure: Error | undefined;
  private parser: Writable | undefined;
  private onFailure = (): void => undefined;
  private stopWatching = (): void => undefined;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
    private readonly parts: FormParts,
  ) {}

  async read(): Promise<FormFields> {
    this.watch();
    await new Promise<void>((resolve) => {
      this.onFailure = resolve;
      void multer(this.options()).any()(this.request, this.response, (error: unknown) => {
        if (error !== undefined && error !== null) this.fail(clientErrorOf(error));
        resolve();
      });
    });
    await Promise.allSettled(this.taking);
    this.stopWatching();
    if (this.failure !== undefined) throw this.failure;
    return { ...this.fields };
  }

  private options(): Options & { streamHandler: (request: Request, parser: Writable) => void } {
    return {
      storage: this.storage(),
      preservePath: true,
      defParamCharset: 'utf8',
      limits: {
        files: this.parts.maxFiles,
        fields: MAX_FIELDS,
        parts: this.parts.maxFiles + MAX_FIELDS,
        fieldSize: MAX_TEXT_BYTES,
      },
      fileFilter: (_request, { fieldname, originalname }, done) => {
        try {
          this.parts.accept({ field: fieldname, clientName: originalname }, this.fields);
          done(null, true);
        } catch (error) {
          this.fail(error);
          done(this.failure!);
        }
      },
      streamHandler: (request, parser) => {
        this.parser = parser;
        parser.on('field', (name: string | undefined, value: string, info: { valueTruncated: boolean }) =>
          this.takeText(name, value, info.valueTruncated),
        );
        parser.on('file', (name: string | undefined) => {
          if (name === undefined) this.fail(clientErrorOf(new MulterError('MISSING_FIELD_NAME')));
        });
        parser.on('filesLimit', () => this.fail(clientErrorOf(new MulterError('LIMIT_FILE_COUNT'))));
        parser.on('fieldsLimit', () => this.fail(clientErrorOf(new MulterError('LIMIT_FIELD_COUNT'))));
        parser.on('partsLimit', () => this.fail(clientErrorOf(new MulterError('LIMIT_PART_COUNT'))));
        parser.on('error', (error: Error) => this.fail(clientErrorOf(error)));
        request.pipe(parser);
      },
    };
  }

  private storage(): StorageEngine {
    return {
      _handleFile: (_request, { fieldname, originalname, stream }, done) => {
        const taken = this.parts.take({ field: fieldname, clientName: originalname, stream });
        this.taking.push(taken);
        taken.then(
          () => done(undefined, {}),
          (error: unknown) => {
            this.fail(error);
            done(error);
          },
        );
      },
      _removeFile: (_request, _file, done) => done(null),
    };
  }

  private watch(): void {
    const fail = (error: Error): void => this.fail(error);
    if (this.parts.maxBytes !== undefined) {
      this.stopWatching = watchBody(this.request, this.response, this.parts.maxBytes, fail);
      return;
    }
    this.request.once('close', () => {
      if (!this.request.complete) fail(brokenOff());
    });
  }

  /** Only the first failure counts. Streams in progress end with the parser. */
  private fail(error: unknown): void {
    if (this.failure !== undefined) return;
    this.failure = error instanceof Error ? error : new Error(String(error));
    if (this.parser !== undefined) {
      this.request.unpipe(this.parser);
      this.parser.destroy();
    }
    this.onFailure();
  }

  private takeText(name: string | undefined, value: string, isCut: boolean): void {
    if (name === undefined) {
      this.fail(clientErrorOf(new MulterError('MISSING_FIELD_NAME')));
      return;
    }
    this.textBytes += Buffer.byteLength(value);
    if (isCut || this.textBytes > MAX_TEXT_BYTES) {
      this.fail(clientErrorOf(new MulterError('LIMIT_FIELD_VALUE')));
      return;
    }
    const field = unescapeName(name);
    const before = this.fields[field];
    this.fields[field] = before === undefined ? value : [before, value].flat();
  }
}

/** Browsers escape exactly these three characters in a name. */
const unescapeName = (name: string): string =>
  name.replace(/%(0A|0D|22)/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

function clientErrorOf(error: unknown): Error {
  switch (error instanceof MulterError ? error.code : undefined) {
    case 'LIMIT_FILE_COUNT':
      return new DomainError(413, 'Too many files in one request: send them in several');
    case 'LIMIT_FIELD_VALUE':
      return new DomainError(413, `The texts of the form are larger than ${MAX_TEXT_BYTES / 1024} KiB`);
    case 'LIMIT_FIELD_COUNT':
      return malformed(`it has more than ${MAX_FIELDS} fields`);
    case 'LIMIT_PART_COUNT':
      return malformed('it has too many parts');
    case 'MISSING_FIELD_NAME':
      return malformed('a part has no name');
    default:
      return malformed(error instanceof Error ? error.message : String(error));
  }
}

const malformed = (reason: string): BadRequestError => new BadRequestError(`The form is malformed: ${reason}`);
