/** The synsets of a stand-in for WordNet: names, what they are a kind of, and a gloss. */
export interface TinySynset {
  readonly names: readonly string[];
  readonly broader?: readonly number[];
  readonly gloss?: string;
}

interface TinyNouns {
  readonly synsets: Readonly<Record<number, TinySynset>>;
  /** The senses of nouns that have several, the most frequent first, or that are rare; others have one, which is frequent. */
  readonly senses?: Readonly<Record<string, readonly number[]>>;
  readonly rare?: readonly string[];
}

const LICENCE = '  1 This is the licence.  \n';
const eight = (offset: number): string => String(offset).padStart(8, '0');
const lemmaOf = (name: string): string => name.replaceAll(' ', '_');

/** Files in the format of WordNet's database. */
export function tinyWordNet({ synsets, senses = {}, rare = [] }: TinyNouns): { index: Buffer; data: Buffer } {
  const nouns = new Map<string, readonly number[]>();
  const lines: string[] = [];
  for (const [key, { names, broader = [], gloss = 'a thing' }] of Object.entries(synsets)) {
    const offset = Number(key);
    for (const name of names) nouns.set(name.toLowerCase(), senses[name.toLowerCase()] ?? [offset]);
    const words = names.map((name) => `${lemmaOf(name)} 0`).join(' ');
    const pointers = broader.map((each) => `@ ${eight(each)} n 0000 `).join('');
    const count = String(broader.length + 1).padStart(3, '0');
    lines.push(
      `${eight(offset)} 06 n ${names.length.toString(16).padStart(2, '0')} ${words} ${count} ${pointers}~ 99999999 n 0000 | ${gloss}  `,
    );
  }
  const index = Array.from(nouns, ([noun, offsets]) => {
    const counted = rare.includes(noun) ? 0 : offsets.length;
    return `${lemmaOf(noun)} n ${offsets.length} 2 @ ~ ${offsets.length} ${counted} ${offsets.map(eight).join(' ')}  `;
  });
  const file = (content: readonly string[]): Buffer => Buffer.from(`${LICENCE}${content.join('\n')}\n`);
  return { index: file(index), data: file(lines) };
}

/** The members of packages with a few classes of clothes, animals and vehicles. */
export function tinyImageNet(): Map<string, Buffer> {
  const { index, data } = tinyWordNet({
    synsets: {
      1: { names: ['entity'] },
      2: { names: ['animal'], broader: [1] },
      3: { names: ['dog'], broader: [2] },
      4: { names: ['beagle'], broader: [3] },
      5: { names: ['pug', 'pug-dog'], broader: [3] },
      6: { names: ['mouse'], broader: [2] },
      10: { names: ['clothing'], broader: [1] },
      11: { names: ['hat'], broader: [10] },
      12: { names: ['cowboy hat'], broader: [11] },
      13: { names: ['bonnet'], broader: [11] },
      14: { names: ['shirt'], broader: [10] },
      15: { names: ['jersey', 'T-shirt', 'tee shirt'], broader: [14], gloss: 'a close-fitting pullover shirt' },
      16: { names: ['beret'], broader: [11] },
      17: {
        names: ['jeans', 'blue jeans'],
        broader: [10],
        gloss: '(used in the plural) close-fitting trousers of denim',
      },
      18: { names: ['jean'], broader: [1], gloss: 'a coarse cotton fabric' },
      19: { names: ['computer mouse', 'mouse'], broader: [1] },
      20: { names: ['cloth covering'], broader: [1] },
      21: { names: ['bandage'], broader: [20] },
      22: { names: ['sleeve'], broader: [20] },
      23: { names: ['astronaut'], broader: [1] },
    },
    senses: { mouse: [6, 19] },
    rare: ['cloth covering'],
  });
  const classes: readonly (readonly [id: string, names: string, definition: string])[] = [
    ['n00000004', 'beagle', 'a thing'],
    ['n00000005', 'pug, pug-dog', 'a thing'],
    ['n00000012', 'cowboy hat', 'a thing'],
    ['n00000013', 'bonnet', 'a thing'],
    ['n03595614', 'jersey, T-shirt, tee shirt', 'a close-fitting pullover shirt'],
    ['n03594734', 'jean, blue jean', '(usually plural) close-fitting trousers of denim'],
    ['n03793489', 'computer mouse, mouse', 'a thing'],
    ['n00000021', 'bandage', 'a thing'],
  ];
  const lines = (of: (row: (typeof classes)[number]) => string): Buffer =>
    Buffer.from(`${classes.map(of).join('\n')}\n`);
  return new Map([
    ['index.noun', index],
    ['data.noun', data],
    ['imagenet_synsets.txt', lines(([id]) => id)],
    ['imagenet_synset_to_lemma.txt', lines(([id, names]) => `${id}\t${names}`)],
    ['imagenet_synset_to_definition.txt', lines(([id, , definition]) => `${id}\t${definition}`)],
  ]);
}
