import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentId: string;
  readonly name: string;
}

type Field = readonly [number: number, value: Buffer];

/** The length-delimited fields of a Protocol Buffers message; numbers are skipped. */
function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at++]!;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const [number, wire] = [Math.floor(tag / 8), tag % 8];
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else {
      const length = varint();
      yield [number, message.subarray(at, at + length)];
      at += length;
    }
  }
}

const all = (message: Buffer, wanted: number): Buffer[] =>
  [...fieldsOf(message)].filter(([number]) => number === wanted).map(([, value]) => value);

/** The spans of an ExportTraceServiceRequest, in resource spans and scope spans. */
function spansOf(request: Buffer): CollectedSpan[] {
  const spans = all(request, 1).flatMap((resource) => all(resource, 2).flatMap((scope) => all(scope, 2)));
  return spans.map((span) => {
    const [traceId, spanId, parentId, name] = [1, 2, 4, 5].map((number) => all(span, number)[0] ?? Buffer.alloc(0));
    return {
      traceId: traceId!.toString('hex'),
      spanId: spanId!.toString('hex'),
      parentId: parentId!.toString('hex'),
      name: name!.toString('utf8'),
    };
  });
}

/** An OTLP collector over HTTP on loopback. */
export class StubCollector {
  readonly spans: CollectedSpan[] = [];
  readonly paths = new Set<string>();
  /** Whether it rejects all requests. */
  isBroken = false;
  requests = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<StubCollector> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const collector = new StubCollector(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      void buffer(request).then((body) => {
        collector.requests += 1;
        collector.paths.add(request.url!);
        if (!collector.isBroken) collector.spans.push(...spansOf(body));
        response.writeHead(collector.isBroken ? 400 : 200, { 'content-type': 'application/x-protobuf' }).end();
      });
    });
    return collector;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    if (this.server.listening) await once(this.server, 'close');
  }
}
