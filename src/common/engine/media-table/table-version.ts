/** The exact state of a dataset's media table. */
export interface TableVersion {
  readonly generation: string;
  readonly version: number;
}

/** Equal for equal versions, for maps and caches. */
export const versionName = ({ generation, version }: TableVersion): string => `${generation}@${version}`;

export const isSameVersion = (a: TableVersion, b: TableVersion): boolean =>
  a.generation === b.generation && a.version === b.version;
