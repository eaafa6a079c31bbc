import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { DatasetReader, grants } from '../datasets';
import { NotAmongPeopleError, UnknownPersonError, type ReviewQueue } from './domain/review-queue';

/** Who may answer the items of a queue. */
@Injectable()
export class QueuePeople {
  constructor(private readonly datasets: DatasetReader) {}

  /** Of people who may change the dataset, by their ids or e-mail addresses. */
  async idsOf(datasetId: string, people: readonly string[]): Promise<readonly string[]> {
    return (await this.find(datasetId, people, 'write')).map(({ userId }) => userId);
  }

  async find(datasetId: string, people: readonly string[], right: 'read' | 'write'): Promise<readonly Principal[]> {
    if (people.length === 0) return [];
    const known = await this.datasets.listPeople(await this.datasets.get(datasetId));
    const able = known.flatMap(({ person, role }) => (grants(role, right) ? [person] : []));
    const found = people.map((name) => {
      const wanted = name.toLowerCase();
      const person = able.find(({ userId, email }) => userId === wanted || email.toLowerCase() === wanted);
      if (person === undefined) throw new UnknownPersonError(name, right === 'read' ? 'see' : 'change');
      return person;
    });
    return [...new Map(found.map((person) => [person.userId, person])).values()];
  }

  /** The route has asserted that the caller may change the dataset. */
  assertAmong({ people }: ReviewQueue, { userId }: Principal): void {
    if (people !== null && !people.includes(userId)) throw new NotAmongPeopleError();
  }
}
