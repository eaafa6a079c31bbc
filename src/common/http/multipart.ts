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

export const STAGING_PREFIX = 'staging/';

type FormFields = Readonly<Record<string, unknown>>;

/** Streams each file into the store while it arrives, hashing it on the way; never to memory. */
class StoreEngine implements StorageEngine {
  constructor(private readonly store: ObjectStore) {}

  _handleFile(
    _: Request,
    file: Express.Multer.File,
    done: (error?: unknown, info?: Partial<Express.Multer.File>) => void,
  ): void {
    const key = `${STAGING_PREFIX}${randomUUID()}`;
    const hash = createHash('sha256');
    const source: Readable = file.stream;
    const hashed = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        hash.update(chunk);
        next(null, chunk);
      },
    });
    source.once('error', (error) => hashed.destroy(error));
    source.once('close', () => {
      if (!source.readableEnded) hashed.destroy(new Error('The upload broke off'));
    });
    this.store.put(key, source.pipe(hashed)).then(
      (stored) => done(undefined, { path: key, size: stored.size, filename: hash.digest('hex') }),
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
      return new DomainError(413, 'A file is larger than the largest upload allowed (MAX_UPLOAD_BYTES)');
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
