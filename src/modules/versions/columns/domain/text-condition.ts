import { identifier, inList, textLiteral } from '../../../../common/engine/media-table/literal';

export type TextOp = 'one_of' | 'starts_with' | 'ends_with' | 'contains';

const COLUMNS = { fileName: 'file_name', batchId: 'batch_id' } as const;

/** A condition on a text of each row; true if it holds for any of the values. */
export interface TextCondition {
  readonly field: keyof typeof COLUMNS;
  readonly op: TextOp;
  readonly values: readonly string[];
}

export type TextTest = (text: string, value: string) => boolean;

/** Each test in JavaScript, for rows in memory, and in SQL, for a whole version in Lance. */
const TESTS: Readonly<Record<Exclude<TextOp, 'one_of'>, { sql: string; holds: TextTest }>> = {
  starts_with: { sql: 'starts_with', holds: (text, value) => text.startsWith(value) },
  ends_with: { sql: 'ends_with', holds: (text, value) => text.endsWith(value) },
  contains: { sql: 'contains', holds: (text, value) => text.includes(value) },
};

export const textTest = (op: keyof typeof TESTS): TextTest => TESTS[op].holds;

export function sqlOf({ field, op, values }: TextCondition): string {
  const column = identifier(COLUMNS[field]);
  return op === 'one_of'
    ? `${column} IN ${inList(values)}`
    : values.map((value) => `${TESTS[op].sql}(${column}, ${textLiteral(value)})`).join(' OR ');
}

export function testOf({ op, values }: TextCondition): (text: string) => boolean {
  if (op === 'one_of') {
    const wanted = new Set(values);
    return (text) => wanted.has(text);
  }
  const { holds } = TESTS[op];
  return (text) => values.some((value) => holds(text, value));
}
