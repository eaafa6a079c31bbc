import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('api_key')
export class ApiKeyEntity {
  @PrimaryColumn('text')
  apiKey!: string;

  @Index()
  @Column('uuid')
  userId!: string;

  @Column('bytea')
  sealedSecret!: Buffer;

  @Column('text')
  keyId!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;
}
