/** From 0 to 1, the same for the same seed and number: a random order is one by these keys. */
export function randomKey(seed: number, number: number): number {
  let bits = Math.imul(number ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 16), 0x27d4eb2f);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

/** The items in their order, with the others at random places among them. */
export function mixedIn<T>(items: readonly T[], others: readonly T[], seed: number): readonly T[] {
  if (others.length === 0) return items;
  const placed = others
    .map((other, at) => ({ other, place: Math.floor(randomKey(seed + 1, at) * (items.length + 1)) }))
    .sort((a, b) => a.place - b.place);
  const mixed: T[] = [];
  let next = 0;
  for (let at = 0; at <= items.length; at++) {
    while (next < placed.length && placed[next]!.place === at) mixed.push(placed[next++]!.other);
    if (at < items.length) mixed.push(items[at]!);
  }
  return mixed;
}
