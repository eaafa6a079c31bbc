import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CloneCompanions } from '../snapshots';
import { DuplicateDecisionRepository } from './persistence/duplicate-decision.repository';

/** Copies the decisions of a dataset to its clones, which have the same media. */
@Injectable()
export class CopiedDecisions implements OnModuleInit {
  constructor(
    private readonly companions: CloneCompanions,
    private readonly decisions: DuplicateDecisionRepository,
  ) {}

  onModuleInit(): void {
    this.companions.register((source, clone) => this.decisions.copy(source.id, clone.id));
  }
}
