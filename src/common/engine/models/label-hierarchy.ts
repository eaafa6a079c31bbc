import { folded } from '../../platform/text/texts';

/** A label of a model. */
export interface ClassLabel {
  readonly label: string;
  /** From the nearest to the widest. */
  readonly parents: readonly string[];
}

/** The maximum number of parents above a label. */
export const MAX_PARENTS = 16;

let made = 0;

/** A label as it was written first, with the labels next to it. */
interface Place {
  readonly label: string;
  parent?: Place;
  readonly children: Place[];
}

/** Which labels are kinds of which. Labels are compared regardless of case; where models disagree about a parent, the first one counts. */
export class LabelHierarchy {
  /** Different for each content, for keys of caches. */
  readonly revision = ++made;

  private constructor(
    private readonly lists: readonly (readonly ClassLabel[])[],
    private readonly places: ReadonlyMap<string, Place>,
  ) {}

  /** Of the labels of each model. */
  static of(lists: readonly (readonly ClassLabel[])[]): LabelHierarchy {
    const places = new Map<string, Place>();
    const placeOf = (label: string): Place => {
      const key = folded(label);
      const place = places.get(key) ?? { label, children: [] };
      places.set(key, place);
      return place;
    };
    for (const { label, parents } of lists.flat()) {
      let child = placeOf(label);
      for (const parent of parents.map(placeOf)) {
        if (child.parent === undefined && !isBelow(parent, child)) {
          child.parent = parent;
          parent.children.push(child);
        }
        child = parent;
      }
    }
    return new LabelHierarchy(lists, places);
  }

  /** The same object if the lists are the same ones. */
  with(lists: readonly (readonly ClassLabel[])[]): LabelHierarchy {
    const known = lists.filter((list) => list.length > 0);
    const isSame = known.length === this.lists.length && known.every((list, at) => list === this.lists[at]);
    return isSame ? this : LabelHierarchy.of(known);
  }

  get isEmpty(): boolean {
    return this.places.size === 0;
  }

  /** From the nearest to the widest; empty for unknown labels. */
  parentsOf(label: string): string[] {
    const found: string[] = [];
    let place = this.places.get(folded(label))?.parent;
    for (; place !== undefined && found.length < MAX_PARENTS; place = place.parent) found.push(place.label);
    return found;
  }

  /** The labels with others below them that include this one: its parents, and itself if it has narrower ones. */
  groupsOf(label: string): string[] {
    const own = this.places.get(folded(label));
    return [...(own === undefined || own.children.length === 0 ? [] : [own.label]), ...this.parentsOf(label)];
  }

  /** Whether a label is this one or below it. */
  within(label: string): (other: string) => boolean {
    const names = new Set([folded(label)]);
    // A set also visits what is added meanwhile.
    for (const name of names) for (const child of this.places.get(name)?.children ?? []) names.add(folded(child.label));
    return (other) => names.has(folded(other));
  }
}

/** Also true for a place with more than the maximum above it, so that models that disagree make no circle. */
function isBelow(start: Place, wide: Place): boolean {
  let place: Place | undefined = start;
  for (let steps = 0; steps <= MAX_PARENTS; steps++, place = place.parent) {
    if (place === undefined) return false;
    if (place === wide) return true;
  }
  return true;
}
