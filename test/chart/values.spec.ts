import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { environmentSchema } from '../../src/common/platform/config/environment.schema';
import { EXTERNAL } from './support/matrix';
import { CHART, helm, helmDocs, ROOT } from './support/programs';
import { template, type Values } from './support/rendered';

/** The error of Helm for these values. */
const refusal = (values: Values, files?: readonly string[]): Promise<string> =>
  template({ ...EXTERNAL, ...values }, files).then(
    () => 'nothing',
    (error: unknown) => (error as Error).message,
  );

const chartFile = (name: string): Promise<string> => readFile(join(CHART, name), 'utf8');

async function listOf(helper: string): Promise<string> {
  const text = await chartFile('templates/_checks.tpl');
  const start = text.indexOf(`define "${helper}"`);
  return text.slice(text.indexOf('\n', start), text.indexOf('{{- end -}}', start));
}

describe('values', () => {
  it('are described in the README, which is generated from them', async () => {
    await expect(helmDocs(['--dry-run'])).resolves.toBe(`${(await chartFile('README.md')).trimEnd()}\n`);
  });

  it('all have a description', async () => {
    expect(await chartFile('README.md')).not.toMatch(/\|\s*\|\n/);
  });

  it('are the values in the schema', async () => {
    const values = load(await chartFile('values.yaml')) as object;
    const { properties } = JSON.parse(await chartFile('values.schema.json')) as { properties: object };
    expect(Object.keys(properties).sort()).toEqual([...Object.keys(values), 'global'].sort());
  });

  it('have the version of the service', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(load(await chartFile('Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  it('support each variable of the service, as its own value or in settings', async () => {
    const owned = Object.keys(load(await listOf('dms.ownedVariables')) as object);
    const settings = load(await listOf('dms.settings')) as string[];
    const known = Object.keys(environmentSchema.shape);
    expect([...owned, ...settings].filter((name) => !known.includes(name))).toEqual(['NODE_EXTRA_CA_CERTS']);
    expect(known.filter((name) => !owned.includes(name) && !settings.includes(name))).toEqual([]);
    expect(owned.filter((name) => settings.includes(name))).toEqual([]);
  });

  it('pass lint', async () => {
    const files = ['--values', join(CHART, 'values-quickstart.yaml'), '--kube-version', '1.34.2'];
    await expect(helm(['lint', CHART, '--strict', ...files])).resolves.toMatch(/0 chart\(s\) failed/);
  });

  it.each<[string, Values, RegExp]>([
    ['an unknown value', { replicaCount: 3 }, /additional properties 'replicaCount' not allowed/],
    ['an unknown value of a group', { api: { replica: 3 } }, /additional properties 'replica' not allowed/],
    ['a text for a number', { api: { replicas: 'three' } }, /at '\/api\/replicas': got string, want integer/],
    ['a number below its least', { service: { port: 0 } }, /at '\/service\/port': minimum/],
    ['a text for a switch', { ingress: { enabled: 'yes' } }, /at '\/ingress\/enabled': got string, want boolean/],
    ['an unknown mode', { auth: { mode: 'basic' } }, /at '\/auth\/mode': value must be one of 'oidc', 'none'/],
    ['a short digest', { image: { digest: 'sha256:abc' } }, /at '\/image\/digest'/],
    ['another store', { storage: { url: 'file:///data' } }, /at '\/storage\/url'/],
    ['an address without a scheme', { baseUrl: 'media.example.com' }, /at '\/baseUrl'/],
    ['a size without a unit', { api: { scratchSize: 'much' } }, /at '\/api\/scratchSize'/],
    ['a short secret key', { secretKey: { value: 'c2hvcnQ=' } }, /at '\/secretKey\/value'/],
    ['a short token', { pipeline: { token: 'short' } }, /at '\/pipeline\/token'/],
    ['the user root', { podSecurity: { runAsUser: 0 } }, /at '\/podSecurity\/runAsUser': minimum/],
    ['a map as a setting', { settings: { LOG_LEVEL: {} } }, /at '\/settings\/LOG_LEVEL'/],
    ['an unknown exception', { upgradeGuard: { accept: ['all'] } }, /at '\/upgradeGuard\/accept\/0'/],
  ])('are refused by the schema: %s', async (_what, values, sentence) => {
    expect(await refusal(values)).toMatch(sentence);
  });

  it.each<[string, Values, RegExp]>([
    [
      'a variable of the chart in settings',
      { settings: { ROLE: 'all' } },
      /settings\.ROLE: .* set the value api.replicas/,
    ],
    ['an unknown setting', { settings: { LOG_LEVL: 'DEBUG' } }, /settings\.LOG_LEVL: the service has no such variable/],
    [
      'a variable of the chart in extraEnv',
      { extraEnv: [{ name: 'AUTH_MODE', value: 'none' }] },
      /the chart sets AUTH_MODE itself; set the value auth\.mode/,
    ],
    [
      'a secret in extraEnv',
      { extraEnv: [{ name: 'DATABASE_URL', value: 'postgres://127.0.0.1/other' }] },
      /the chart sets DATABASE_URL itself/,
    ],
    [
      'a setting in extraEnv',
      { extraEnv: [{ name: 'LOG_LEVEL', value: 'DEBUG' }] },
      /LOG_LEVEL is a variable of the service; set settings\.LOG_LEVEL/,
    ],
    ['no Postgres', { database: {} }, /Postgres is missing: set database\.existingSecret/],
    ['no place of backups', { backup: { enabled: true } }, /The place of backups is missing/],
    ['no store', { storage: {} }, /The S3 store is missing/],
    ['no keys of the store', { storage: { url: 's3://media', endpoint: 'http://s3' } }, /The keys of the S3 store/],
    ['no secret key', { secretKey: {} }, /The secret key must come from one place/],
    ['two secret keys', { secretKey: { existingSecret: 'a', generate: true } }, /must come from one place/],
    ['no provider', { auth: {} }, /Sign-in needs a provider/],
    ['no public URL', { baseUrl: '' }, /Sign-in needs the public URL/],
    ['open access by mistake', { auth: { mode: 'none' } }, /makes everyone who reaches the service its admin/],
    ['an open pipeline', { pipeline: { enabled: true } }, /The pipeline interface needs a token/],
    ['a route without a gateway', { httpRoute: { enabled: true } }, /needs a gateway/],
    [
      'an Ingress without a host',
      { baseUrl: '', auth: { mode: 'none', allowOpen: true }, ingress: { enabled: true } },
      /The Ingress needs a host/,
    ],
    [
      'two places of models',
      { models: { existingClaim: 'models', init: { repository: 'models' } } },
      /Models come from one place/,
    ],
    ['too short an end', { api: { terminationGracePeriodSeconds: 15 } }, /kills the service while it ends/],
    ['an impossible scale', { worker: { autoscaling: { minReplicas: 9 } } }, /minReplicas is above maxReplicas/],
    [
      'labels of the chart',
      { api: { podLabels: { 'app.kubernetes.io/component': 'worker' } } },
      /api\.podLabels: the chart sets/,
    ],
  ])('are refused with an error message: %s', async (_what, values, sentence) => {
    expect(await refusal(values)).toMatch(sentence);
  });

  it('are refused with a list of what to set if all are missing', async () => {
    const said = await helm(['template', 'test', CHART, '--kube-version', '1.34.2']).catch((error: unknown) =>
      String(error),
    );
    expect(said).toMatch(/Postgres is missing: set database\.existingSecret .* values-quickstart\.yaml for a trial/);
  });
});
