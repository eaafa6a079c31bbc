import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { MediaService, SDK_VERSION, signToken, take, versionWarning } from 'dataset-media-service-sdk';
import { root } from './program.mjs';

const apiKey = 'dms_0123456789abcdef';
const servers = [];

async function serve(handle) {
  const server = createServer((request, response) => {
    response.setHeader('X-DMS-Version', SDK_VERSION);
    handle(request, response);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}

const json = (response, status, body, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

describe('Connection', () => {
  after(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('signs tokens that the service accepts', async () => {
    const load = createRequire(join(root, 'package.json'));
    const { isApiKey } = load('./dist/modules/auth/api-keys/domain/api-key.js');
    const { verifyBearerToken } = load('./dist/modules/auth/api-keys/domain/bearer-token.js');
    const { newApiKey } = load('./dist/modules/auth/api-keys/domain/api-key.js');
    const key = newApiKey();
    assert.ok(isApiKey(key));
    const now = Math.floor(Date.now() / 1000);
    const token = await signToken({ apiKey: key, apiSecret: 'a secret' }, now);
    assert.equal(await verifyBearerToken(token, { secretOf: async () => 'a secret', longestSeconds: 600 }), now + 600);
    await assert.rejects(verifyBearerToken(token, { secretOf: async () => 'another', longestSeconds: 600 }));
  });

  it('adjusts to the clock of the service when a token is refused', async () => {
    const issued = [];
    const ahead = 3600;
    const url = await serve((request, response) => {
      const claims = JSON.parse(Buffer.from(request.headers.authorization.split('.')[1], 'base64url').toString());
      issued.push(claims.iat - Math.floor(Date.now() / 1000));
      const date = new Date(Date.now() + ahead * 1000).toUTCString();
      if (claims.iat < Date.now() / 1000 + ahead - 60) json(response, 401, { detail: 'Invalid token' }, { date });
      else json(response, 200, []);
    });
    const dms = new MediaService({ url, credentials: { apiKey, apiSecret: 'a' } });
    assert.deepEqual(await dms.datasets(), []);
    assert.deepEqual(await dms.datasets(), []);
    assert.equal(issued.length, 3);
  });

  it('honours Retry-After, and retries only safe requests', async () => {
    let asked = 0;
    const url = await serve((request, response) => {
      asked += 1;
      if (asked === 1) json(response, 429, { detail: 'Too many' }, { 'retry-after': '0' });
      else if (request.method === 'POST') json(response, 503, { detail: 'Away' }, { 'retry-after': '0' });
      else if (asked === 2) json(response, 503, { detail: 'Away' }, { 'retry-after': '0' });
      else json(response, 200, []);
    });
    const dms = new MediaService({ url });
    assert.deepEqual(await dms.datasets(), []);
    assert.equal(asked, 3);
    await assert.rejects(dms.createDataset('a', '/b'), /Away/);
    assert.equal(asked, 4);
  });

  it('resumes a stream after a lost connection', async () => {
    const seen = [];
    const url = await serve((request, response) => {
      seen.push(request.headers['last-event-id']);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const id = `n${seen.length}`;
      response.write('event: ping\ndata: \n\n');
      response.write(`event: notification\nid: ${id}\ndata: {"id":"${id}"}\n\n`, () => response.destroy());
    });
    const dms = new MediaService({ url });
    assert.deepEqual(
      (await take(dms.stream(), 3)).map(({ id }) => id),
      ['n1', 'n2', 'n3'],
    );
    assert.deepEqual(seen, [undefined, 'n1', 'n2']);
  });

  it('compares the versions of the service and of the SDK', () => {
    for (const version of ['0.1.9', '0.1.0']) assert.equal(versionWarning(version, '0.1.0'), undefined);
    assert.equal(
      versionWarning('0.2.0', '0.1.0'),
      'The service has version 0.2.0, and this SDK 0.1.0: some calls may fail. Install version 0.2 of the SDK.',
    );
    assert.equal(
      versionWarning('1.9.3', '2.1.0'),
      'The service has version 1.9.3, and this SDK 2.1.0: some calls may fail. Update the service to 2.1, or install version 1.9 of the SDK.',
    );
    assert.match(versionWarning(null, '2.1.0'), /^The server does not say which version/);
    assert.match(versionWarning('next', '2.1.0'), /^The server does not say which version/);
  });

  it('warns once of a different or missing version', async () => {
    const url = await serve((request, response) => {
      if (request.url.includes('another')) response.setHeader('X-DMS-Version', '7.3.0');
      else response.removeHeader('X-DMS-Version');
      json(response, request.url.includes('away') ? 502 : 200, []);
    });
    const warnings = [];
    const asked = async (path, options = {}) => {
      const dms = new MediaService({ url, onWarning: (message) => warnings.push(message), ...options });
      for (let times = 0; times < 2; times += 1) await dms.connection.request(path).catch(() => undefined);
      return warnings.splice(0);
    };
    assert.deepEqual(await asked('/another'), [versionWarning('7.3.0')]);
    assert.deepEqual(await asked('/none'), [versionWarning(null)]);
    assert.deepEqual(await asked('/away', { retries: 0 }), []);
    assert.deepEqual(await asked('/another', { checkVersion: false }), []);
  });
});
