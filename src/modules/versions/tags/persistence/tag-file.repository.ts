import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  LessThan,
  Repository,
  type SelectQueryBuilder,
  type UpdateQueryBuilder,
  Column,
  Entity,
  PrimaryColumn,
} from 'typeorm';

/** A file of tag assignments. It is kept as long as any dataset, snapshot or export points to it. */
@Entity('tag_file')
export class TagFileEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('timestamptz')
  createdAt!: Date;

  /** Since when nothing points to it; deleted after a grace period for readers. */
  @Column('timestamptz', { nullable: true })
  orphanedAt!: Date | null;
}

const USED = `(
  EXISTS (SELECT 1 FROM dataset WHERE dataset.tags_file = tag_file.id)
  OR EXISTS (SELECT 1 FROM snapshot WHERE snapshot.tags_file = tag_file.id)
  OR EXISTS (SELECT 1 FROM export_task WHERE export_task.tags_file = tag_file.id)
  OR EXISTS (SELECT 1 FROM evaluation WHERE evaluation.tags_file = tag_file.id)
)`;

@Injectable()
export class TagFileRepository {
  constructor(@InjectRepository(TagFileEntity) private readonly tagFiles: Repository<TagFileEntity>) {}

  /** Call it before the file is written, so that every file is known here. */
  async insert(id: string): Promise<void> {
    await this.tagFiles.insert({ id, createdAt: new Date(), orphanedAt: null });
  }

  /** Marks files that no dataset, snapshot, running export or running evaluation points to as orphaned, and unmarks those in use again. */
  async markOrphans(now: Date): Promise<void> {
    const update = (): UpdateQueryBuilder<TagFileEntity> => this.tagFiles.createQueryBuilder().update();
    await update().set({ orphanedAt: now }).where(`orphaned_at IS NULL AND NOT ${USED}`).execute();
    await update().set({ orphanedAt: null }).where(`orphaned_at IS NOT NULL AND ${USED}`).execute();
  }

  async listOrphans(orphanedBefore: Date): Promise<string[]> {
    const rows = await this.tagFiles.find({ select: { id: true }, where: { orphanedAt: LessThan(orphanedBefore) } });
    return rows.map(({ id }) => id);
  }

  /** Locks the file, so that no dataset can start to use it until the transaction ends. False if a dataset uses it, or if it does not exist. */
  async lockUnused(id: string): Promise<boolean> {
    const files = (): SelectQueryBuilder<TagFileEntity> => this.tagFiles.createQueryBuilder('tag_file').where({ id });
    if ((await files().setLock('pessimistic_write').getOne()) === null) return false;
    // A new query after the lock is held: it sees a dataset that started to use the file while we waited.
    return !(await files().andWhere(USED).getExists());
  }

  async knownAmong(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.tagFiles.query<{ id: string }[]>('SELECT id FROM tag_file WHERE id = ANY($1::uuid[])', [
      ids,
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  async delete(id: string): Promise<void> {
    await this.tagFiles.delete({ id });
  }
}
