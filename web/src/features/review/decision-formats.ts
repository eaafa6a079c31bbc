import type { components } from 'dataset-media-service-sdk';

type Decision = components['schemas']['ReviewDecisionPage']['decisions'][number];

const COLUMNS = [
  'item_id',
  'person',
  'verdict',
  'answer',
  'reason',
  'decided_at',
  'accepted',
  'reviewed_by',
  'reviewed_at',
  'review_reason',
] as const satisfies readonly (keyof Decision)[];

/** A spreadsheet takes these for the beginning of a formula. */
const isFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text);

function csvCell(value: Decision[keyof Decision]): string {
  if (value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${(isFormula(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

const csvLine = (decision: Decision): string => `${COLUMNS.map((column) => csvCell(decision[column])).join()}\r\n`;

export const DECISION_FORMATS = {
  CSV: { begin: `${COLUMNS.join()}\r\n`, between: '', end: '', of: csvLine, type: 'text/csv' },
  JSON: {
    ...{ begin: '[\n', between: ',\n', end: '\n]\n', type: 'application/json' },
    of: (decision: Decision): string => JSON.stringify(decision),
  },
} as const;
export type DecisionFormat = keyof typeof DECISION_FORMATS;
