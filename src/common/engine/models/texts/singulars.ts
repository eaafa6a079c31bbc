const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    people: 'person',
    feet: 'foot',
    geese: 'goose',
    mice: 'mouse',
    oxen: 'ox',
    teeth: 'tooth',
    children: 'child',
    dice: 'die',
  }),
);

/** Endings of plurals, with those of singulars. */
const ENDINGS: readonly (readonly [plural: RegExp, ...singular: string[]])[] = [
  [/men$/, 'man'],
  [/ies$/, 'y', 'ie'],
  [/ves$/, 'f', 'fe', 've'],
  [/(?<=s|x|z|ch|sh|o)es$/, 'e', ''],
  [/(?<!s)s$/, ''],
];

/** What an English noun may be the plural of, after the word itself. */
export function singularsOf(word: string): readonly string[] {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return [word, irregular];
  const [ending, ...singular] = ENDINGS.find(([plural]) => plural.test(word)) ?? [];
  return ending === undefined ? [word] : [word, ...singular.map((each) => word.replace(ending, each))];
}
