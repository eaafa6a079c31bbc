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

/** Where the parser stands in the array, to say what is wrong there. */
export class VqlPlace {
  private constructor(
    private readonly path: readonly (string | number)[],
    private readonly found: VqlIssue[],
  ) {}

  static readonly root = (): VqlPlace => new VqlPlace([], []);

  get issues(): readonly VqlIssue[] {
    return this.found;
  }

  at(key: string | number): VqlPlace {
    const shown = typeof key === 'string' ? key.slice(0, LONGEST_KEY) : key;
    return new VqlPlace([...this.path, shown], this.found);
  }

  refuse(type: VqlIssueType, message: string, input: unknown): null {
    if (this.found.length < MOST_ISSUES) this.found.push({ path: this.path, type, message, input });
    return null;
  }
}
