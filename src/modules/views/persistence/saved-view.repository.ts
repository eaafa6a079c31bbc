import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SavedView } from '../domain/saved-view';
import type { SavedSearch } from '../../search';

@Entity('saved_view')
@Index(['datasetId', 'name'], { unique: true })
@Index(['datasetId', 'createdById'])
export class SavedViewEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  datasetId!: string;

  @Column('text')
  name!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('uuid')
  createdById!: string;

  @Column('text')
  createdByEmail!: string;

  @Column('text')
  createdByName!: string;

  @Column('jsonb')
  search!: SavedSearch;

  @Column('integer')
  nImages!: number;

  @Column('integer')
  nObjects!: number;

  @Column('integer')
  nVideoFrames!: number;

  @Column('boolean')
  monitoringEnabled!: boolean;

  @Column('boolean')
  alertingEnabled!: boolean;

  @Column('integer')
  totalResults!: number;

  @Column('timestamptz', { nullable: true })
  lastResults!: Date | null;

  @Column('text', { nullable: true })
  evaluationError!: string | null;
}

const toView = (row: SavedViewEntity): SavedView => ({
  id: row.id,
  datasetId: row.datasetId,
  name: row.name,
  createdAt: row.createdAt,
  createdBy: { userId: row.createdById, email: row.createdByEmail, name: row.createdByName },
  search: row.search,
  stats: { images: row.nImages, objects: row.nObjects, frames: row.nVideoFrames },
  monitoringEnabled: row.monitoringEnabled,
  alertingEnabled: row.alertingEnabled,
  totalResults: row.totalResults,
  lastResults: row.lastResults,
  evaluationError: row.evaluationError,
});

const results = ({ stats, totalResults, lastResults, evaluationError }: SavedView) => ({
  nImages: stats.images,
  nObjects: stats.objects,
  nVideoFrames: stats.frames,
  totalResults,
  lastResults,
  evaluationError,
});

@Injectable()
export class SavedViewRepository {
  constructor(@InjectRepository(SavedViewEntity) private readonly views: Repository<SavedViewEntity>) {}

  async insert(view: SavedView): Promise<void> {
    const { userId, email, name } = view.createdBy;
    await this.views
      .createQueryBuilder()
      .insert()
      .values({
        id: view.id,
        datasetId: view.datasetId,
        name: view.name,
        createdAt: view.createdAt,
        createdById: userId,
        createdByEmail: email,
        createdByName: name,
        search: () => ':search',
        monitoringEnabled: view.monitoringEnabled,
        alertingEnabled: view.alertingEnabled,
        ...results(view),
      })
      .setParameter('search', JSON.stringify(view.search))
      .execute();
  }

  async find(datasetId: string, id: string): Promise<SavedView | undefined> {
    const row = await this.views.findOneBy({ id, datasetId });
    return row === null ? undefined : toView(row);
  }

  existsNamed(datasetId: string, name: string): Promise<boolean> {
    return this.views.existsBy({ datasetId, name });
  }

  async count(datasetId: string, userId: string): Promise<{ readonly own: number; readonly all: number }> {
    const own = await this.views.countBy({ datasetId, createdById: userId });
    return { own, all: await this.views.countBy({ datasetId }) };
  }

  /** Newest first. */
  async list(datasetId: string): Promise<SavedView[]> {
    const rows = await this.views.find({ where: { datasetId }, order: { createdAt: 'DESC', id: 'ASC' } });
    return rows.map(toView);
  }

  /** Locks the view until the transaction ends; undefined if it was deleted. */
  async lock(id: string): Promise<SavedView | undefined> {
    const row = await this.views.createQueryBuilder('view').where({ id }).setLock('pessimistic_write').getOne();
    return row === null ? undefined : toView(row);
  }

  /** The view must be locked. */
  async saveResults(view: SavedView): Promise<void> {
    await this.views.update({ id: view.id }, results(view));
  }

  async setAlerting(id: string, enabled: boolean): Promise<void> {
    await this.views.update({ id }, { alertingEnabled: enabled });
  }

  /** Returns whether it existed. */
  async delete(id: string): Promise<boolean> {
    const { affected } = await this.views.delete({ id });
    return affected === 1;
  }
}
