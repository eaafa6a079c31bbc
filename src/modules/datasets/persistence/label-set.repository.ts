import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Column, Entity, PrimaryColumn, Repository } from 'typeorm';
import { NO_LABEL_SET, type LabelSet, type SetLabel } from '../domain/label-set';

@Entity('label_set')
export class LabelSetEntity {
  @PrimaryColumn('uuid')
  datasetId!: string;

  @Column('jsonb')
  labels!: SetLabel[];

  @Column('boolean')
  closed!: boolean;
}

@Injectable()
export class LabelSetRepository {
  constructor(@InjectRepository(LabelSetEntity) private readonly sets: Repository<LabelSetEntity>) {}

  async find(datasetId: string): Promise<LabelSet> {
    const found = await this.sets.findOneBy({ datasetId });
    return found === null ? NO_LABEL_SET : { labels: found.labels, closed: found.closed };
  }

  /** Undefined if other labels may be given. */
  async findClosed(datasetId: string): Promise<LabelSet | undefined> {
    const set = await this.find(datasetId);
    return set.closed ? set : undefined;
  }

  async save(datasetId: string, { labels, closed }: LabelSet): Promise<void> {
    await this.sets.upsert({ datasetId, labels: [...labels], closed }, ['datasetId']);
  }

  /** To a new dataset with the media of another. */
  async copy(fromId: string, toId: string): Promise<void> {
    await this.sets.query(
      'INSERT INTO label_set (dataset_id, labels, closed) SELECT $2, labels, closed FROM label_set WHERE dataset_id = $1',
      [fromId, toId],
    );
  }
}
