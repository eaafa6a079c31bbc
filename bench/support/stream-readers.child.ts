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
      // A first ping says that it was caught up long ago.
      if (!hasBegun && chunk.includes('event: ping')) {
        hasBegun = true;
        if (++begun === streams) report({ kind: 'begun' });
      }
      if (isTold || !chunk.includes(mark)) return;
      isTold = true;
      // The one clock that processes share.
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
