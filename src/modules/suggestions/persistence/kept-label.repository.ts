import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Column, Entity, Index, PrimaryColumn, Repository } from 'typeorm';
import type { SeenSuggestion } from '../domain/label-suggestion';

/** A label that a person confirmed although similar media have another one. */
@Entity('kept_label')
@Index(['datasetId', 'decisionId'])
export class KeptLabelEntity {
  @PrimaryColumn('uuid')
  datasetId!: string;

  @PrimaryColumn('uuid')
  mediaId!: string;

  @Column('text')
  label!: string;

  @Column('text')
  suggested!: string;

  @Column('uuid')
  decisionId!: string;

  @Column('text')
  decidedBy!: string;

  @Column('timestamptz')
  decidedAt!: Date;
}

export interface Decision {
  readonly id: string;
  readonly datasetId: string;
  /** An e-mail address. */
  readonly by: string;
}

@Injectable()
export class KeptLabelRepository {
  constructor(@InjectRepository(KeptLabelEntity) private readonly kept: Repository<KeptLabelEntity>) {}

  /** Of these media, by id. */
  async of(datasetId: string, mediaIds: readonly string[]): Promise<ReadonlyMap<string, SeenSuggestion>> {
    if (mediaIds.length === 0) return new Map();
    const rows = await this.kept.query<SeenSuggestion[]>(
      `SELECT media_id AS "mediaId", label, suggested FROM kept_label
       WHERE dataset_id = $1 AND media_id = ANY ($2::uuid[])`,
      [datasetId, mediaIds],
    );
    return new Map(rows.map((row) => [row.mediaId, row]));
  }

  /** Each medium once. */
  async keep({ id, datasetId, by }: Decision, all: readonly SeenSuggestion[]): Promise<void> {
    if (all.length === 0) return;
    await this.kept.query(
      `INSERT INTO kept_label (dataset_id, media_id, label, suggested, decision_id, decided_by, decided_at)
       SELECT $1, media_id, label, suggested, $2, $3, now()
       FROM unnest($4::uuid[], $5::text[], $6::text[]) AS kept (media_id, label, suggested)
       ON CONFLICT (dataset_id, media_id) DO UPDATE SET label = excluded.label, suggested = excluded.suggested,
         decision_id = excluded.decision_id, decided_by = excluded.decided_by, decided_at = excluded.decided_at`,
      [
        datasetId,
        id,
        by,
        all.map(({ mediaId }) => mediaId),
        all.map(({ label }) => label),
        all.map(({ suggested }) => suggested),
      ],
    );
  }

  /** Returns how many there were. */
  async forget(datasetId: string, decisionId: string): Promise<number> {
    const { affected } = await this.kept.delete({ datasetId, decisionId });
    return affected ?? 0;
  }
}
