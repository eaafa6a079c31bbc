import { EXPECTED_PARENTS } from './expected-parents';
import { classesBelow, type ImageNetClass } from './image-net-classes';
import { withBroader, type Nouns, type Synset } from './nouns';

/** The groups of classes that people look for. WordNet has thousands, such as "placental" and "instrumentality". */
const GROUPS = `
  animal, mammal, carnivore, dog, hunting dog, hound, terrier, sporting dog, spaniel, retriever, setter, working dog, shepherd dog, toy dog,
  poodle, schnauzer, wild dog, wolf, fox, feline, cat, big cat, bear, primate, monkey, ape, ungulate, antelope, rodent, rabbit, marsupial, aquatic mammal,
  bird, bird of prey, aquatic bird, wading bird, seabird, game bird, finch, parrot, heron, reptile, snake, lizard, turtle, amphibian, frog, salamander,
  fish, shark, insect, beetle, butterfly, arachnid, spider, crustacean, crab, mollusk,
  vehicle, motor vehicle, car, truck, bus, van, bicycle, cart, military vehicle, aircraft, boat, ship,
  clothing, garment, footwear, shoe, headdress, hat, cap, coat, skirt, sweater, swimsuit, necktie, hosiery, armor,
  furniture, seat, chair, table, lamp, bed, cabinet, container, bottle, bag, box, basket, pot, jug,
  building, dwelling, house, shop, place of worship, bridge, fence, roof, monument,
  musical instrument, wind instrument, stringed instrument, keyboard instrument, percussion instrument,
  electronic equipment, computer, telephone, timepiece, clock, measuring instrument, optical instrument, camera,
  home appliance, kitchen appliance, kitchen utensil, tableware, tool, hand tool, weapon, gun, sports equipment, ball, game equipment,
  pen, fastener, wheel, toiletry, fabric, machine,
  food, edible fruit, vegetable, squash, bread, dessert, beverage, dish, flower, fungus, person, geological formation, mountain
`;

interface ClassLabel {
  readonly label: string;
  /** The groups that the class belongs to, from the nearest to the widest. */
  readonly parents: readonly string[];
}

/** For each class, in order. A group has the same groups above it everywhere. */
export function labelHierarchy(nouns: Nouns, classes: readonly ImageNetClass[]): ClassLabel[] {
  const groups = groupsOf(nouns, classesBelow(classes));
  return classes.map(({ label, synset }) => {
    const parents = new Set<string>();
    let group = groupAbove({ name: label, synset }, groups);
    // A damaged file may have circles.
    while (group !== undefined && !parents.has(group.name)) {
      parents.add(group.name);
      group = groupAbove(group, groups);
    }
    return { label, parents: [...parents].filter((name) => name !== label) };
  });
}

interface Named {
  readonly name: string;
  readonly synset: Synset;
}

interface Group extends Named {
  readonly size: number;
}

/** Of the senses of a name, the one with the most classes. */
function groupsOf(nouns: Nouns, below: ReadonlyMap<Synset, readonly number[]>): ReadonlyMap<Synset, Group> {
  const groups = new Map<Synset, Group>();
  for (const name of GROUPS.split(',').map((each) => each.trim())) {
    const [largest] = nouns
      .sensesOf(name)
      .map((synset) => ({ name, synset, size: below.get(synset)?.length ?? 0 }))
      .sort((a, b) => b.size - a.size);
    if (largest !== undefined && largest.size > 1) groups.set(largest.synset, largest);
  }
  return groups;
}

/** The group in which people expect it, or else the smallest one that the synset belongs to. */
function groupAbove({ name, synset }: Named, groups: ReadonlyMap<Synset, Group>): Group | undefined {
  const expected = EXPECTED_PARENTS.get(name);
  if (expected !== undefined) return [...groups.values()].find((group) => group.name === expected);
  const [, ...broader] = withBroader(synset);
  const above = broader.flatMap((each) => groups.get(each) ?? []);
  return above.sort((a, b) => a.size - b.size)[0];
}
