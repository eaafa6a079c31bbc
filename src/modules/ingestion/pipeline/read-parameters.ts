import type { Request, Response } from 'express';
import type { z } from 'zod';
import { DomainError } from '../../../common/http/domain-error';
import { receiveFields } from '../../../common/http/multipart';
import { parseOrFail } from '../../../common/http/zod-validation.pipe';

const MAX_FORM_BYTES = 64 * 1024;

/** Parameters stand in the address; those of a POST may stand in its body too, as JSON or as a form. */
export async function readParameters<T>(schema: z.ZodType<T>, request: Request, response: Response): Promise<T> {
  const sent = request.method === 'POST' ? await readBody(request, response) : {};
  return parseOrFail(schema, { ...request.query, ...sent }, 'query');
}

async function readBody(request: Request, response: Response): Promise<object> {
  if (request.is('multipart/form-data')) return receiveFields(request, response);
  if (request.is('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(await readText(request)));
  const body: unknown = request.body;
  return typeof body === 'object' && body !== null ? body : {};
}

async function readText(request: Request): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_FORM_BYTES) throw new DomainError(400, 'The form is larger than 64 KiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
