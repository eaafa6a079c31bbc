import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, MoreThan, Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SearchAnchor, AnchorEntityType } from '../domain/anchor';

@Entity('search_anchor')
export class SearchAnchorEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Index()
  @Column('uuid')
  datasetId!: string;

  @Column('text')
  entityType!: AnchorEntityType;

  @Column('smallint')
  level!: number;

  /** The model of the vector: vectors of different models can't be compared. */
  @Column('text')
  modelId!: string;

  /** 32-bit floats, little-endian. */
  @Column('bytea')
  embedding!: Buffer;

  @Column('timestamptz')
  createdAt!: Date;

  @Index()
  @Column('timestamptz')
  expiresAt!: Date;
}

@Injectable()
export class SearchAnchorRepository {
  constructor(@InjectRepository(SearchAnchorEntity) private readonly anchors: Repository<SearchAnchorEntity>) {}

  async insert(anchor: SearchAnchor): Promise<void> {
    await this.anchors.insert({ ...anchor, embedding: toBytes(anchor.embedding) });
  }

  async findLive(datasetId: string, id: string, now: Date): Promise<SearchAnchor | undefined> {
    const found = await this.anchors.findOneBy({ id, datasetId, expiresAt: MoreThan(now) });
    if (found === null) return undefined;
    const { entityType, level, modelId, embedding, createdAt, expiresAt } = found;
    return { id, datasetId, entityType, level, modelId, embedding: toVector(embedding), createdAt, expiresAt };
  }

  /** Returns the number of deleted anchors. */
  async deleteExpired(now: Date): Promise<number> {
    const { affected } = await this.anchors.delete({ expiresAt: LessThanOrEqual(now) });
    return affected ?? 0;
  }
}

function toBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, at) => bytes.writeFloatLE(value, at * 4));
  return bytes;
}

const toVector = (bytes: Buffer): Float32Array =>
  Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
