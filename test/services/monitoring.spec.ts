import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dump } from 'js-yaml';
import { alertRules, MONITORING, panelQueries } from '../support/monitoring-files';

const run = promisify(execFile);
const promtool = (...values: string[]): Promise<{ stdout: string }> =>
  run(process.env['TEST_PROMTOOL']!, values, { cwd: MONITORING });

/** Substitutes the variables of Grafana. */
const filledIn = (expr: string): string => expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.+');

describe('the files for monitoring, read by Prometheus', () => {
  it('are valid rules', async () => {
    const { stdout } = await promtool('check', 'rules', 'alerts.yaml');
    expect(stdout).toContain(`SUCCESS: ${(await alertRules()).length} rules found`);
  });

  it('have alerts that fire in the expected cases only', async () => {
    const { stdout } = await promtool('test', 'rules', 'alerts.test.yaml');
    expect(stdout).toContain('SUCCESS');
  });

  it('have panels with valid queries', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dms-panels-'));
    const queries = await panelQueries();
    const rules = queries.map(({ expr }, at) => ({ record: `panel_${at}`, expr: filledIn(expr) }));
    try {
      const file = join(folder, 'panels.yaml');
      await writeFile(file, dump({ groups: [{ name: 'panels', rules }] }));
      expect((await promtool('check', 'rules', file)).stdout).toContain(`SUCCESS: ${queries.length} rules found`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
