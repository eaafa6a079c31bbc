import { formatNumber, formatPercent } from './format';

export const annotations = {
  title: 'Annotations',
  objects: 'Objects',
  show: (source: string) => `Show ${source}`,
  confidence: 'Confidence',
  from: (least: number) => (least === 0 ? 'any' : `from ${formatPercent(least)}`),
  named: (label: string, confidence: number | null) =>
    confidence === null ? label : `${label} ${formatPercent(confidence)}`,
  track: (id: string) => `track ${id}`,
  crowd: 'a crowd',
  ignored: 'ignored',
  attribute: (name: string, value: string | number | boolean) =>
    value === true ? name : value === false ? `not ${name}` : `${name}: ${value}`,
  cut: (shown: number, total: number) => `The first ${formatNumber(shown)} of ${formatNumber(total)} are shown.`,
  listed: (listed: number, shown: number) =>
    `The list has the first ${formatNumber(listed)} of ${formatNumber(shown)}; all are drawn.`,
  failed: (why: string) => `The annotations could not be read: ${why}`,
};
