import { connect } from 'node:net';

export interface ReadersTask {
  readonly url: string;
  readonly streams: number;
  readonly mark: string;
}

export type ReadersReport = { readonly kind: 'begun' } | { readonly kind: 'told'; readonly times: readonly number[] };

const report = (message: ReadersReport): void => void process.send!(message);

function read({ url, streams, mark }: ReadersTask): void {
  const { hostname, port, host } = new URL(url);
  let begun = 0;
  const times: number[] = [];
  for (let i = 0; i < streams; i++) {
    const socket = connect(Number(port), hostname);
    let hasBegun = false;
    let isTold = false;
    socket.write(`GET /api/v1/notifications/stream HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    socket.on('data', (chunk: Buffer) => {
      // The first ping means that the stream has sent all earlier events.
      if (!hasBegun && chunk.includes('event: ping')) {
        hasBegun = true;
        if (++begun === streams) report({ kind: 'begun' });
      }
      if (isTold || !chunk.includes(mark)) return;
      isTold = true;
      // This clock is the same in all processes.
      times.push(Number(process.hrtime.bigint()) / 1e6);
      if (times.length === streams) report({ kind: 'told', times });
    });
    socket.on('error', (error) => {
      throw error;
    });
    socket.on('close', () => {
      throw new Error('A stream was closed');
    });
  }
}

process.on('message', read);
