import { createHash, randomUUID } from 'node:crypto';
import { Transform, type Readable } from 'node:stream';
import type { Request, Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import type { ObjectStore } from '../storage/object-store';
import { BadRequestError, DomainError } from './domain-error';
import { ValidationFailedError } from './validation-item';

/** A file that has arrived whole and lies under a temporary key of the store. */
export interface ReceivedFile {
  readonly clientName: string;
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
}

export interface FilesRule {
  readonly field: string;
  readonly store: ObjectStore;
  readonly maxFiles: number;
  readonly maxBytes: number;
  /** Throws a DomainError for a name that isn't taken; asked before a byte of the file is stored. */
  accept(clientName: string): void;
  /** For a form without files; else it is a malformed body. */
  noFile?(): Error;
}

/** A file that is arriving. */
export interface ArrivingFile {
  readonly field: string;
  readonly clientName: string;
  readonly stream: Readable;
}

export interface FormRule {
  readonly maxFiles: number;
  /** Throws for a file that isn't taken; asked before a byte of it is read. */
  accept(file: Pick<ArrivingFile, 'field' | 'clientName'>): void;
  /** Reads the stream to its end, or fails when there is too much; it may still be at work when the form has failed. */
  take(file: ArrivingFile): Promise<void>;
}

export const STAGING_PREFIX = 'staging/';

type FormFields = Readonly<Record<string, unknown>>;

/** A file under a temporary key of the store. */
export interface StagedFile {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
}

const tooLarge = (): DomainError =>
  new DomainError(413, 'A file is larger than the largest upload allowed (MAX_UPLOAD_BYTES)');

/** Streams into the store, hashing on the way; never to memory. Nothing is left of what breaks off. */
export async function stageFile(store: ObjectStore, source: Readable, maxBytes = Infinity): Promise<StagedFile> {
  const key = `${STAGING_PREFIX}${randomUUID()}`;
  const hash = createHash('sha256');
  let arrived = 0;
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk);
      arrived += chunk.length;
      next(arrived > maxBytes ? tooLarge() : null, chunk);
    },
  });
  // The store may not have begun to read when it breaks off: nobody else would hear of it, and the process would end.
  hashed.on('error', () => undefined);
  source.once('error', (error) => hashed.destroy(error));
  source.once('close', () => {
    if (!source.readableEnded) hashed.destroy(new Error('The upload broke off'));
  });
  const { size } = await store.put(key, source.pipe(hashed));
  return { key, size, sha256: hash.digest('hex') };
}

type HandledFile = (error?: unknown, info?: Partial<Express.Multer.File>) => void;

class StoreEngine implements StorageEngine {
  constructor(private readonly store: ObjectStore) {}

  _handleFile(_: Request, file: Express.Multer.File, done: HandledFile): void {
    stageFile(this.store, file.stream).then(
      ({ key, size, sha256 }) => done(undefined, { path: key, size, filename: sha256 }),
      (error: unknown) => done(error),
    );
  }

  _removeFile(_: Request, file: Express.Multer.File, done: (error: Error | null) => void): void {
    this.store.delete([file.path]).then(
      () => done(null),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  }
}

/** Hands each file to the rule, which keeps account of what it stored. */
class FormEngine implements StorageEngine {
  constructor(private readonly rule: FormRule) {}

  _handleFile(_: Request, { fieldname, originalname, stream }: Express.Multer.File, done: HandledFile): void {
    this.rule.take({ field: fieldname, clientName: originalname, stream }).then(
      () => done(undefined, {}),
      (error: unknown) => done(error),
    );
  }

  _removeFile(_request: Request, _file: Express.Multer.File, done: (error: Error | null) => void): void {
    done(null);
  }
}

const missingFiles = (field: string, sentAs: string | null): ValidationFailedError =>
  new ValidationFailedError([
    {
      type: 'missing',
      loc: ['body', field],
      msg: `Field required: files go into the form field '${field}'`,
      input: sentAs,
    },
  ]);

function toClientError(error: unknown, field: string): Error {
  if (!(error instanceof MulterError)) return error instanceof Error ? error : new Error(String(error));
  switch (error.code) {
    case 'LIMIT_FILE_SIZE':
      return tooLarge();
    case 'LIMIT_FILE_COUNT':
      return new DomainError(413, 'Too many files in one request: send them in several');
    case 'LIMIT_UNEXPECTED_FILE':
      return missingFiles(field, error.field ?? null);
    default:
      return new BadRequestError(`The form is malformed: ${error.message}`);
  }
}

function runMulter(
  middleware: ReturnType<multer.Multer['none']>,
  request: Request,
  response: Response,
  field: string,
): Promise<void> {
  if (!request.is('multipart/form-data')) {
    throw new ValidationFailedError([
      {
        type: 'missing',
        loc: ['body'],
        msg: 'The body must be a multipart form',
        input: request.headers['content-type'] ?? null,
      },
    ]);
  }
  return new Promise((resolve, reject) => {
    void middleware(request, response, (error: unknown) => {
      if (error === undefined || error === null) resolve();
      else if (request.readableAborted) reject(new BadRequestError('The form broke off before its end'));
      else reject(toClientError(error, field));
    });
  });
}

export async function receiveFields(request: Request, response: Response): Promise<FormFields> {
  await runMulter(multer({ limits: { fieldSize: 64 * 1024, fields: 50 } }).none(), request, response, '');
  return { ...(request.body as FormFields) };
}

/** All files of the form, or an error and none of them. */
export async function receiveFiles(request: Request, response: Response, rule: FilesRule): Promise<ReceivedFile[]> {
  const upload = multer({
    storage: new StoreEngine(rule.store),
    preservePath: true,
    defParamCharset: 'utf8',
    limits: { fileSize: rule.maxBytes, files: rule.maxFiles, fields: 50, fieldSize: 64 * 1024 },
    fileFilter: (_, file, done) => {
      try {
        rule.accept(file.originalname);
        done(null, true);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  await runMulter(upload.array(rule.field), request, response, rule.field);
  const files = (request.files ?? []) as Express.Multer.File[];
  if (files.length === 0) throw rule.noFile?.() ?? missingFiles(rule.field, null);
  return files.map((file) => ({
    clientName: file.originalname,
    key: file.path,
    size: file.size,
    sha256: file.filename,
  }));
}

/** A form of texts and files in any order; the texts come back once all files are taken. */
export async function receiveForm(request: Request, response: Response, rule: FormRule): Promise<FormFields> {
  const upload = multer({
    storage: new FormEngine(rule),
    preservePath: true,
    defParamCharset: 'utf8',
    limits: { files: rule.maxFiles, fields: 50, fieldSize: 64 * 1024 },
    fileFilter: (_, { fieldname, originalname }, done) => {
      try {
        rule.accept({ field: fieldname, clientName: originalname });
        done(null, true);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  await runMulter(upload.any(), request, response, '');
  return { ...(request.body as FormFields) };
}
