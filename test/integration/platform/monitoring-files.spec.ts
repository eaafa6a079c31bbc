import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Metrics } from '../../../src/common/platform/observability/metrics';
import { alertRules, panelQueries } from '../../support/monitoring-files';
import { runningApp } from '../../support/test-app';

/** A metric of Prometheus itself. */
const OF_PROMETHEUS = ['up'];
const OF_LIBRARY = /^(?:process|nodejs)_/;
const NOT_METRICS = new Set(['by', 'without', 'le', 'on', 'ignoring', 'and', 'or', 'unless', 'offset', 'bool']);

/** The names of metrics in a query, without the suffixes of histograms. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(?:by|without)\s*\([^)]*\)/g, '');
  return [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !NOT_METRICS.has(name))
    .map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
}

describe('monitoring files', () => {
  const running = runningApp();
  let page: string;
  let metrics: { name: string; labels: string[] }[];

  beforeAll(async () => {
    page = await readFile(join(__dirname, '..', '..', '..', 'docs', 'operations.md'), 'utf8');
    const { registry } = running.app.get(Metrics);
    metrics = registry
      .getMetricsAsArray()
      .map((metric) => metric as unknown as { name: string; labelNames: string[] })
      .map(({ name, labelNames }) => ({ name, labels: labelNames }));
  });

  it('document exactly the metrics of the program with their labels', () => {
    const described = [...page.matchAll(/^\| `(\w+)` \|([^|]*)\|/gm)].map(([, name, labels]) => ({
      name: name!,
      labels: [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!),
    }));
    const own = metrics.filter(({ name }) => !OF_LIBRARY.test(name));
    const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name);
    expect([...described].sort(byName)).toEqual([...own].sort(byName));
  });

  it('use only metrics of the program in alerts and panels', async () => {
    const known = new Set([...metrics.map(({ name }) => name), ...OF_PROMETHEUS]);
    const asked = [
      ...(await alertRules()).map(({ alert, expr }) => ({ where: `alert ${alert}`, expr })),
      ...(await panelQueries()).map(({ title, expr }) => ({ where: `panel ${title}`, expr })),
    ];
    expect(asked.length).toBeGreaterThan(30);
    for (const { expr } of asked) expect(metricsIn(expr)).not.toEqual([]);
    const unknown = asked.flatMap(({ where, expr }) =>
      metricsIn(expr)
        .filter((name) => !known.has(name))
        .map((name) => `${where}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('show every metric on the dashboard, except those for autoscaling and other tools', async () => {
    const shown = new Set((await panelQueries()).flatMap(({ expr }) => metricsIn(expr)));
    const hidden = metrics.map(({ name }) => name).filter((name) => !OF_LIBRARY.test(name) && !shown.has(name));
    expect(hidden.sort()).toEqual([
      'jobs_oldest_waiting_seconds',
      'metrics_unreadable_total',
      'trace_spans_lost_total',
    ]);
  });

  it('have a documentation section for each alert, and an alert for each section', async () => {
    const rules = await alertRules();
    const [, alerts = ''] = /\n## Alerts\n([\s\S]*?)\n## /.exec(page) ?? [];
    const sections = [...alerts.matchAll(/^### (\w+)\n(.+)/gm)].map(([, name]) => name);
    expect(sections).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules)
      expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
  });

  it('include metrics of the queue, the pool and the caches', async () => {
    const text = await (await fetch(`${running.url}/metrics`)).text();
    for (const sample of [
      'job_queue_age_seconds{type="index-dataset"} 0',
      'jobs_running{type="export"} 0',
      'postgres_pool_connections{state="waiting"} 0',
      'postgres_pool_size 15',
      'cache_hits_total{cache="vectors"} 0',
      'cache_bytes{cache="indexes"} 0',
      'outage_active{part="postgres"} 0',
      'outages_total{part="store"} 0',
      'notification_streams_open 0',
      'store_call_duration_seconds_count{operation="put",outcome="ok"}',
    ])
      expect(text).toContain(sample);
    expect(text).not.toContain('metrics_unreadable_total{');
  });
});
