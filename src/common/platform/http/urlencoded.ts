import type { Request, Response } from 'express';
import { DEFAULT_BODY_BYTES, readBody } from './read-body';

/** Reads the fields of a URL-encoded form, for the few routes that accept one. */
export async function readUrlencoded(request: Request, response: Response): Promise<Readonly<Record<string, string>>> {
  const bytes = await readBody(request, response, DEFAULT_BODY_BYTES);
  return Object.fromEntries(new URLSearchParams(bytes.toString()));
}
