import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('organization')
export class OrganizationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  updatedAt!: Date | null;
}
