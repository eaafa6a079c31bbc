import { Injectable, type OnModuleInit } from '@nestjs/common';
import { jsonOf } from '../../common/platform/http/query-values';
import type { Dataset } from '../datasets';
import { withCopiedEvaluations } from '../search';
import { CloneCompanions, type EvaluationCopies } from '../snapshots';
import { EvaluationRepository } from './persistence/evaluation.repository';

/** Copies evaluations made before a snapshot into its clone, where they have the same files of outcomes. */
@Injectable()
export class CopiedEvaluations implements OnModuleInit {
  constructor(
    private readonly companions: CloneCompanions,
    private readonly evaluations: EvaluationRepository,
  ) {}

  onModuleInit(): void {
    this.companions.registerEvaluations(({ datasetId, createdAt }, clone) => this.copy(datasetId, createdAt, clone));
  }

  private async copy(datasetId: string, madeBefore: Date, clone: Dataset): Promise<EvaluationCopies> {
    const copies = await this.evaluations.copy(datasetId, clone.id, madeBefore);
    for (const { id, filter } of await this.evaluations.listFiltersNamingOthers(clone.id)) {
      const { vql, ...others } = filter as { readonly vql?: unknown };
      const filters = typeof vql === 'string' ? jsonOf(vql) : vql;
      if (Array.isArray(filters))
        await this.evaluations.setFilter(id, { ...others, vql: withCopiedEvaluations(filters, copies) });
    }
    return copies;
  }
}
