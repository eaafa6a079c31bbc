import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CountingProxy {
  readonly url: string;
  /** How often each file was sent. */
  readonly sent: ReadonlyMap<string, number>;
  close(): void;
}

/** Forwards requests, and counts the file names in forms. */
export async function countingProxy(target: string): Promise<CountingProxy> {
  const sent = new Map<string, number>();
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const passed = request(`${target}${incoming.url!}`, { method: method!, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    passed.once('error', () => outgoing.destroy());
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('error', () => passed.destroy());
    incoming.once('close', () => {
      for (const [, name] of Buffer.concat(chunks)
        .toString('latin1')
        .matchAll(/; filename="([^"]+)"/g))
        sent.set(name!, (sent.get(name!) ?? 0) + 1);
    });
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
