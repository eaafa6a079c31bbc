/** One file as a dataset shows it; the id is null until it was observed. */
export interface KnownMedia {
  readonly id: string | null;
  readonly sha256: string;
  /** Whether it is from the folder that the dataset was created from. */
  readonly isOfSource: boolean;
}

type MediaByPath = ReadonlyMap<string, KnownMedia>;
/** The paths that each tag is on, by its name. */
type TaggedPaths = ReadonlyMap<string, ReadonlySet<string>>;

export interface Content {
  readonly media: MediaByPath;
  readonly tags: TaggedPaths;
}

/** The expected state of a dataset between two operations. */
export interface DatasetState extends Content {
  readonly status: 'READY' | 'PARTIAL INDEX';
  /** By name. */
  readonly snapshots: ReadonlyMap<string, Content>;
  readonly current: string;
}

/** The observed state of a dataset. */
export interface Observed {
  readonly status: string;
  readonly images: number;
  /** Ids and digests by path. */
  readonly media: ReadonlyMap<string, { readonly id: string; readonly sha256: string }>;
  readonly tags: TaggedPaths;
  readonly snapshots: readonly { readonly name: string; readonly isCurrent: boolean; readonly isRestoring: boolean }[];
  /** The outcomes of tasks that are not completed. */
  readonly tasks: readonly string[];
}

const sorted = (names: Iterable<string>): string => [...names].sort().join(' ');

/** All differences between the observed and the expected state. */
export function differences(wanted: DatasetState, found: Observed): string[] {
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
  compare('tags', sorted(wanted.tags.keys()), sorted(found.tags.keys()));
  for (const [name, paths] of wanted.tags) compare(`tag ${name}`, sorted(paths), sorted(found.tags.get(name) ?? []));
  compare('snapshots', sorted(wanted.snapshots.keys()), sorted(found.snapshots.map(({ name }) => name)));
  const current = found.snapshots.filter(({ isCurrent }) => isCurrent).map(({ name }) => name);
  compare('current snapshot', wanted.current, sorted(current));
  compare('restoring', '', sorted(found.snapshots.filter((each) => each.isRestoring).map(({ name }) => name)));
  compare('tasks', '', found.tasks.join(' '));
  return lines;
}

/** Includes the ids observed. */
export function seenAs(state: DatasetState, found: Observed): DatasetState {
  const seen = [...state.media].map(([path, known]) => [path, { ...known, id: found.media.get(path)!.id }] as const);
  return { ...state, media: new Map(seen) };
}
