import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../common/platform/http/principal';
import { AuditLog } from '../../audit';
import type { AnnotationChange } from '../domain/annotation-change';
import { AnnotationChangeRepository } from '../persistence/annotation-change.repository';

/** Keeps changes of sources, in the transactions that publish them. */
@Injectable()
export class ChangeHistory {
  constructor(
    private readonly changes: AnnotationChangeRepository,
    private readonly audit: AuditLog,
  ) {}

  async record(
    change: AnnotationChange,
    caller: Principal,
    details?: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { datasetId, source, added, changed, removed } = change;
    await this.changes.insert(change);
    const said = { source, ...(details ?? { added, changed, removed }) };
    await this.audit.recordBy(caller, 'annotations_changed', datasetId, said);
  }
}
