export const KEEP_RULES = ['largest', 'oldest', 'sharpest', 'folder', 'all'] as const;
type KeepRuleName = (typeof KEEP_RULES)[number];

/** Which members of a group stay. */
export interface KeepRule {
  /** `all` calls the members different. */
  readonly name: KeepRuleName;
  /** For `folder`, the preferred ones first. A folder includes those below it. */
  readonly folders: readonly string[];
}

/** The columns that rules compare; arrays by row. */
export interface KeepColumns {
  readonly width: ArrayLike<number>;
  readonly height: ArrayLike<number>;
  readonly bytes: ArrayLike<number>;
  readonly sharpness: ArrayLike<number>;
  /** Index into the times. */
  readonly batch: ArrayLike<number>;
  /** When each batch was added, in milliseconds; 0 if unknown, as in clones of deleted datasets. */
  readonly batchTimes: readonly number[];
  readonly pathLength: ArrayLike<number>;
  /** Index into the names. */
  readonly folder: ArrayLike<number>;
  readonly folderNames: readonly string[];
}

/** Negative if the first row is to be kept rather than the second. Never 0 for different rows. */
export type KeepOrder = (first: number, second: number) => number;

/**
 * Equal by the rule: more pixels, then more bytes, then added earlier, then the shorter path, then the folder by name. So of
 * `a.jpg` and `a (1).jpg` the first stays.
 */
export function keepOrder(rule: KeepRule, columns: KeepColumns): KeepOrder {
  const by = orderOf(rule, columns);
  const { width, height, bytes, pathLength, folder } = columns;
  const added = addedTimes(columns);
  const names = namePlaces(columns.folderNames);
  return (a, b) =>
    by(a, b) ||
    width[b]! * height[b]! - width[a]! * height[a]! ||
    bytes[b]! - bytes[a]! ||
    added(a) - added(b) ||
    pathLength[a]! - pathLength[b]! ||
    names[folder[a]!]! - names[folder[b]!]! ||
    a - b;
}

function orderOf({ name, folders }: KeepRule, columns: KeepColumns): KeepOrder {
  switch (name) {
    case 'largest':
    case 'all':
      return () => 0;
    case 'sharpest':
      return (a, b) => columns.sharpness[b]! - columns.sharpness[a]!;
    case 'oldest': {
      const added = addedTimes(columns);
      return (a, b) => added(a) - added(b);
    }
    case 'folder': {
      const ranks = columns.folderNames.map((folder) => folderRank(folder, folders));
      return (a, b) => ranks[columns.folder[a]!]! - ranks[columns.folder[b]!]!;
    }
  }
}

const addedTimes =
  ({ batch, batchTimes }: KeepColumns) =>
  (row: number): number =>
    batchTimes[batch[row]!]!;

/** The place of each name in their order. */
function namePlaces(names: readonly string[]): Int32Array {
  const places = new Int32Array(names.length);
  [...names.keys()]
    .sort((a, b) => (names[a]! < names[b]! ? -1 : 1))
    .forEach((at, place) => {
      places[at] = place;
    });
  return places;
}

/** The position of the first of the folders that contains `folder`; their number if none does. */
export function folderRank(folder: string, folders: readonly string[]): number {
  const place = folders.findIndex((each) => each === '' || folder === each || folder.startsWith(`${each}/`));
  return place < 0 ? folders.length : place;
}
