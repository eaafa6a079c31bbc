import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ComparedVectors } from '../../../common/engine/similarity/similarity-structure';
import { ContentNumbers } from './content-numbers';
import { groupOf, type ComparedGroup } from './domain/final-order';
import { RowFacts, SharedVectors } from './embedding-groups';
import type { ComparedRow, RowSource } from '../rows/row-source';
import { VectorFileWriter } from './vector-file-writer';

type Parameters = Pick<ComparedVectors, 'ladder' | 'threads'> & {
  /** The limit of memory if the vectors are in a file. */
  readonly bytes: number;
  readonly elsewhereFrom?: number | undefined;
};

interface Scratch {
  readonly folder: string;
  readonly writer: VectorFileWriter;
}

/** The rows of one group that are compared with each other, with their vectors in memory or in a file. */
export class CollectedGroup {
  readonly facts: RowFacts;
  private readonly shared: SharedVectors | undefined;

  private constructor(
    readonly count: number,
    private readonly dimension: number,
    private readonly scratch: Scratch | undefined,
  ) {
    const contents = new ContentNumbers(count);
    this.facts = new RowFacts(count, (sha256) => contents.numberOf(sha256));
    this.shared = scratch === undefined ? new SharedVectors(count, dimension) : undefined;
  }

  /** With the vectors in a file of `folder`, if one is given. */
  static async create(count: number, dimension: number, folder: string | undefined): Promise<CollectedGroup> {
    if (folder === undefined) return new CollectedGroup(count, dimension, undefined);
    await mkdir(folder, { recursive: true });
    const writer = await VectorFileWriter.create(join(folder, 'vectors'), dimension);
    return new CollectedGroup(count, dimension, { folder, writer });
  }

  async add(row: ComparedRow): Promise<void> {
    this.facts.add(row);
    this.shared?.add(row.embedding);
    await this.scratch?.writer.add(row.embedding);
  }

  async finish(): Promise<void> {
    await this.scratch?.writer.finish();
  }

  async close(): Promise<void> {
    await this.scratch?.writer.close();
  }

  input({ bytes, elsewhereFrom, ...parameters }: Parameters): ComparedVectors {
    const { count, dimension, scratch, shared } = this;
    const compared = { count, dimension, contentGroup: this.facts.contentGroup, ...parameters };
    if (shared !== undefined) return { ...compared, vectors: shared.vectors };
    const { folder, writer } = scratch!;
    return { ...compared, vectorFile: writer.path, memory: { bytes, folder }, elsewhereFrom };
  }
}

/** Reads the rows of all groups at once, with their vectors in files below `folder`, if one is given. */
export async function collectGroups(
  source: RowSource,
  counts: Partial<Record<ComparedGroup, number>>,
  dimension: number,
  folder: string | undefined,
): Promise<Map<ComparedGroup, CollectedGroup>> {
  const groups = new Map<ComparedGroup, CollectedGroup>();
  try {
    for (const [name, count] of Object.entries(counts) as [ComparedGroup, number][])
      groups.set(name, await CollectedGroup.create(count, dimension, folder && join(folder, name)));
    for await (const row of source.comparedRows()) await groups.get(groupOf(row.kind) as ComparedGroup)?.add(row);
    for (const group of groups.values()) await group.finish();
  } catch (error) {
    for (const group of groups.values()) await group.close();
    throw error;
  }
  return groups;
}
