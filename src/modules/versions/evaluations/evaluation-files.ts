import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { decodeOutcomes, encodeOutcomes } from '../../../common/engine/evaluation/outcome-file';
import type { Outcomes } from '../../../common/engine/evaluation/outcomes';
import { UnrecoverableError } from '../../../common/platform/outage/outage';
import { idInKey } from '../../../common/platform/storage/object-key';
import { deleteUnneeded, ObjectNotFoundError, type ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';

const PREFIX = 'evaluations/';
const ENDING = '.outcomes';

/** The object of a file of outcomes. */
export const evaluationKey = (id: string): string => `${PREFIX}${id}${ENDING}`;

class DamagedOutcomesError extends UnrecoverableError {
  override readonly status = 500;

  constructor(key: string, cause: unknown) {
    super(`The object ${key} is missing or damaged in the store. Run the evaluation again.`, { cause });
  }
}

/** Stores what became of the annotations that an evaluation compared, in immutable files. */
@Injectable()
export class EvaluationFiles {
  constructor(@Inject(OBJECT_STORE) private readonly store: ObjectStore) {}

  async write(outcomes: Outcomes): Promise<string> {
    const id = randomUUID();
    await this.store.put(evaluationKey(id), await encodeOutcomes(outcomes));
    return id;
  }

  async read(id: string): Promise<Outcomes> {
    const key = evaluationKey(id);
    const bytes = await this.store.read(key).catch((error: unknown) => {
      throw error instanceof ObjectNotFoundError ? new DamagedOutcomesError(key, error) : error;
    });
    return decodeOutcomes(bytes).catch((error: unknown) => {
      throw new DamagedOutcomesError(key, error);
    });
  }

  /** Deletes files written before this time that no evaluation names. Returns how many. */
  removeUnknown(
    writtenBefore: Date,
    knownAmong: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<number> {
    return deleteUnneeded(this.store, PREFIX, async (objects) => {
      const old = objects.flatMap(({ key, lastModified }) => {
        const id = lastModified < writtenBefore ? idInKey(key, PREFIX, [ENDING]) : undefined;
        return id === undefined ? [] : [id];
      });
      const known = await knownAmong(old);
      return old.filter((id) => !known.has(id)).map(evaluationKey);
    });
  }
}
