import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { readBody } from './read-body';

const MEGABYTE = 1024 * 1024;
const BYTES = 4 * MEGABYTE;

it('a body uses no more memory if it arrives byte by byte', async () => {
  const request = Object.assign(new EventEmitter(), {
    headers: {},
    complete: true,
    socket: new EventEmitter(),
    principal: { userId: 'u' },
  });
  const response = new EventEmitter();
  const arrived = Buffer.alloc(1024, '{}');
  const before = process.memoryUsage().heapUsed;
  const reading = readBody(request as unknown as Request, response as unknown as Response, BYTES);
  for (let at = 0; at < BYTES; at++) request.emit('data', arrived.subarray(at % 1024, (at % 1024) + 1));
  const taken = process.memoryUsage().heapUsed - before;
  request.emit('end');
  expect((await reading).equals(Buffer.alloc(BYTES, '{}'))).toBe(true);
  expect(taken).toBeLessThan(150 * MEGABYTE);
});
