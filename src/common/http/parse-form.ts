import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request, Response } from 'express';
import { BadRequestError, DomainError } from './domain-error';
import { brokenOff, openBody, watchBody } from './read-body';
import { ValidationFailedError } from './validation-item';

export type FormFields = Readonly<Record<string, unknown>>;

/** A file that is arriving. */
export interface ArrivingFile {
  readonly field: string;
  readonly clientName: string;
  readonly stream: Readable;
}

export interface FormParts {
  readonly maxFiles: number;
  /** Of the whole form, where it is kept in memory; the files of other forms bound themselves. */
  readonly maxBytes?: number;
  accept(file: Pick<ArrivingFile, 'field' | 'clientName'>): void;
  take(file: ArrivingFile): Promise<void>;
}

const MAX_FIELDS = 50;
/** Of all texts of a form together. */
const MAX_TEXT_BYTES = 64 * 1024;

/** Reads a multipart form. Fails as soon as anything about it is wrong, when nobody is at work on its files any more. */
export async function parseForm(request: Request, response: Response, parts: FormParts): Promise<FormFields> {
  if (!request.is('multipart/form-data')) {
    const input = request.headers['content-type'] ?? null;
    throw new ValidationFailedError([
      { type: 'missing', loc: ['body'], msg: 'The body must be a multipart form', input },
    ]);
  }
  const parser = parserFor(request, parts.maxFiles);
  openBody(request, response, parts.maxBytes);
  return new FormReader(request, response, parser, parts).read();
}

function parserFor({ headers }: Request, maxFiles: number): busboy.Busboy {
  try {
    return busboy({
      headers,
      preservePath: true,
      defParamCharset: 'utf8',
      limits: { files: maxFiles, fields: MAX_FIELDS, parts: maxFiles + MAX_FIELDS, fieldSize: MAX_TEXT_BYTES },
    });
  } catch (error) {
    throw malformed(error);
  }
}

class FormReader {
  private readonly fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  private readonly taking: Promise<void>[] = [];
  private textBytes = 0;
  private failure: Error | undefined;
  private stopWatching = (): void => undefined;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
    private readonly parser: busboy.Busboy,
    private readonly parts: FormParts,
  ) {}

  async read(): Promise<FormFields> {
    await new Promise<void>((resolve) => {
      this.watch();
      this.parser.on('field', (name, value, info) => this.takeText(name, value, info.valueTruncated));
      this.parser.on('file', (name, stream, info) => this.takeFile(name, stream, info.filename));
      const tooMany = new DomainError(413, 'Too many files in one request: send them in several');
      this.parser.on('filesLimit', () => this.fail(tooMany));
      this.parser.on('fieldsLimit', () => this.fail(malformed(`it has more than ${MAX_FIELDS} fields`)));
      this.parser.on('partsLimit', () => this.fail(malformed('it has too many parts')));
      this.parser.on('error', (error) => this.fail(malformed(error)));
      this.parser.once('close', resolve);
      this.request.pipe(this.parser);
    });
    await Promise.allSettled(this.taking);
    this.stopWatching();
    if (this.failure !== undefined) throw this.failure;
    return { ...this.fields };
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

  /** The first failure counts. What is being read ends with the parser. */
  private fail(error: unknown): void {
    if (this.failure !== undefined) return;
    this.failure = error instanceof Error ? error : new Error(String(error));
    this.request.unpipe(this.parser);
    this.parser.destroy();
  }

  private takeText(name: string | undefined, value: string, isCut: boolean): void {
    if (name === undefined) {
      this.fail(malformed('a part has no name'));
      return;
    }
    this.textBytes += Buffer.byteLength(value);
    if (isCut || this.textBytes > MAX_TEXT_BYTES) {
      this.fail(new DomainError(413, `The texts of the form are larger than ${MAX_TEXT_BYTES / 1024} KiB`));
      return;
    }
    const field = unescapeName(name);
    const before = this.fields[field];
    this.fields[field] = before === undefined ? value : [before, value].flat();
  }

  private takeFile(name: string | undefined, stream: Readable, fileName: string | undefined): void {
    // Whoever takes the file hears of its end too; a file that nobody takes must not end the process.
    stream.on('error', () => undefined);
    if (name === undefined) this.fail(malformed('a part has no name'));
    else if (fileName === undefined || fileName === '') stream.resume();
    else this.hand({ field: unescapeName(name), clientName: unescapeName(fileName), stream });
  }

  private hand(file: ArrivingFile): void {
    try {
      this.parts.accept(file);
    } catch (error) {
      this.fail(error);
      return;
    }
    const taken = this.parts.take(file);
    this.taking.push(taken);
    taken.catch((error: unknown) => this.fail(error));
  }
}

/** Browsers write these three characters of a name so, and no others. */
const unescapeName = (name: string): string =>
  name.replace(/%(0A|0D|22)/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

const malformed = (reason: unknown): BadRequestError =>
  new BadRequestError(`The form is malformed: ${reason instanceof Error ? reason.message : String(reason)}`);
