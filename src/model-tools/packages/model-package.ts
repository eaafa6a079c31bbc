import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { BUILT_IN_MODELS } from '../../common/engine/models/built-in-models';
import { ENRICHMENT_TYPES, MODEL_ID, MODEL_TYPES } from '../../common/engine/models/model-manifest';
import { StartError } from '../../common/platform/config/configuration-error';

export const CATALOGUE = join(BUILT_IN_MODELS, 'catalogue');

/** Members are read into memory. */
const MAX_MEMBER_BYTES = 1024 * 1024 * 1024;

const modelPackage = z.strictObject({
  registry: z.enum(['npm', 'pypi', 'maven']),
  /** With `maven`: group:artifact. Never an option of the client. */
  name: z.string().regex(/^(?!-)[@\w./:-]{1,200}$/),
  version: z.string().regex(/^\w[\w.+-]{0,99}$/),
  bytes: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The name of a text in the folder `licences`, or several joined by ` AND `. */
  licence: z.string().min(1).max(200),
  /** The authors, and the origin of the package. */
  notice: z.string().min(1).max(2_000),
  /** By the name under which the converter gets the member. `bytes` is the most that it may have. */
  members: z.record(
    z.string(),
    z.strictObject({ path: z.string().min(1), bytes: z.int().positive().max(MAX_MEMBER_BYTES) }),
  ),
});

const modelEntry = z
  .strictObject({
    purpose: z.string().min(1).max(200),
    /** Entries with the same set are installed together by its name. */
    set: z.string().regex(MODEL_ID).optional(),
    packages: z.array(modelPackage).min(1),
    /** A name in CONVERTERS. */
    converter: z.string(),
    manifest: z.looseObject({
      id: z.string().regex(MODEL_ID),
      name: z.string(),
      type: z.enum(MODEL_TYPES),
      vendor: z.string().optional(),
      description: z.string(),
      licence: z.string(),
      dependencies: z.array(z.enum(ENRICHMENT_TYPES)).nullable().optional(),
      provenance: z.string().optional(),
    }),
  })
  .refine(
    ({ packages }) => {
      const names = packages.flatMap(({ members }) => Object.keys(members));
      return new Set(names).size === names.length;
    },
    { message: 'two packages have a member of the same name' },
  );

export type ModelPackage = z.infer<typeof modelPackage>;

/** How a model is made from packages of public registries. */
export type ModelEntry = z.infer<typeof modelEntry>;

export const packageLabel = ({ registry, name, version }: ModelPackage): string => `${name} ${version} (${registry})`;

/** All entries, ordered by id. */
export const readEntries = (folder = CATALOGUE): ModelEntry[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readEntry(join(folder, name)));

function readEntry(path: string): ModelEntry {
  const text = readFileSync(path, 'utf8');
  try {
    const entry = modelEntry.parse(JSON.parse(text));
    if (entry.manifest.id !== basename(path, '.json'))
      throw new StartError(`${path} describes the model ${entry.manifest.id}: give the file the name of the model.`);
    return entry;
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new StartError(`${path} is not a valid entry of the catalogue: ${reason}`, { cause: error });
  }
}

/** The entries of models and sets, each once. Throws StartError for a name that is neither. */
export function entriesNamed(entries: readonly ModelEntry[], names: readonly string[]): ModelEntry[] {
  const chosen = new Set<ModelEntry>();
  for (const name of names) {
    const found = entries.filter(({ set, manifest }) => manifest.id === name || set === name);
    if (found.length === 0) throw new StartError(unknownName(name, entries));
    for (const entry of found) chosen.add(entry);
  }
  return [...chosen];
}

function unknownName(name: string, entries: readonly ModelEntry[]): string {
  const sets = entries.flatMap(({ set }) => (set === undefined ? [] : [set]));
  const known = [...new Set([...sets, ...entries.map(({ manifest }) => manifest.id)])];
  return `There is no model and no set ${name} to install: there ${known.length === 0 ? 'are none' : `is ${known.join(', ')}`}.`;
}
