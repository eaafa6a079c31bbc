import type { ParseArgsConfig } from 'node:util';
import type { MediaService } from '../service.js';
import type { Cell } from './output.js';

type Option = NonNullable<ParseArgsConfig['options']>[string] & { readonly help: string; readonly value?: string };

export interface Run {
  readonly positionals: readonly string[];
  readonly json: boolean;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly url: string | undefined;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  flag(name: string): boolean;
  /** A number within limits; throws if the text is not one. */
  number(name: string, fallback: number, least: number, most: number): number;
  service(): Promise<MediaService>;
  /** Prints the value as JSON with --json, otherwise calls `people` to print it. */
  answer(value: unknown, people: () => void): void;
  print(text: string): void;
  table(head: readonly string[], rows: readonly (readonly Cell[])[]): void;
  /** Prints a remark on the error output. */
  note(text: string): void;
}

export interface Command {
  readonly name: string;
  /** Such as `DATASET SOURCE`; names in brackets are optional. */
  readonly operands: string;
  readonly summary: string;
  readonly details?: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Returns the exit code; the default is 0. */
  run(run: Run): Promise<number | void>;
}

export const LABELS_FROM_FOLDERS = {
  'labels-from-folders': {
    type: 'boolean',
    help: 'Label the images of a new dataset with the names of their folders.',
  },
} as const;

export const NO_WAIT = {
  'no-wait': { type: 'boolean', help: 'Return at once, without waiting for the service.' },
} as const;
