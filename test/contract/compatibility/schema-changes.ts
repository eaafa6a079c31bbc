import { isDeepStrictEqual } from 'node:util';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** A client writes requests, and reads responses. */
export type Direction = 'request' | 'response';

interface Change {
  readonly before: Schema;
  readonly after: Schema;
  readonly direction: Direction;
  readonly at: string;
}

const PREFIX = '#/components/schemas/';
const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const MOST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** Keywords that are compared one by one, or irrelevant to clients. */
const KNOWN = new Set([
  ...['$ref', 'type', 'enum', 'properties', 'required', 'additionalProperties', 'items', 'oneOf', 'anyOf', 'default'],
  ...['description', 'title', 'example', 'examples', 'deprecated', '$schema', ...LEAST, ...MOST],
]);

/**
 * Finds changes of schemas that break a client: a request that was valid is rejected or has another meaning, or a response has something that the
 * client cannot expect. Clients ignore unknown properties and values of enumerations.
 */
export class SchemaChanges {
  /** By name and direction, so that recursive schemas are compared once. */
  private readonly named = new Map<string, readonly string[]>();

  constructor(
    private readonly before: Schemas,
    private readonly after: Schemas,
  ) {}

  find(change: Change): readonly string[] {
    const { before, after, direction } = change;
    if (before.$ref === undefined || after.$ref === undefined) return this.alternatives(change);
    const key = `${direction} ${before.$ref} ${after.$ref}`;
    const known = this.named.get(key);
    if (known !== undefined) return known;
    this.named.set(key, []);
    const isRenamed = before.$ref !== after.$ref;
    const found = this.alternatives(
      isRenamed ? change : { ...change, at: `${before.$ref.slice(PREFIX.length)} in a ${direction}` },
    );
    this.named.set(key, found);
    return found;
  }

  /** Each alternative of one side must be accepted by the other. */
  private alternatives({ before, after, direction, at }: Change): readonly string[] {
    const earlier = alternativesOf(before, this.before);
    const later = alternativesOf(after, this.after);
    if (earlier.length === 1 && later.length === 1)
      return this.simple({ before: earlier[0]!, after: later[0]!, direction, at });
    const [offered, accepted] = direction === 'request' ? [earlier, later] : [later, earlier];
    return offered.flatMap((each) => {
      const attempts = accepted.map((other) =>
        direction === 'request'
          ? this.simple({ before: each, after: other, direction, at })
          : this.simple({ before: other, after: each, direction, at }),
      );
      if (attempts.some((found) => found.length === 0)) return [];
      const related = attempts.filter((_, index) => isSameKind(each, accepted[index]!));
      if (related.length === 1) return related[0]!;
      return [`${at}: ${direction === 'request' ? 'no longer accepts' : 'may now be'} ${shown(each)}`];
    });
  }

  private simple(change: Change): readonly string[] {
    return [
      ...typeChanges(change),
      ...enumChanges(change),
      ...limitChanges(change),
      ...otherChanges(change),
      ...this.objectChanges(change),
      ...this.itemChanges(change),
    ];
  }

  private itemChanges({ before, after, direction, at }: Change): readonly string[] {
    if (before.items === undefined && after.items === undefined) return [];
    return this.find({ before: before.items ?? {}, after: after.items ?? {}, direction, at: `${at}[]` });
  }

  private objectChanges(change: Change): readonly string[] {
    const { before, after, direction, at } = change;
    const { properties: earlier = {}, required: needed = [] } = before;
    const { properties: later = {}, required: needs = [] } = after;
    const kept = Object.keys(earlier).filter((name) => name in later);
    const [all, some] = direction === 'request' ? [needs, needed] : [needed, needs];
    const nowOrNoLonger = direction === 'request' ? 'is now required' : 'may now be missing';
    return [
      ...Object.keys(earlier)
        .filter((name) => !(name in later))
        .map((name) => `${at}.${name}: is gone`),
      ...all.filter((name) => !some.includes(name) && name in later).map((name) => `${at}.${name}: ${nowOrNoLonger}`),
      ...kept.flatMap((name) =>
        this.find({ before: earlier[name]!, after: later[name]!, direction, at: `${at}.${name}` }),
      ),
      ...this.otherProperties(change),
    ];
  }

  /** Properties with arbitrary names. */
  private otherProperties({ before, after, direction, at }: Change): readonly string[] {
    const earlier = before.additionalProperties ?? true;
    const later = after.additionalProperties ?? true;
    if (earlier === false || isDeepStrictEqual(earlier, later)) return [];
    // A response without a schema may get one.
    if (direction === 'response' && Object.keys(before).length === 0) return [];
    if (later === false) return [`${at}: has no properties of any name now`];
    const [schemaBefore, schemaAfter] = [earlier, later].map((each) => (each === true ? {} : each));
    return this.find({ before: schemaBefore!, after: schemaAfter!, direction, at: `${at}.*` });
  }
}

function alternativesOf(schema: Schema, schemas: Schemas): readonly Schema[] {
  const { $ref, ...beside } = schema;
  if ($ref !== undefined) return alternativesOf({ ...schemas[$ref.slice(PREFIX.length)], ...beside }, schemas);
  const { oneOf, anyOf, ...rest } = schema;
  const members = oneOf ?? anyOf;
  if (members !== undefined) return members.flatMap((member) => alternativesOf({ ...rest, ...member }, schemas));
  return Array.isArray(schema.type) ? schema.type.map((type: string) => ({ ...schema, type })) : [schema];
}

const sidesOf = ({ before, after, direction }: Change): { readonly offered: Schema; readonly accepted: Schema } =>
  direction === 'request' ? { offered: before, accepted: after } : { offered: after, accepted: before };

function typeChanges(change: Change): readonly string[] {
  const { offered, accepted } = sidesOf(change);
  if (accepted.type === undefined || accepted.type === offered.type) return [];
  if (offered.type === 'integer' && accepted.type === 'number') return [];
  const { before, after, at } = change;
  return [`${at}: the type was ${String(before.type ?? 'anything')} and is ${String(after.type ?? 'anything')}`];
}

/** A removed value breaks both directions: a client can no longer send it, or waits for it in vain. */
function enumChanges({ before, after, direction, at }: Change): readonly string[] {
  const { enum: earlier } = before;
  const { enum: later } = after;
  if (earlier === undefined || later === undefined) {
    if (direction === 'request' && later !== undefined) return [`${at}: accepts only ${later.join(', ')} now`];
    return direction === 'response' && earlier !== undefined ? [`${at}: may now have any value`] : [];
  }
  return earlier
    .filter((value) => !later.includes(value))
    .map((value) => `${at}: the value ${JSON.stringify(value)} is gone`);
}

function limitChanges(change: Change): readonly string[] {
  const { offered, accepted } = sidesOf(change);
  const isBeyond = (name: string): boolean => {
    const [limit, other] = [accepted[name], offered[name]] as (number | undefined)[];
    if (limit === undefined) return false;
    return other === undefined || (LEAST.includes(name) ? other < limit : other > limit);
  };
  return [...LEAST, ...MOST].filter(isBeyond).map((name) => changed(change, name));
}

function otherChanges(change: Change): readonly string[] {
  const { before, after, direction } = change;
  const { accepted } = sidesOf(change);
  const names = Object.keys(accepted).filter((name) => !KNOWN.has(name));
  const isOtherDefault =
    direction === 'request' && 'default' in before && !isDeepStrictEqual(before['default'], after['default']);
  return [
    ...names.filter((name) => !isDeepStrictEqual(before[name], after[name])),
    ...(isOtherDefault ? ['default'] : []),
  ].map((name) => changed(change, name));
}

const changed = ({ before, after, at }: Change, name: string): string =>
  `${at}: ${name} was ${valueOf(before, name)} and is ${valueOf(after, name)}`;

const valueOf = (schema: Schema, name: string): string => (name in schema ? JSON.stringify(schema[name]) : 'absent');

/** Whether two alternatives are versions of the same one; objects often have a property that distinguishes them. */
const isSameKind = (one: Schema, other: Schema): boolean =>
  one.type === other.type && isDeepStrictEqual(fixedValues(one), fixedValues(other));

const fixedValues = ({ properties = {} }: Schema) =>
  Object.entries(properties).flatMap(([name, { enum: values }]) => (values?.length === 1 ? [[name, values[0]]] : []));

const shown = (schema: Schema): string =>
  schema.enum === undefined
    ? String(schema.type ?? 'anything')
    : schema.enum.map((value) => JSON.stringify(value)).join(', ');
