import { SceneFamily } from './drawing';
import { CLOSE_UP_FAMILIES } from './families/close-ups';
import { COUNTRY_FAMILIES } from './families/country';
import { ODDITY_COUNT } from './families/oddities';
import { SEA_AND_SKY_FAMILIES } from './families/sea-and-sky';
import { GRADIENT_FAMILIES, TEXTURE_FAMILIES } from './families/textures';
import { TOWN_FAMILIES } from './families/town';
import { WOODS_FAMILIES } from './families/woods';
import { SeededRandom } from './seeded-random';

export const SAMPLE_FAMILIES: readonly SceneFamily[] = [
  ...COUNTRY_FAMILIES,
  ...WOODS_FAMILIES,
  ...SEA_AND_SKY_FAMILIES,
  ...TOWN_FAMILIES,
  ...CLOSE_UP_FAMILIES,
  ...TEXTURE_FAMILIES,
  ...GRADIENT_FAMILIES,
];

const PER_FAMILY = 25;
const COUNTS = { duplicates: 30, nearDuplicates: 40, blurred: 20, dark: 12, bright: 12 } as const;

export type Treatment = 'none' | 'blurred' | 'dark' | 'bright';
export const EDITS = ['resized', 'recompressed', 'brightened', 'darkened', 'cropped'] as const;
export type Edit = (typeof EDITS)[number];
export const FAULTS = ['truncated.jpg', 'cut short.png', 'empty.jpg', 'notes.jpg', 'random bytes.webp'] as const;
export type Fault = (typeof FAULTS)[number];

interface Planned {
  /** Relative to the sample's folder. */
  readonly path: string;
}
export interface DrawnPlan extends Planned {
  readonly family: SceneFamily;
  readonly treatment: Treatment;
  readonly seed: string;
}
export interface OddityPlan extends Planned {
  readonly index: number;
  readonly seed: string;
}
export interface CopyPlan extends Planned {
  readonly original: DrawnPlan;
}
export interface EditPlan extends CopyPlan {
  readonly edit: Edit;
}
export interface FaultPlan extends Planned {
  readonly fault: Fault;
}

export interface SamplePlan {
  readonly drawn: readonly DrawnPlan[];
  readonly oddities: readonly OddityPlan[];
  readonly copies: readonly CopyPlan[];
  readonly edits: readonly EditPlan[];
  readonly faults: readonly FaultPlan[];
}

export function planSample(seed: number): SamplePlan {
  const random = new SeededRandom(`plan ${seed}`);
  const ordinary = SAMPLE_FAMILIES.flatMap((family) =>
    Array.from({ length: PER_FAMILY }, (_, i): DrawnPlan => {
      const path = `${family.folder}/${fileName(random, family.name, i + 1)}`;
      return { path, family, treatment: 'none', seed: `${seed} ${family.name} ${i}` };
    }),
  );
  const originals = random.shuffled(ordinary);
  const copied = originals.slice(0, COUNTS.duplicates - 3);
  const copies = [...copied, ...copied.slice(0, 3)].map((original, i): CopyPlan => {
    return { original, path: `backup 2025/IMG_${numbered(i + 1, 4)}${extensionOf(original.path)}` };
  });
  const edits = originals.slice(copied.length, copied.length + COUNTS.nearDuplicates).map((original, i): EditPlan => {
    const edit = EDITS[i % EDITS.length] ?? 'resized';
    return { original, edit, path: `edited/photo ${numbered(i + 1)} (${edit}).jpg` };
  });
  return {
    drawn: [...ordinary, ...badShots(random, seed)],
    oddities: Array.from({ length: ODDITY_COUNT }, (_, index) => ({
      path: `misc/oddity ${numbered(index + 1)}.jpg`,
      index,
      seed: `${seed} odd ${index}`,
    })),
    copies,
    edits,
    faults: FAULTS.map((fault) => ({ path: `misc/${fault}`, fault })),
  };
}

function badShots(random: SeededRandom, seed: number): DrawnPlan[] {
  const treatments: readonly Treatment[] = random.shuffled([
    ...Array.from({ length: COUNTS.blurred }, () => 'blurred' as const),
    ...Array.from({ length: COUNTS.dark }, () => 'dark' as const),
    ...Array.from({ length: COUNTS.bright }, () => 'bright' as const),
  ]);
  return treatments.map((treatment, i) => ({
    path: `camera roll/DSC_${numbered(i + 1, 5)}.JPG`,
    family: SAMPLE_FAMILIES[i % SAMPLE_FAMILIES.length] as SceneFamily,
    treatment,
    seed: `${seed} bad shot ${i}`,
  }));
}

function fileName(random: SeededRandom, family: string, number: number): string {
  const extension = random.pick(['.jpg', '.jpg', '.jpg', '.jpg', '.jpg', '.jpeg', '.JPG', '.png', '.webp']);
  if (number === 7) return `${family} nº 7 – l'été${extension}`;
  if (number === 12) return `${family}, take 12${extension}`;
  return `${family}_${numbered(number)}${extension}`;
}

function numbered(value: number, digits = 3): string {
  return String(value).padStart(digits, '0');
}

export function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf('.'));
}
