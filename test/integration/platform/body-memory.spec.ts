import type { Answer } from '../../support/api-client';
import { OIDC_VARIABLES, signedIn, type SignedIn } from '../../support/principals';
import { sendSlowly, type SlowRequest } from '../../support/raw-request';
import { runningApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

describe('memory for request bodies', () => {
  const running = runningApp({ ...OIDC_VARIABLES, TRUSTED_PROXIES: '127.0.0.0/8' });
  let admin: SignedIn;
  let path: string;
  let invite: string;
  const large = 4 * MIB;
  const begun: SlowRequest[] = [];

  beforeAll(async () => {
    admin = await signedIn(running, { email: 'admin@bodies.example', role: 'admin' });
    const asked = '/api/v1/ingestion/new_dataset?dataset_name=bodies';
    const { dataset_id: dataset } = await admin.api.must<{ dataset_id: string }>(200, 'GET', asked);
    path = `/api/v1/dataset/${dataset}/export_entities_async?export_format=json`;
    invite = `/api/v1/manage/${dataset}/invite`;
  });

  afterEach(async () => {
    for (const { socket } of begun.splice(0)) socket.destroy();
    const body = { media_selection: [{ type: 'media', payload: { media_ids: ['x'.repeat(100_000)] } }] };
    const answered = async (): Promise<number> => (await admin.api.ask('POST', path, body)).status;
    await waitUntil(async () => (await answered()) !== 503);
  });

  /** Sends incomplete bodies. Resolves with the responses that arrive before their end. */
  const begin = async (count: number, request: string, headers: Record<string, string>, bytes: number) => {
    const all = { ...headers, 'content-length': String(bytes) };
    const sent = Array.from({ length: count }, () =>
      sendSlowly(running.url, request, all, Buffer.alloc(bytes - 1000, ' ')),
    );
    const opened = await Promise.all(sent);
    begun.push(...opened);
    return opened.map(({ answer }) => answer);
  };
  const beginLarge = (user: SignedIn, count: number): Promise<Promise<string>[]> => {
    const headers = { ...JSON_TYPE, authorization: `Bearer ${user.token()}` };
    return begin(count, `POST ${path}`, headers, large);
  };
  const invited = (user: SignedIn): Promise<Answer> =>
    user.api.ask('PUT', invite, { grant_to_user_email: 'nobody@bodies.example' });

  it('is limited per user', async () => {
    const refused = await Promise.race(await beginLarge(admin, 9));
    expect(refused).toMatch(/^HTTP\/1.1 503 /);
    expect(refused).toMatch(/retry-after: 1\r\n/i);
    const other = await signedIn(running, { email: 'other@bodies.example', role: 'admin' });
    const body = { media_selection: [{ type: 'media', payload: { media_ids: ['x'.repeat(MIB)] } }] };
    expect(await other.api.ask('POST', path, body)).not.toMatchObject({ status: 503 });
  });

  it('is limited in total for large bodies, but not for small ones', async () => {
    const people = [1, 2, 3].map((at) => signedIn(running, { email: `large${at}@bodies.example`, role: 'admin' }));
    const answers = await Promise.all((await Promise.all(people)).map((user) => beginLarge(user, 4)));
    expect(await Promise.race(answers.flat())).toMatch(/^HTTP\/1.1 503 /);
    expect(await invited(admin)).not.toMatchObject({ status: 503 });
  });

  it('of unauthenticated callers does not affect users', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const request = 'POST /api/v1/oidc/backchannel-logout';
    const tooLarge = await begin(565, request, form, 64 * 1024);
    expect(new Set((await Promise.all(tooLarge)).map((answer) => answer.slice(0, 12)))).toEqual(
      new Set(['HTTP/1.1 413']),
    );
    const fromMany = Array.from({ length: 100 }, (_, at) =>
      begin(1, request, { ...form, 'x-forwarded-for': `198.51.100.${at}` }, 16 * 1024),
    );
    const refused = Promise.race((await Promise.all(fromMany)).flat());
    expect(await refused).toMatch(/^HTTP\/1.1 503 /);
    expect(await invited(admin)).not.toMatchObject({ status: 503 });
    expect((await Promise.race(await beginLarge(admin, 5))).slice(0, 12)).toBe('HTTP/1.1 503');
  });
});
