import type { Request, Response } from 'express';
import type { z } from 'zod';
import { receiveFields } from '../../../../common/platform/http/multipart';
import { DEFAULT_BODY_BYTES, readUrlencoded } from '../../../../common/platform/http/read-body';
import { readJson } from '../../../../common/platform/http/json-body.interceptor';
import { parseOrFail } from '../../../../common/platform/http/zod-validation.pipe';

/** Reads parameters of the query string; those of a POST may also be in the body, as JSON or as a form. */
export async function readParameters<T>(schema: z.ZodType<T>, request: Request, response: Response): Promise<T> {
  const sent = request.method === 'POST' ? await readBody(request, response) : {};
  return parseOrFail(schema, { ...request.query, ...sent }, 'query');
}

async function readBody(request: Request, response: Response): Promise<object> {
  if (request.is('multipart/form-data')) return receiveFields(request, response);
  if (request.is('application/x-www-form-urlencoded')) return readUrlencoded(request, response);
  const body = await readJson(request, response, DEFAULT_BODY_BYTES);
  return typeof body === 'object' && body !== null ? body : {};
}
