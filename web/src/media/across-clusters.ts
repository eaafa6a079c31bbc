/** Previews of different clusters first, then more of the same. */
export function acrossClusters<Preview>(
  clusters: readonly { readonly previews: readonly Preview[] }[],
  count: number,
): readonly Preview[] {
  const firsts = clusters.flatMap(({ previews }) => previews.slice(0, 1));
  const others = clusters.flatMap(({ previews }) => previews.slice(1));
  return [...firsts, ...others].slice(0, count);
}
