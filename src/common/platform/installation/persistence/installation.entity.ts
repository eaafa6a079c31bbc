import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What this installation is known by: one row. */
@Entity('installation')
export class InstallationEntity {
  @PrimaryColumn('boolean', { default: true })
  onlyRow!: boolean;

  @Column('uuid')
  id!: string;

  /** Names SECRET_KEY without telling it; null until the first start that knows of this column. */
  @Column('text', { nullable: true })
  secretKeyDigest!: string | null;

  /** Since when the store carries our mark. */
  @Column('timestamptz', { nullable: true })
  storeMarkedAt!: Date | null;

  /** When a store that was not ours became so by command. */
  @Column('timestamptz', { nullable: true })
  storeAdoptedAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;
}
