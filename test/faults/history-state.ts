/** One file as a dataset shows it; its id is null until somebody has seen it. */
export interface KnownMedia {
  readonly id: string | null;
  readonly sha256: string;
  /** Whether it is of the folder that the dataset was made of. */
  readonly isOfSource: boolean;
}

type MediaByPath = ReadonlyMap<string, KnownMedia>;
/** The paths that each tag is on, by its name. */
type TaggedPaths = ReadonlyMap<string, ReadonlySet<string>>;

export interface Content {
  readonly media: MediaByPath;
  readonly tags: TaggedPaths;
}

/** What a dataset is to be between two operations. */
export interface DatasetState extends Content {
  readonly status: 'READY' | 'PARTIAL INDEX';
  /** By name. */
  readonly snapshots: ReadonlyMap<string, Content>;
  readonly current: string;
}

/** What a dataset is found to be. */
export interface Observed {
  readonly status: string;
  readonly images: number;
  /** Ids and digests by path. */
  readonly media: ReadonlyMap<string, { readonly id: string; readonly sha256: string }>;
  readonly tags: TaggedPaths;
  readonly snapshots: readonly { readonly name: string; readonly isCurrent: boolean; readonly isRestoring: boolean }[];
  /** Of tasks that are not completed, what became of them. */
  readonly tasks: readonly string[];
}

const sorted = (names: Iterable<string>): string => [...names].sort().join(' ');

/** Everything in which what is there is not what must be there. */
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

/** With the ids that were seen. */
export function seenAs(state: DatasetState, found: Observed): DatasetState {
  const seen = [...state.media].map(([path, known]) => [path, { ...known, id: found.media.get(path)!.id }] as const);
  return { ...state, media: new Map(seen) };
}
