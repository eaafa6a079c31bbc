import type { VqlFilterSchema, VqlOp } from './vql-schema';
import type { Path, Place } from './vql-text';

export interface Suggestion {
  readonly text: string;
  readonly note: string;
  /** The inserted text, and the caret in it. */
  readonly insert: string;
  readonly caret: number;
}

/** Values that the dataset has, by the filter. */
export type KnownValues = Readonly<Record<string, readonly { readonly value: string; readonly name: string }[]>>;

type Spot =
  | { readonly kind: 'filters' | 'filter' | 'nothing' }
  | { readonly kind: 'body' | 'op' | 'value'; readonly filter: string };

const LISTS = ['and', 'or'];
const NESTING: Readonly<Record<string, string>> = { and: '[{}]', or: '[{}]', not: '{}' };
const USUAL_OP = 'one_of';

/** The kind of value expected at a path. */
function spotAt(path: Path): Spot {
  let spot: Spot = { kind: 'filters' };
  for (const step of path) {
    if (spot.kind === 'filters') spot = { kind: 'filter' };
    else if (spot.kind === 'filter') {
      const name = String(step);
      spot = LISTS.includes(name) ? { kind: 'filters' } : name === 'not' ? spot : { kind: 'body', filter: name };
    } else if (spot.kind === 'body' && (step === 'op' || step === 'value')) spot = { kind: step, filter: spot.filter };
    else if (spot.kind !== 'value') return { kind: 'nothing' };
  }
  return spot;
}

const usualOp = ({ ops }: VqlFilterSchema): VqlOp | undefined => ops.find(({ name }) => name === USUAL_OP) ?? ops[0];

/** With the caret in the first empty string, or else at the end. */
function skeleton(text: string): Pick<Suggestion, 'insert' | 'caret'> {
  const [empty, braces] = [text.indexOf('""'), text.indexOf('{}')];
  const inside = empty >= 0 ? empty : braces;
  return { insert: text, caret: inside >= 0 ? inside + 1 : text.length };
}

function filterSuggestion(filter: VqlFilterSchema, place: Place): Suggestion {
  const op = usualOp(filter);
  const body = op === undefined ? NESTING[filter.name] : `{"op": "${op.name}", "value": ${op.example}}`;
  const entry = `"${filter.name}": ${body ?? '{}'}`;
  const written = place.hasValue ? `"${filter.name}"` : place.isKey ? entry : `{${entry}}`;
  const note = filter.description.replaceAll('`', '');
  return {
    text: filter.name,
    note,
    ...(place.hasValue ? { insert: written, caret: written.length } : skeleton(written)),
  };
}

const quoted = (value: string, name = value, note = ''): Suggestion => {
  const insert = JSON.stringify(value);
  return { text: name, note, insert, caret: insert.length };
};

const keyOf = (name: string, { hasValue }: Place): Suggestion => {
  const written = hasValue ? `"${name}"` : name === 'op' ? '"op": ""' : `"${name}": `;
  return { text: name, note: '', ...(hasValue ? { insert: written, caret: written.length } : skeleton(written)) };
};

function candidates(place: Place, schema: readonly VqlFilterSchema[], known: KnownValues): readonly Suggestion[] {
  const spot = spotAt(place.path);
  if (spot.kind === 'filter' && place.path.length > 0) return schema.map((filter) => filterSuggestion(filter, place));
  if (spot.kind === 'body' || spot.kind === 'op' || spot.kind === 'value') {
    const ops = schema.find(({ name }) => name === spot.filter)?.ops ?? [];
    if (spot.kind === 'body' && place.isKey)
      return [...new Set(ops.flatMap(({ keys }) => keys))].map((name) => keyOf(name, place));
    if (spot.kind === 'op') return ops.map(({ name }) => quoted(name));
    if (spot.kind === 'value' && !place.isKey) {
      const listed = [...new Set(ops.flatMap(({ values }) => values))].map((value) => quoted(value));
      return [...listed, ...(known[spot.filter] ?? []).map(({ value, name }) => quoted(value, name))];
    }
  }
  return [];
}

/** The suggestions for a place; those that begin with the typed text come first. */
export function suggestionsAt(
  place: Place,
  schema: readonly VqlFilterSchema[],
  known: KnownValues,
): readonly Suggestion[] {
  const typed = place.typed.toLowerCase();
  const fitting = candidates(place, schema, known).filter(({ text }) => text.toLowerCase().includes(typed));
  const isStart = ({ text }: Suggestion): boolean => text.toLowerCase().startsWith(typed);
  return [...fitting.filter(isStart), ...fitting.filter((each) => !isStart(each))];
}
