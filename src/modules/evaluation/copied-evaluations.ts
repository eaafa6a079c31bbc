import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CloneCompanions } from '../snapshots';
import { EvaluationRepository } from './persistence/evaluation.repository';

/** Copies evaluations made before a snapshot into its clone, where they have the same files of outcomes. */
@Injectable()
export class CopiedEvaluations implements OnModuleInit {
  constructor(
    private readonly companions: CloneCompanions,
    private readonly evaluations: EvaluationRepository,
  ) {}

  onModuleInit(): void {
    this.companions.registerOfSnapshot((snapshot, clone) =>
      this.evaluations.copy(snapshot.datasetId, clone.id, snapshot.createdAt),
    );
  }
}
