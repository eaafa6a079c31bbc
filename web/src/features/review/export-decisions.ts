import { answered, service } from '../../api/client';
import { DECISION_FORMATS, type DecisionFormat } from './decision-formats';

/** Of the API. */
const MOST_PER_PAGE = 1_000;

/** All that people said about the items of a queue, oldest first. */
export async function exportDecisions(datasetId: string, queueId: string, format: DecisionFormat): Promise<Blob> {
  const { begin, between, end, of, type } = DECISION_FORMATS[format];
  const parts: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: MOST_PER_PAGE, ...(cursor !== undefined && { cursor: Number(cursor) }) };
    const params = { path: { dataset_id: datasetId, queue_id: queueId }, query };
    const page = await answered(
      service.api.GET('/api/v1/dataset/{dataset_id}/review_queues/{queue_id}/decisions', { params }),
    );
    if (page.decisions.length > 0) parts.push(page.decisions.map(of).join(between));
    cursor = page.next_cursor;
  }
  return new Blob([begin, parts.join(between), end], { type });
}
