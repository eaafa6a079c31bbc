import type { Found, KnownFindings } from './history-findings';
import type { FailingModel, Models } from './history-models';
import { saidText, type Said } from './history-sources';

/** A file of a dataset. The id is null until it was observed. */
export interface KnownMedia {
  readonly id: string | null;
  readonly sha256: string;
  /** Whether it comes from the folder that the dataset was created from. */
  readonly isOfSource: boolean;
}

type MediaByPath = ReadonlyMap<string, KnownMedia>;
/** The paths with each tag, by the name of the tag. */
type TaggedPaths = ReadonlyMap<string, ReadonlySet<string>>;

/** For each view by name, the numbers of matches in the batches since it was saved. */
export type SavedViews = ReadonlyMap<string, readonly number[]>;

export interface Content {
  readonly media: MediaByPath;
  readonly tags: TaggedPaths;
  readonly said: Said;
  /** The models whose results exist for all media. */
  readonly applied: Models;
}

/** A failed enrichment that may be retried. */
export interface FailedEnrichment {
  readonly model: FailingModel;
  /** The content that its retry publishes. */
  readonly content: Content;
  /** The copy, which has the status ERROR until then; null for an enrichment in place. */
  readonly copyId: string | null;
}

/** The expected state of a dataset between two operations. */
export interface DatasetState extends Content {
  readonly status: 'READY' | 'PARTIAL INDEX';
  /** By name. */
  readonly snapshots: ReadonlyMap<string, Content>;
  readonly current: string;
  readonly views: SavedViews;
  /** The ids of the media in each archive, oldest first. */
  readonly exported: readonly string[];
  /** The tasks that ended unsuccessfully, such as `ENRICHMENT ABORTED`. */
  readonly ended: readonly string[];
  readonly failed?: FailedEnrichment | undefined;
}

interface ObservedSnapshot {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly isRestoring: boolean;
  readonly said: Said;
}

/** The observed state of a dataset. */
export interface Observed {
  readonly status: string;
  readonly images: number;
  /** Ids and digests by path. */
  readonly media: ReadonlyMap<string, { readonly id: string; readonly sha256: string; readonly found: Found }>;
  readonly tags: TaggedPaths;
  readonly said: Said;
  readonly snapshots: readonly ObservedSnapshot[];
  readonly applied: Models;
  readonly views: SavedViews;
  readonly exported: readonly string[];
  /** The tasks that did not complete. */
  readonly tasks: readonly { readonly outcome: string; readonly reason: string }[];
}

const named = (models: Models): string => sorted([...models].map(([type, id]) => `${type}=${id}`));
const sorted = (names: Iterable<string>): string => [...names].sort().join(' ');

/** All differences between the observed and the expected state. */
export function differences(wanted: DatasetState, found: Observed, known: KnownFindings): string[] {
  const lines: string[] = [];
  const compare = (what: string, expected: string, seen: string): void => {
    if (expected !== seen) lines.push(`${what}: ${seen} instead of ${expected}`);
  };
  compare('status', wanted.status, found.status);
  compare('n_images', String(wanted.media.size), String(found.images));
  compare('media', sorted(wanted.media.keys()), sorted(found.media.keys()));
  for (const [path, { id, sha256 }] of wanted.media) {
    const seen = found.media.get(path);
    compare(`bytes of ${path}`, sha256, seen?.sha256 ?? 'none');
    if (id !== null) compare(`id of ${path}`, id, seen?.id ?? 'none');
  }
  compare('applied models', named(wanted.applied), named(found.applied));
  for (const [path, { sha256, found: inPicture }] of found.media)
    lines.push(...known.problems(wanted.applied, sha256, inPicture).map((problem) => `${path}: ${problem}`));
  compare('tags', sorted(wanted.tags.keys()), sorted(found.tags.keys()));
  for (const [name, paths] of wanted.tags) compare(`tag ${name}`, sorted(paths), sorted(found.tags.get(name) ?? []));
  compare('annotations', saidText(wanted.said), saidText(found.said));
  for (const { name, said } of found.snapshots)
    compare(`annotations of the snapshot ${name}`, saidText(wanted.snapshots.get(name)?.said ?? said), saidText(said));
  compare('snapshots', sorted(wanted.snapshots.keys()), sorted(found.snapshots.map(({ name }) => name)));
  const current = found.snapshots.filter(({ isCurrent }) => isCurrent).map(({ name }) => name);
  compare('current snapshot', wanted.current, sorted(current));
  compare('restoring', '', sorted(found.snapshots.filter((each) => each.isRestoring).map(({ name }) => name)));
  const viewed = (views: SavedViews): string =>
    sorted([...views].map(([name, counts]) => `${name}=${counts.join('+')}`));
  compare('views', viewed(wanted.views), viewed(found.views));
  compare('exports', wanted.exported.join(), found.exported.join());
  const outcomes = found.tasks.map(({ outcome }) => outcome);
  compare('tasks', sorted(wanted.ended), sorted(outcomes));
  if (sorted(wanted.ended) !== sorted(outcomes)) lines.push(...found.tasks.map(({ reason }) => reason));
  return lines;
}

export const contentOf = ({ media, tags, said, applied }: Content): Content => ({ media, tags, said, applied });

/** The state with the observed ids. */
export function seenAs(state: DatasetState, found: Observed): DatasetState {
  const seen = [...state.media].map(([path, known]) => [path, { ...known, id: found.media.get(path)!.id }] as const);
  return { ...state, media: new Map(seen) };
}
