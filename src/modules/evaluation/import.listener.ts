import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../events';
import { StartEvaluationUseCase } from './start-evaluation.use-case';

/** Starts evaluations that wait for an import, in the transaction that completes it. */
@Injectable()
export class ImportListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly evaluations: StartEvaluationUseCase,
  ) {}

  onModuleInit(): void {
    this.events.listen(async (event) => {
      if (event.type === 'task.completed' && event.taskType === 'ANNOTATION_IMPORT')
        await this.evaluations.afterImport(event.datasetId, event.taskId);
    });
  }
}
