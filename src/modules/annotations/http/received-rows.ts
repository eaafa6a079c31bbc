import type { Request, Response } from 'express';
import { GatheredBytes } from '../../../common/platform/bytes/gathered-bytes';
import { parseForm } from '../../../common/platform/http/parse-form';
import { parseJson, readJson } from '../../../common/platform/http/json-body.interceptor';
import { ValidationFailedError } from '../../../common/platform/http/zod-validation.pipe';
import { MAX_IMPORTED_ROWS } from '../domain/metadata-import';

const MAX_BYTES = 16 * 1024 * 1024;
/** Each row is an object, and its value may be a list. */
const MAX_CONTAINERS = 2 * MAX_IMPORTED_ROWS + 1;
const FIELD = 'file';

const failed = (type: string, loc: readonly string[], msg: string, input: unknown = null): ValidationFailedError =>
  new ValidationFailedError([{ type, loc, msg, input }]);

/** The rows of values: the body itself, or a file of a form. */
export async function receiveRows(request: Request, response: Response): Promise<readonly unknown[]> {
  const rows: unknown = request.is('multipart/form-data')
    ? parseJson(await fileOf(request, response), MAX_CONTAINERS)
    : await readJson(request, response, MAX_BYTES, MAX_CONTAINERS);
  if (!isList(rows)) throw failed('invalid_type', ['body'], 'Input should be a list of rows');
  if (rows.length > MAX_IMPORTED_ROWS)
    throw failed('too_big', ['body'], `Input should have at most ${MAX_IMPORTED_ROWS} rows`);
  return rows;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

async function fileOf(request: Request, response: Response): Promise<Buffer> {
  let gathered: GatheredBytes | undefined;
  await parseForm(request, response, {
    maxFiles: 1,
    maxBytes: MAX_BYTES,
    accept: ({ field }) => {
      if (field !== FIELD)
        throw failed('unexpected', ['body', field], `The file goes into the form field '${FIELD}'`, field);
    },
    take: async ({ stream }) => {
      gathered = new GatheredBytes();
      for await (const part of stream as AsyncIterable<Buffer>) gathered.add(part);
    },
  });
  if (gathered === undefined) throw failed('missing', ['body', FIELD], `Field required: the file goes into '${FIELD}'`);
  return gathered.whole();
}
