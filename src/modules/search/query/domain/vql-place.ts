import type { z } from 'zod';

export type VqlIssueType =
  'missing' | 'invalid_type' | 'invalid_value' | 'invalid_format' | 'too_small' | 'too_big' | 'unrecognized_keys';

export interface VqlIssue {
  /** Keys and indices into the array of filters. */
  readonly path: readonly (string | number)[];
  readonly type: VqlIssueType;
  readonly message: string;
  readonly input: unknown;
}

const MOST_ISSUES = 50;
const LONGEST_KEY = 100;

/** A position of the parser in the array, which collects the issues found there. */
export class VqlPlace {
  private constructor(
    private readonly path: readonly (string | number)[],
    private readonly found: VqlIssue[],
  ) {}

  static readonly root = (): VqlPlace => new VqlPlace([], []);

  get issues(): readonly VqlIssue[] {
    return this.found;
  }

  /** The limit of reported issues is reached, so parsing can stop. */
  get isFull(): boolean {
    return this.found.length >= MOST_ISSUES;
  }

  at(key: string | number): VqlPlace {
    const shown = typeof key === 'string' ? key.slice(0, LONGEST_KEY) : key;
    return new VqlPlace([...this.path, shown], this.found);
  }

  refuse(type: VqlIssueType, message: string, input: unknown): null {
    if (!this.isFull) this.found.push({ path: this.path, type, message, input });
    return null;
  }

  /** Reports the issues of the schema at this position, unknown keys first. */
  refuseAll(issues: readonly z.core.$ZodIssue[], value: unknown): null {
    for (const issue of issues) if (issue.code === 'unrecognized_keys') this.refuseKeys(issue, value);
    for (const issue of issues) if (issue.code !== 'unrecognized_keys') this.refuseAs(issue, value);
    return null;
  }

  private refuseKeys({ keys, message }: z.core.$ZodIssueUnrecognizedKeys, value: unknown): void {
    for (const key of keys.slice(0, MOST_ISSUES))
      this.at(key).refuse('unrecognized_keys', message, (value as Readonly<Record<string, unknown>>)[key]);
  }

  private refuseAs(issue: z.core.$ZodIssue, value: unknown): void {
    let [place, input]: [VqlPlace, unknown] = [this, value];
    for (const key of issue.path as (string | number)[]) {
      place = place.at(key);
      input = (input as Readonly<Record<string | number, unknown>>)[key];
    }
    if (input === undefined) place.refuse('missing', 'Field required', null);
    else if (issue.code === 'invalid_union' && issue.errors.length > 0)
      place.refuseAll(issue.errors[memberFor(input, issue.errors.length)]!, input);
    else if (isOfNames(issue) && typeof input !== 'string')
      place.refuse('invalid_type', 'Input should be a string', input);
    else place.refuse(typeOf(issue), issue.message, input);
  }
}

/** The member of a union that an input is meant for: a single value, a list of texts, or a list of numbers. */
function memberFor(input: unknown, members: number): number {
  if (!Array.isArray(input)) return 0;
  return members > 2 && typeof input[0] === 'number' ? 2 : 1;
}

const isOfNames = ({ code }: z.core.$ZodIssue): boolean => code === 'invalid_value' || code === 'invalid_union';

function typeOf(issue: z.core.$ZodIssue): VqlIssueType {
  if (issue.code === 'invalid_union') return 'invalid_value';
  return (issue.code === 'custom' ? issue.params?.['type'] : issue.code) as VqlIssueType;
}
