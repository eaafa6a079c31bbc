import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';

export const MONITORING = join(__dirname, '..', '..', 'monitoring');

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

export async function alertRules(): Promise<readonly AlertRule[]> {
  const file = load(await readFile(join(MONITORING, 'alerts.yaml'), 'utf8')) as {
    groups: readonly { readonly rules: readonly AlertRule[] }[];
  };
  return file.groups.flatMap(({ rules }) => rules);
}

/** Each query of the dashboard, with the title of its panel. */
export async function panelQueries(): Promise<readonly { readonly title: string; readonly expr: string }[]> {
  const { panels } = JSON.parse(await readFile(join(MONITORING, 'dashboard.json'), 'utf8')) as { panels: Panel[] };
  return panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
}
