export const KEEP_RULES = ['largest', 'oldest', 'sharpest', 'folder', 'all'] as const;
export type KeepRuleName = (typeof KEEP_RULES)[number];

/** Which members of a group stay. */
export interface KeepRule {
  /** `all` calls the members different. */
  readonly name: KeepRuleName;
  /** For `folder`, the preferred ones first. A folder includes those below it. */
  readonly folders: readonly string[];
}

/** The position of the first of the folders that contains `folder`; their number if none does. */
export function folderRank(folder: string, folders: readonly string[]): number {
  const place = folders.findIndex((each) => each === '' || folder === each || folder.startsWith(`${each}/`));
  return place < 0 ? folders.length : place;
}
