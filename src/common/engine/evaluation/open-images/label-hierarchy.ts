import { EvaluationError } from '../evaluation-error';

/** Each has two bits of a word of a prediction, with those of the label itself. */
const MOST_ANCESTORS = 15;

/** Labels that stand for others, such as "animal" for "dog". */
export class LabelHierarchy {
  private readonly parents = new Map<string, Set<string>>();
  private readonly known = new Map<string, readonly string[]>();

  constructor(pairs: readonly (readonly [child: string, parent: string])[]) {
    for (const [child, parent] of pairs) {
      let ofChild = this.parents.get(child);
      if (ofChild === undefined) this.parents.set(child, (ofChild = new Set()));
      ofChild.add(parent);
    }
    for (const child of this.parents.keys()) this.namesOf(child);
  }

  get isEmpty(): boolean {
    return this.parents.size === 0;
  }

  /** The label, and then all labels that stand for it. */
  namesOf(label: string): readonly string[] {
    let names = this.known.get(label);
    if (names === undefined) this.known.set(label, (names = [label, ...this.ancestorsOf(label)]));
    return names;
  }

  /** All labels that stand for others. */
  get parentLabels(): ReadonlySet<string> {
    return new Set([...this.parents.values()].flatMap((parents) => [...parents]));
  }

  private ancestorsOf(label: string): ReadonlySet<string> {
    const ancestors = new Set<string>();
    const open = [label];
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const parent of this.parents.get(next) ?? []) {
        if (parent === label) throw new EvaluationError(`The label "${label}" is above itself in the hierarchy`);
        if (ancestors.has(parent)) continue;
        ancestors.add(parent);
        open.push(parent);
        if (ancestors.size > MOST_ANCESTORS)
          throw new EvaluationError(
            `The label "${label}" has more than ${MOST_ANCESTORS} labels above it in the hierarchy`,
          );
      }
    return ancestors;
  }
}
