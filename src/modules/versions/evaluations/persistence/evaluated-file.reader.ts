import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Cuts } from '../../../../common/engine/evaluation/counted-outcomes';
import { AnnotationSegmentEntity } from '../../annotations/persistence/annotation-state.repository';

/** What an evaluation found when it was run last. */
export interface EvaluatedFile {
  /** Of outcomes. */
  readonly file: string;
  /** With which its figures begin. */
  readonly cuts: Cuts;
}

interface Row {
  readonly id: string;
  readonly file: string | null;
  readonly confidence: number | null;
  readonly classConfidences: Readonly<Record<string, number>> | null;
}

/** Of evaluations of a dataset. Their table belongs to another module, which asks this one. */
@Injectable()
export class EvaluatedFileReader {
  constructor(
    @InjectRepository(AnnotationSegmentEntity) private readonly anyTable: Repository<AnnotationSegmentEntity>,
  ) {}

  /** By id; null of one that was not completed yet. */
  async find(datasetId: string, ids: readonly string[]): Promise<ReadonlyMap<string, EvaluatedFile | null>> {
    const rows = await this.anyTable.query<Row[]>(
      `SELECT id, result_file AS file, confidence, options -> 'classConfidences' AS "classConfidences"
       FROM evaluation WHERE dataset_id = $1 AND id = ANY($2::uuid[])`,
      [datasetId, ids],
    );
    return new Map(
      rows.map(({ id, file, confidence, classConfidences }) => {
        if (file === null || confidence === null) return [id, null];
        return [id, { file, cuts: { confidence, ...(classConfidences !== null && { classConfidences }) } }];
      }),
    );
  }
}
