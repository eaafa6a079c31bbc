import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, MoreThan } from 'typeorm';
import { TransactionRunner } from '../../../../common/platform/database/transaction-runner';
import type { SearchAnchor } from '../domain/anchor';
import { SearchAnchorEntity } from './search-anchor.entity';

@Injectable()
export class SearchAnchorRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  async insert(anchor: SearchAnchor): Promise<void> {
    await this.transactions.current().insert(SearchAnchorEntity, { ...anchor, embedding: toBytes(anchor.embedding) });
  }

  async findLive(datasetId: string, id: string, now: Date): Promise<SearchAnchor | undefined> {
    const found = await this.transactions
      .current()
      .findOneBy(SearchAnchorEntity, { id, datasetId, expiresAt: MoreThan(now) });
    if (found === null) return undefined;
    const { entityType, level, modelId, embedding, createdAt, expiresAt } = found;
    return { id, datasetId, entityType, level, modelId, embedding: toVector(embedding), createdAt, expiresAt };
  }

  /** How many there were. */
  async deleteExpired(now: Date): Promise<number> {
    const { affected } = await this.transactions
      .current()
      .delete(SearchAnchorEntity, { expiresAt: LessThanOrEqual(now) });
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
