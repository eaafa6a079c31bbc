import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Configuration } from '../common/platform/config/configuration';

/** Sends a request to this service. `fetch` rejects some ports that the service may listen on: 4190, 6000, 6665 and others. */
export async function requestOwnApi<Answer>(
  { host, port }: Pick<Configuration, 'host' | 'port'>,
  path: string,
  form?: FormData,
): Promise<Answer> {
  const body = form === undefined ? null : new Response(form);
  const asking = request({
    host,
    port,
    path,
    method: body === null ? 'GET' : 'POST',
    // Always answered, unlike the listen address.
    headers: { host: 'localhost', ...(body === null ? {} : { 'content-type': body.headers.get('content-type')! }) },
  });
  asking.end(body === null ? undefined : Buffer.from(await body.arrayBuffer()));
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const answer = await text(response);
  const { statusCode } = response;
  if (statusCode === undefined || statusCode >= 300) throw new Error(`${path} answered ${statusCode}: ${answer}`);
  return JSON.parse(answer) as Answer;
}
