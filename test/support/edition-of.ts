/** 1 for an annotation as it was added, 2 for one that was changed since. */
export const editionOf = (annotation: { readonly version: number; readonly created_at: string }): number =>
  annotation.version === Date.parse(`${annotation.created_at}Z`) ? 1 : 2;
