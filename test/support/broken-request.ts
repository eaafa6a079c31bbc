import { once } from 'node:events';
import { connect } from 'node:net';

const BOUNDARY = 'boundary-of-a-test';

export interface FormPart {
  readonly name: string;
  readonly fileName?: string;
  readonly bytes: Uint8Array | string;
}

/** The bytes of a multipart form. */
export function multipartBytes(parts: readonly FormPart[]): Buffer {
  const pieces = parts.flatMap(({ name, fileName, bytes }) => [
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"`,
    `${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n\r\n`,
    bytes,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)));
}

/** Sends the first `length` bytes of a form, then closes the connection. */
export async function sendPart(url: string, path: string, body: Buffer, length: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${hostname}`,
    `content-type: multipart/form-data; boundary=${BOUNDARY}`,
    `content-length: ${body.length}`,
  ];
  await new Promise<void>((resolve) => {
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(body.subarray(0, length), () => resolve());
  });
  socket.destroy();
  await once(socket, 'close');
}
