import { request as requestByHttp, type IncomingMessage } from 'node:http';
import { request as requestByHttps } from 'node:https';
import type { FileForm } from './multipart.js';

const SILENCE_MS = 300_000;

/** Sends a form with Node's HTTP client. fetch copies each body, and the copies stay in memory until they are garbage-collected. */
export function postForm(
  url: string,
  headers: Readonly<Record<string, string>>,
  form: FileForm,
  buffer: Uint8Array,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestByHttps : requestByHttp;
    const request = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': form.type, 'content-length': form.length },
      timeout: SILENCE_MS,
      signal,
    });
    let isAnswered = false;
    // Rejects the chunk being written; Node does not do so if the connection was never established.
    let abandon: (error: Error) => void = () => undefined;
    request.on('timeout', () => request.destroy(new Error(`nothing was received for ${SILENCE_MS / 1000} seconds`)));
    request.on('error', reject);
    request.on('close', () => abandon(new Error('The connection was closed')));
    request.on('response', (incoming) => {
      isAnswered = true;
      answerOf(incoming)
        .then(resolve, reject)
        .finally(() => {
          // The response came before the form was sent completely.
          if (!request.writableEnded) request.destroy();
        });
    });
    const write = (chunk: Uint8Array): Promise<void> =>
      new Promise((written, failed) => {
        abandon = failed;
        if (isAnswered) failed(new Error('The response arrived before the end of the form'));
        else request.write(chunk, (error) => (error == null ? written() : failed(error)));
      });
    form.writeTo(write, buffer).then(
      () => request.end(),
      (error: Error) => {
        if (!isAnswered) request.destroy(error);
      },
    );
  });
}

async function answerOf(incoming: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (let at = 0; at < incoming.rawHeaders.length; at += 2)
    headers.append(incoming.rawHeaders[at]!, incoming.rawHeaders[at + 1]!);
  const body = Buffer.concat(chunks);
  return new Response(body.length === 0 ? null : body, { status: incoming.statusCode!, headers });
}
