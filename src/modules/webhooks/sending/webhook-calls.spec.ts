import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { readConfiguration } from '../../../common/platform/config/configuration';
import { HostResolver, WebhookAddresses } from './webhook-addresses';
import { WebhookCalls } from './webhook-calls';

/** Returns the addresses that the test sets, one list for each call. */
class ScriptedResolver extends HostResolver {
  asked: string[] = [];

  constructor(private readonly answers: readonly string[][]) {
    super();
  }

  resolve(host: string): Promise<LookupAddress[]> {
    const found = this.answers[Math.min(this.asked.length, this.answers.length - 1)]!;
    this.asked.push(host);
    return Promise.resolve(found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  }
}

const never = new AbortController().signal;

describe('a call of a webhook', () => {
  let server: Server;
  let port: number;
  const hosts: (string | undefined)[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      hosts.push(request.headers.host);
      response.statusCode = 202;
      response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });

  afterAll(() => server.close());

  const addresses = (allowed: string, resolver: HostResolver): WebhookAddresses => {
    const SECRET_KEY = Buffer.alloc(32).toString('base64');
    return new WebhookAddresses(readConfiguration({ WEBHOOK_HOSTS: allowed, SECRET_KEY }), resolver);
  };
  const call = (url: string, allowed: string, ...answers: string[][]) =>
    new WebhookCalls(addresses(allowed, new ScriptedResolver(answers))).post({ url, headers: {}, body: '{}' }, never);

  it('calls a host that is allowed by its full name, even at a private address', async () => {
    expect(await call(`http://hooks.example.com:${port}/`, 'hooks.example.com', ['127.0.0.1'])).toEqual({
      kind: 'answered',
      statusCode: 202,
    });
    expect(hosts).toEqual([`hooks.example.com:${port}`]);
  });

  it('calls no private address if the host only matches a pattern', async () => {
    for (const inner of [['127.0.0.1'], ['::1'], ['169.254.169.254', '10.0.0.1', 'fd00::1']]) {
      expect(await call(`http://a.example.org:${port}/`, '*.example.org', inner)).toEqual({
        kind: 'unreached',
        reason: 'a.example.org resolves to a private address. To allow it, add its full name to WEBHOOK_HOSTS.',
      });
    }
    const pinned = addresses('*.example.org', new ScriptedResolver([['10.0.0.1', '93.184.216.34']]));
    expect(await pinned.pin(new URL('https://a.example.org/'))).toEqual({ address: '93.184.216.34', family: 4 });
  });

  it('resolves the host once and calls the checked address', async () => {
    const resolver = new ScriptedResolver([['127.0.0.1'], ['203.0.113.1']]);
    const calls = new WebhookCalls(addresses('hooks.example.com', resolver));
    const url = `http://hooks.example.com:${port}/`;
    expect(await calls.post({ url, headers: {}, body: '{}' }, never)).toMatchObject({ statusCode: 202 });
    expect(resolver.asked).toEqual(['hooks.example.com']);
  });

  it('sends the host name with TLS, and verifies the certificate', async () => {
    const names: string[] = [];
    const secured = createTlsServer({
      SNICallback: (name, done) => {
        names.push(name);
        done(new Error('No certificate'));
      },
    });
    secured.on('tlsClientError', () => undefined);
    secured.listen(0, '127.0.0.1');
    await once(secured, 'listening');
    const url = `https://hooks.example.com:${(secured.address() as AddressInfo).port}/`;
    expect(await call(url, 'hooks.example.com', ['127.0.0.1'])).toMatchObject({ kind: 'unreached' });
    expect(names).toEqual(['hooks.example.com']);
    secured.close();
  });

  it('does not call a host that is no longer allowed', async () => {
    expect(await call(`http://127.0.0.1:${port}/`, 'other')).toEqual({
      kind: 'unreached',
      reason: `Webhooks may not call 127.0.0.1:${port}: it is not among the hosts of WEBHOOK_HOSTS`,
    });
  });

  it('resolves no host once it is to stop', async () => {
    const resolver = new ScriptedResolver([['127.0.0.1']]);
    const calls = new WebhookCalls(addresses('hooks.example.com', resolver));
    const stop = AbortSignal.abort(new Error('stopping'));
    const url = 'http://hooks.example.com/';
    await expect(calls.post({ url, headers: {}, body: '{}' }, stop)).rejects.toThrow('stopping');
    expect(resolver.asked).toEqual([]);
  });

  it('rejects without a result when it is aborted', async () => {
    const stop = new AbortController();
    const calls = new WebhookCalls(addresses('hooks.example.com', new ScriptedResolver([['127.0.0.1']])));
    const silent = createServer(() => stop.abort(new Error('stopping')));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://hooks.example.com:${(silent.address() as AddressInfo).port}/`;
    await expect(calls.post({ url, headers: {}, body: '{}' }, stop.signal)).rejects.toThrow('stopping');
    silent.close();
    silent.closeAllConnections();
  });
});
