import { randomInt, randomUUID } from 'node:crypto';
import { shapeKindOf, type Annotation, type SaidAnnotation } from '../../../common/engine/annotations/annotation';

export const SOURCE_MODES = ['add', 'replace', 'merge', 'delete'] as const;
export type SourceMode = (typeof SOURCE_MODES)[number];

/** What is sent about one annotation of a picture. */
export interface GivenAnnotation extends SaidAnnotation {
  /** The one that the sender has seen; anything may be overwritten if absent. */
  readonly version?: number;
}

export type Edit =
  /** An annotation with its id stays as it is. */
  | { readonly kind: 'add'; readonly given: GivenAnnotation }
  /** An annotation with its id becomes this one. */
  | { readonly kind: 'merge'; readonly given: GivenAnnotation }
  /** All of the picture without an id. */
  | { readonly kind: 'remove'; readonly given: Pick<GivenAnnotation, 'id' | 'version'> }
  /** These become the labels of the whole picture, in the place of those that are `among`, or of all if that is empty. */
  | { readonly kind: 'relabel'; readonly labels: readonly string[]; readonly among: readonly string[] };

/** The labels that annotations get. */
export function labelsGiven(edit: Edit): readonly string[] {
  if (edit.kind === 'relabel') return edit.labels;
  return edit.kind === 'remove' ? [] : [edit.given.label];
}

/** An annotation that somebody else changed in the meantime. */
export interface Conflict {
  readonly id: string;
  readonly sent: number;
  /** Null if it was removed. */
  readonly current: Annotation | null;
}

export interface ChangedPicture {
  readonly annotations: readonly Annotation[];
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly conflicts: readonly Conflict[];
}

export interface Act {
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  /** Of the annotations that it changes. */
  readonly version: number;
}

/** Above the versions of what media tables say. */
const LEAST_VERSION = 2 ** 33;
const MOST_VERSION = 2 ** 48;

/** Its version is that of no other change: undone and restored annotations have their old versions again, so a counter or a clock could repeat one. */
export const newAct = (by: string): Act => ({
  by,
  at: new Date().toISOString(),
  version: randomInt(LEAST_VERSION, MOST_VERSION),
});

const created = (given: GivenAnnotation, { by, at, version }: Act): Annotation => ({
  ...given,
  id: given.id ?? randomUUID(),
  createdBy: by,
  createdAt: at,
  updatedAt: at,
  version,
});

const changed = (given: GivenAnnotation, { id, createdBy, createdAt }: Annotation, act: Act): Annotation => ({
  ...given,
  id,
  ...(createdBy !== undefined && { createdBy }),
  ...(createdAt !== undefined && { createdAt }),
  updatedAt: act.at,
  version: act.version,
});

/** The annotations of one source in one picture, being changed. */
class Picture {
  private readonly byId: Map<string, Annotation>;
  private readonly conflicts: Conflict[] = [];
  private readonly counts = { added: 0, changed: 0, removed: 0 };

  constructor(
    before: readonly Annotation[],
    private readonly act: Act,
  ) {
    this.byId = new Map(before.map((annotation) => [annotation.id, annotation]));
  }

  apply(edit: Edit): void {
    if (edit.kind === 'relabel') this.relabel(edit.labels, edit.among);
    else if (edit.kind === 'add') this.add(edit.given);
    else if (edit.kind === 'merge') this.merge(edit.given);
    else this.remove(edit.given);
  }

  private relabel(labels: readonly string[], among: readonly string[]): void {
    const missing = new Set(labels);
    for (const annotation of [...this.byId.values()]) {
      const { id, label } = annotation;
      if (shapeKindOf(annotation) !== 'label') continue;
      if (labels.includes(label)) missing.delete(label);
      else if (among.length === 0 || among.includes(label)) this.remove({ id });
    }
    for (const label of missing) this.add({ label });
  }

  private add(given: GivenAnnotation): void {
    if (given.id !== undefined && this.byId.has(given.id)) return;
    const annotation = created(given, this.act);
    this.byId.set(annotation.id, annotation);
    this.counts.added += 1;
  }

  private merge(given: GivenAnnotation): void {
    if (!this.isCurrent(given)) return;
    const before = given.id === undefined ? undefined : this.byId.get(given.id);
    if (before === undefined) {
      this.add(given);
      return;
    }
    this.byId.set(before.id, changed(given, before, this.act));
    this.counts.changed += 1;
  }

  private remove(given: Pick<GivenAnnotation, 'id' | 'version'>): void {
    if (given.id === undefined) this.clear();
    else if (this.isCurrent(given) && this.byId.delete(given.id)) this.counts.removed += 1;
  }

  clear(): void {
    this.counts.removed += this.byId.size;
    this.byId.clear();
  }

  get result(): ChangedPicture {
    return { annotations: [...this.byId.values()], ...this.counts, conflicts: this.conflicts };
  }

  private isCurrent({ id, version }: Pick<GivenAnnotation, 'id' | 'version'>): boolean {
    if (id === undefined || version === undefined) return true;
    const current = this.byId.get(id) ?? null;
    if (current?.version === version) return true;
    this.conflicts.push({ id, sent: version, current });
    return false;
  }
}

/** With `replaces`, nothing from before stays. */
export function changedPicture(
  before: readonly Annotation[],
  { edits, replaces }: { readonly edits: readonly Edit[]; readonly replaces: boolean },
  act: Act,
): ChangedPicture {
  const picture = new Picture(before, act);
  if (replaces) picture.clear();
  for (const edit of edits) picture.apply(edit);
  return picture.result;
}
