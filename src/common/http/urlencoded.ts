import type { Request } from 'express';
import { BadRequestError } from './domain-error';

const MAX_FORM_BYTES = 64 * 1024;

/** The fields of a form that is no upload, for the few routes that take one. */
export async function readUrlencoded(request: Request): Promise<Readonly<Record<string, string>>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_FORM_BYTES) throw new BadRequestError('The form is larger than 64 KiB');
    chunks.push(chunk);
  }
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
}
