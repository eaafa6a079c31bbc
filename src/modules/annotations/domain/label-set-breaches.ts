import type { Annotation, AttributeValue } from '../../../common/engine/annotations/annotation';
import type { LabelAttribute, LabelSet } from '../../datasets';
import { labelsGiven, type Edit } from './source-change';

/** A label or an attribute of an edit that a label set does not have. */
export interface LabelSetBreach {
  /** The position of its edits. */
  readonly at: number;
  /** In the annotation. */
  readonly path: readonly string[];
  readonly input: unknown;
  readonly reason: string;
}

export interface EditedPicture {
  readonly edits: readonly Edit[];
  readonly stored: readonly Annotation[];
}

/** So many are found at most. */
const MOST_BREACHES = 100;
/** Longer lists of values are not repeated in errors. */
const LONGEST_LIST = 200;

/** What a set does not have. An attribute that an annotation has already may stay. */
export function breachesIn(set: LabelSet, pictures: readonly EditedPicture[]): LabelSetBreach[] {
  const rules = new LabelSetRules(set);
  const indexes = new Map<readonly Annotation[], ReadonlyMap<string, Annotation>>();
  const breaches: LabelSetBreach[] = [];
  for (const [at, { edits, stored }] of pictures.entries()) {
    const byId = indexes.get(stored) ?? new Map(stored.map((each) => [each.id, each]));
    indexes.set(stored, byId);
    for (const edit of edits) {
      if (breaches.length >= MOST_BREACHES) return breaches.slice(0, MOST_BREACHES);
      breaches.push(...rules.breachesOf(edit, byId).map((each) => ({ ...each, at })));
    }
  }
  return breaches.slice(0, MOST_BREACHES);
}

class LabelSetRules {
  private readonly attributesOf: ReadonlyMap<string, ReadonlyMap<string, LabelAttribute>>;

  constructor({ labels }: LabelSet) {
    this.attributesOf = new Map(
      labels.map(({ name, attributes }) => [name, new Map(attributes.map((each) => [each.name, each]))]),
    );
  }

  breachesOf(edit: Edit, stored: ReadonlyMap<string, Annotation>): Omit<LabelSetBreach, 'at'>[] {
    const others = labelsGiven(edit).filter((label) => !this.attributesOf.has(label));
    if (others.length > 0 || edit.kind === 'relabel' || edit.kind === 'remove')
      return others.map((label) => ({ path: ['label'], input: label, reason: `'${label}' is not in the label set.` }));
    const { label, id, attributes = {} } = edit.given;
    const known = (id === undefined ? undefined : stored.get(id)?.attributes) ?? {};
    return Object.entries(attributes).flatMap(([name, value]) => {
      const isKept = Object.hasOwn(known, name) && known[name] === value;
      const reason = isKept ? undefined : this.reasonAgainst(label, name, value);
      return reason === undefined ? [] : [{ path: ['attributes', name], input: value, reason }];
    });
  }

  private reasonAgainst(label: string, name: string, value: AttributeValue): string | undefined {
    const attribute = this.attributesOf.get(label)?.get(name);
    if (attribute === undefined) return `'${name}' is not an attribute of '${label}' in the label set.`;
    return isAllowed(attribute, value) ? undefined : `The attribute '${name}' of '${label}' is ${wanted(attribute)}.`;
  }
}

function isAllowed({ type, values = [] }: LabelAttribute, value: AttributeValue): boolean {
  if (type === 'choice') return typeof value === 'string' && values.includes(value);
  return typeof value === (type === 'text' ? 'string' : type);
}

function wanted({ type, values = [] }: LabelAttribute): string {
  const list = values.join(', ');
  if (type === 'choice') return list.length > LONGEST_LIST ? 'one of the values in the label set' : `one of ${list}`;
  return type === 'boolean' ? 'true or false' : `a ${type}`;
}
