import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, Repository, type UpdateQueryBuilder } from 'typeorm';
import type { AppliedModels, DatasetPointer, VersionPlace } from '../domain/dataset';
import { GenerationEntity, pointerInto } from './generation.entity';

export interface NewGeneration {
  readonly id: string;
  readonly writerTaskId: string;
  readonly ownerDatasetId: string;
  readonly clusteringId: string;
  readonly objectClusteringId: string | null;
  readonly modelId: string;
  readonly textModelId: string;
  readonly ladder: readonly number[];
  readonly nearDuplicates: number;
  readonly enrichments: AppliedModels;
}

@Injectable()
export class GenerationRepository {
  constructor(@InjectRepository(GenerationEntity) private readonly generations: Repository<GenerationEntity>) {}

  /** Call it before the table is written, so that every table directory is known here. */
  async insert(generation: NewGeneration): Promise<void> {
    await this.generations.insert({
      ...generation,
      ladder: [...generation.ladder],
      tableRows: 0,
      tableBytes: '0',
      createdAt: new Date(),
      orphanedAt: null,
    });
  }

  /** Marks generations that no dataset, snapshot, running export or running evaluation points to and no task in `running` writes as orphaned, and unmarks those in use again. */
  async markOrphans(running: readonly string[], now: Date): Promise<void> {
    const used = `(
      EXISTS (SELECT 1 FROM dataset WHERE dataset.generation_id = generation.id)
      OR EXISTS (SELECT 1 FROM snapshot WHERE snapshot.generation_id = generation.id)
      OR EXISTS (SELECT 1 FROM export_task WHERE export_task.generation_id = generation.id)
      OR EXISTS (SELECT 1 FROM evaluation WHERE evaluation.generation_id = generation.id)
      OR coalesce(writer_task_id = ANY(:running), false)
    )`;
    const update = (): UpdateQueryBuilder<GenerationEntity> => this.generations.createQueryBuilder().update();
    await update().set({ orphanedAt: now }).where(`orphaned_at IS NULL AND NOT ${used}`, { running }).execute();
    await update().set({ orphanedAt: null }).where(`orphaned_at IS NOT NULL AND ${used}`, { running }).execute();
  }

  /** All table versions that anything points to. */
  async published(): Promise<{ generation: string; version: number }[]> {
    return this.generations.query<{ generation: string; version: number }[]>(`
      SELECT generation_id AS generation, table_version AS version FROM dataset WHERE generation_id IS NOT NULL
      UNION
      SELECT generation_id, table_version FROM snapshot WHERE generation_id IS NOT NULL
      UNION
      SELECT generation_id, table_version FROM export_task WHERE generation_id IS NOT NULL
      UNION
      SELECT generation_id, table_version FROM evaluation WHERE generation_id IS NOT NULL`);
  }

  /** Datasets that point to a version of a table, directly or by a snapshot, an export or an evaluation. */
  async datasetsAt({
    generation,
    version,
  }: {
    generation: string;
    version: number;
  }): Promise<{ id: string; name: string }[]> {
    return this.generations.query<{ id: string; name: string }[]>(
      `SELECT id, display_name AS name FROM dataset WHERE id IN (
         SELECT id FROM dataset WHERE generation_id = $1 AND table_version = $2
         UNION SELECT dataset_id FROM snapshot WHERE generation_id = $1 AND table_version = $2
         UNION SELECT dataset_id FROM export_task WHERE generation_id = $1 AND table_version = $2
         UNION SELECT dataset_id FROM evaluation WHERE generation_id = $1 AND table_version = $2)`,
      [generation, version],
    );
  }

  /** The pointers of those versions, in order. */
  async pointersInto(places: readonly VersionPlace[]): Promise<DatasetPointer[]> {
    const rows = await this.generations.findBy({ id: In(places.map(({ generation }) => generation)) });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return places.map(({ generation, version, ...files }) => pointerInto(byId.get(generation)!, version, files));
  }

  async ownerOf(id: string): Promise<string | undefined> {
    const row = await this.generations.findOneBy({ id });
    return row?.ownerDatasetId;
  }

  /** Totals of all published tables. */
  async totals(): Promise<{ rows: number; bytes: number }> {
    const totals = await this.generations
      .createQueryBuilder('generation')
      .select('coalesce(sum(generation.tableRows), 0)', 'rows')
      .addSelect('coalesce(sum(generation.tableBytes), 0)', 'bytes')
      .getRawOne<{ rows: string; bytes: string }>();
    return { rows: Number(totals!.rows), bytes: Number(totals!.bytes) };
  }

  async knownAmong(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.generations.query<{ id: string }[]>(
      'SELECT id FROM generation WHERE id = ANY($1::uuid[])',
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async listOrphans(orphanedBefore: Date): Promise<string[]> {
    const rows = await this.generations.find({ select: { id: true }, where: { orphanedAt: LessThan(orphanedBefore) } });
    return rows.map(({ id }) => id);
  }

  async delete(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.generations.delete({ id: In([...ids]) });
  }
}
