import { AccessWorld, PRINCIPAL_NAMES, type Ids, type PrincipalName } from '../support/access-world';
import { ACCESS_MATRIX, type AccessRow, type Expected, type Outcome } from './access-matrix.rows';
import type { ApiDescription } from './described-answers';
import { MISMATCHES } from './parent-child.rows';

interface Requested {
  readonly method: string;
  readonly path: string;
}

const filled = (text: string, ids: Ids): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`The world has no ${name}`);
    return encodeURIComponent(id);
  });

function requestOf(text: string, ids: Ids): Requested {
  const [method, path] = filled(text, ids).split(' ') as [string, string];
  return { method, path };
}

/** Reads only the status, because a stream would never end. */
async function statusOf(
  url: string,
  { method, path }: Requested,
  credentials: Readonly<Record<string, string>>,
  body?: object,
): Promise<number> {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...credentials, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.body?.cancel();
  return response.status;
}

/** Other statuses are failures of the service and unrelated to access. */
type Answered = Outcome | `answered ${number}`;

const outcomeOf = (status: number): Answered => {
  if (status === 401 || status === 403 || status === 404) return status;
  return (status >= 200 && status < 500 && status !== 429) || status === 503 ? 'in' : `answered ${status}`;
};

/** With RUN_MODE=CLOUD a session can only be used to get keys, and administration is refused. */
function inTheCloud({ expected, selfHosted }: AccessRow): Expected {
  if (expected.anonymous !== 401) return expected;
  const bySession = expected.owner === 401;
  const outcomes = Object.entries(expected).map(([name, outcome]): [string, Outcome] => {
    if (name === 'anonymous') return [name, outcome];
    if (name === 'browser') return [name, bySession ? outcome : 401];
    return [name, selfHosted ? 403 : outcome];
  });
  return Object.fromEntries(outcomes) as Expected;
}

/** With RUN_MODE=CLOUD the quick tests only send a sample of the requests; the other tests send the rest (`chosen-tests.cjs`). */
const MODES = process.env.TESTS === 'others' ? (['CLOUD'] as const) : (['ONPREM', 'CLOUD'] as const);
const EACH_IN_SAMPLE = 7;

const rowsIn = (mode: (typeof MODES)[number]): readonly AccessRow[] =>
  mode === 'CLOUD' && process.env.TESTS === 'quick'
    ? ACCESS_MATRIX.filter((_, index) => index % EACH_IN_SAMPLE === 0)
    : ACCESS_MATRIX;

describe.each(MODES)('access to routes with RUN_MODE=%s', (mode) => {
  let world: AccessWorld;
  const counted = { requests: 0, surprises: 0 };
  const statuses = new Set<string>();

  beforeAll(async () => {
    world = await AccessWorld.make({ RUN_MODE: mode });
  });

  afterAll(async () => {
    const { requests, surprises } = counted;
    process.stdout.write(
      `RUN_MODE=${mode}: ${rowsIn(mode).length} rows x ${PRINCIPAL_NAMES.length} principals, ` +
        `${requests} requests, ${surprises} surprises\n`,
    );
    await world.close();
  });

  const ask = async (row: AccessRow, name: PrincipalName): Promise<Answered> => {
    const own = typeof row.ids === 'function' ? await row.ids(world) : row.ids;
    const text = `${row.route}${row.query === undefined ? '' : `?${row.query}`}`;
    const request = requestOf(text, { ...world.ids, ...own });
    counted.requests += 1;
    const status = await statusOf(world.running.url, request, await world.credentials(name), row.body);
    statuses.add(`${row.route} ${status}`);
    return outcomeOf(status);
  };

  it.each(rowsIn(mode).map((row) => [`${row.route} ${row.query ?? ''}`.trim(), row] as const))('%s', async (_, row) => {
    const expected = mode === 'CLOUD' ? inTheCloud(row) : row.expected;
    const answered = await Promise.all(PRINCIPAL_NAMES.map(async (name) => [name, await ask(row, name)] as const));
    counted.surprises += answered.filter(([name, outcome]) => outcome !== expected[name]).length;
    expect(Object.fromEntries(answered)).toEqual(expected);
  });

  it('only gets statuses of the API description', async () => {
    const { paths } = await world.owner.must<Pick<ApiDescription, 'paths'>>(200, 'GET', '/api/v1/openapi.json');
    const undescribed = [...statuses].filter((each) => {
      const [method, route, status] = each.split(' ') as [string, string, string];
      return paths[route]?.[method.toLowerCase()]?.responses[status] === undefined;
    });
    expect(undescribed.sort()).toEqual([]);
  });

  it('contains exactly the routes of the service', async () => {
    const { paths } = await world.owner.must<{ paths: Record<string, Record<string, unknown>> }>(
      200,
      'GET',
      '/api/v1/openapi.json',
    );
    const served = Object.entries(paths).flatMap(([route, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${route}`),
    );
    const told = new Set<string>(ACCESS_MATRIX.map(({ route }) => route));
    expect(served.filter((route) => !told.has(route))).toEqual([]);
    expect([...told].filter((route) => !served.includes(route))).toEqual([]);
  });

  it.each(MISMATCHES.map((row) => [row.ask, row] as const))(
    'a dataset does not expose objects of another: %s',
    async (ask, { body }) => {
      const { method, path } = requestOf(ask, world.ids);
      const { status, body: answer } = await world.owner.ask(method, path, body?.(world.ids));
      expect({ status, answer }).toMatchObject({ status: 404 });
      expect((answer as { detail: string }).detail).not.toMatch(/^(No such route|Dataset not found)/);
    },
  );
});
