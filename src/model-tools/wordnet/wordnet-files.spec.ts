import { tinyImageNet, tinyWordNet } from '../../../test/support/tiny-wordnet';
import { WeightsRefusedError } from '../packages/converter';
import type { ClassWords } from './class-words';
import { Nouns, withBroader } from './nouns';
import { labelsFile, wordsConverter } from './wordnet-files';

const parsed = (file: Uint8Array): unknown => JSON.parse(Buffer.from(file).toString());

const wordsOf = async (members: Map<string, Buffer>): Promise<ClassWords> =>
  parsed((await wordsConverter(members)).get('words.json')!) as ClassWords;

describe('words', () => {
  let content: ClassWords;
  beforeAll(async () => {
    content = await wordsOf(tinyImageNet());
  });
  const meaning = (noun: string): string[] | undefined => content.words[noun]?.map((index) => content.classes[index]!);

  it('have the classes below the nouns', () => {
    expect(meaning('dog')).toEqual(['beagle', 'pug']);
    expect(meaning('hat')).toEqual(['cowboy hat', 'bonnet']);
    expect(meaning('tee shirt')).toEqual(['T-shirt']);
    expect(meaning('clothing')).toEqual(['cowboy hat', 'bonnet', 'T-shirt', 'jeans']);
  });

  it('prefer a class to an earlier sense without one', () => expect(meaning('mouse')).toEqual(['computer mouse']));

  it('tell classes with the same names by their definitions', () => {
    expect(meaning('blue jeans')).toEqual(['jeans']);
    expect(meaning('jean')).toBeUndefined();
  });

  it('count what an everyday noun includes, where the noun has no class below it', () => {
    expect(meaning('beret')).toEqual(['cowboy hat', 'bonnet']);
    expect(meaning('sleeve')).toBeUndefined();
  });

  it('leave out nouns that are near no class, and those for most classes', () => {
    expect(meaning('astronaut')).toBeUndefined();
    expect(meaning('entity')).toBeUndefined();
  });
});

it('gives classes the labels that people use, and the groups above them', () => {
  expect(parsed(labelsFile(tinyImageNet()))).toEqual([
    { label: 'beagle', parents: ['dog', 'animal'] },
    { label: 'pug', parents: ['dog', 'animal'] },
    { label: 'cowboy hat', parents: ['hat', 'clothing'] },
    { label: 'bonnet', parents: ['hat', 'clothing'] },
    { label: 'T-shirt', parents: ['clothing'] },
    { label: 'jeans', parents: ['clothing'] },
    { label: 'computer mouse', parents: [] },
    { label: 'bandage', parents: [] },
  ]);
});

describe('files that are not those of WordNet', () => {
  const damaged = (member: string, change: (text: string) => string): Map<string, Buffer> => {
    const members = tinyImageNet();
    return members.set(member, Buffer.from(change(members.get(member)!.toString())));
  };

  it.each([
    ['data.noun', (text: string) => text.slice(0, 300)],
    ['data.noun', (text: string) => text.replace('n 01', 'n ffff')],
    ['data.noun', (text: string) => text.replace('@ 00000003', '@ 00000077')],
    ['data.noun', (text: string) => text.replace('00000004 06', `00000004 ${'6'.repeat(70_000)}`)],
    ['index.noun', (text: string) => text.replace('n 1 2', 'n 999999999 2')],
    ['index.noun', (text: string) => text.replace('00000011', '00000077')],
    ['imagenet_synsets.txt', (text: string) => `${text}n09999999\n`],
    ['imagenet_synset_to_lemma.txt', (text: string) => text.replace('beagle', 'zebra')],
  ])('are refused: %s, case %#', (member, change) =>
    expect(() => wordsConverter(damaged(member, change))).toThrow(WeightsRefusedError),
  );

  it('are refused where one is missing, or too large', () => {
    const members = tinyImageNet();
    expect(() => wordsConverter(new Map([...members].slice(1)))).toThrow('The packages have no member index.noun.');
    members.set('index.noun', Buffer.alloc(17 * 1024 * 1024));
    expect(() => wordsConverter(members)).toThrow(
      'index.noun has 17825792 bytes, more than the 16777216 of the limit.',
    );
  });
});

it('ends for synsets that are kinds of each other', () => {
  const { index, data } = tinyWordNet({
    synsets: { 1: { names: ['dog'], broader: [2] }, 2: { names: ['animal'], broader: [1] } },
  });
  expect(withBroader(Nouns.read(index, data).sensesOf('dog')[0]!).size).toBe(2);
});
