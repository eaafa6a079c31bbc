import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The identity of this installation, in a single row. */
@Entity('installation')
export class InstallationEntity {
  @PrimaryColumn('boolean', { default: true })
  onlyRow!: boolean;

  @Column('uuid')
  id!: string;

  /** Identifies SECRET_KEY without revealing it; null until the first start of a version with this column. */
  @Column('text', { nullable: true })
  secretKeyDigest!: string | null;

  /** When the store was first marked with our id. */
  @Column('timestamptz', { nullable: true })
  storeMarkedAt!: Date | null;

  /** When a store of another installation was adopted. */
  @Column('timestamptz', { nullable: true })
  storeAdoptedAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;
}
