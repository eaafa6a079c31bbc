import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { jsonLine } from './lines';

it('writes a value as one line for readline, whatever texts it contains', async () => {
  const values = [{ path: 'a\u2028b\u2029c.jpg' }, { path: 'two\nlines\r.jpg' }, { path: '\u0085' }];
  const input = Readable.from([Buffer.from(values.map((value) => jsonLine(value)).join(''))]);
  const lines: unknown[] = [];
  for await (const line of createInterface({ input, crlfDelay: Infinity })) lines.push(JSON.parse(line));
  expect(lines).toEqual(values);
});
