/** The exact state of a dataset's media table. */
export interface TableVersion {
  readonly generation: string;
  readonly version: number;
}

/** The same for the same version, for maps and caches. */
export const versionName = ({ generation, version }: TableVersion): string => `${generation}@${version}`;

export const isSameVersion = (a: TableVersion, b: TableVersion): boolean =>
  a.generation === b.generation && a.version === b.version;
