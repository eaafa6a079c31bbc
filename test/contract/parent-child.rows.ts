import { filesForm } from '../support/api-client';
import type { Ids } from '../support/access-world';

/** A request for a child of one dataset in the path of another dataset of the same owner. */
export interface MismatchRow {
  readonly ask: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  readonly body?: (ids: Ids) => object | FormData;
}

const other = '/api/v1/dataset/{other_id}' as const;
const otherFields = '/api/v1/datasets/{other_id}/custom_metadata' as const;
const explore = '/api/v1/explore/{other_id}' as const;
const ingestion = '/api/v1/ingestion/{other_id}' as const;

const mediaOf = ({ media_id: id }: Ids) => ({
  media_selection: [{ type: 'media', payload: { media_ids: [id] } }],
});
const clusterOf = ({ cluster_id: id }: Ids) => ({
  media_selection: [
    { type: 'cluster', payload: { cluster_id: id, cluster_filters: { entity_type: 'IMAGES' }, exclude_media_ids: [] } },
  ],
});
const picture = (): FormData => filesForm([{ name: 'a.jpg', bytes: new Uint8Array(8) }]);

export const MISMATCHES: readonly MismatchRow[] = [
  { ask: `GET ${other}/views/{view_id}/trend` },
  { ask: `GET ${other}/views/{view_id}/results?batch_id={task_id}` },
  { ask: `POST ${other}/views/{view_id}/alerting`, body: () => ({ request: { enabled: false } }) },
  { ask: `DELETE ${other}/views/{view_id}` },
  { ask: `GET ${other}/review_queues/{queue_id}` },
  { ask: `PATCH ${other}/review_queues/{queue_id}`, body: () => ({ paused: true }) },
  { ask: `DELETE ${other}/review_queues/{queue_id}` },
  { ask: `POST ${other}/review_queues/{queue_id}/next`, body: () => ({}) },
  { ask: `GET ${other}/review_queues/{queue_id}/decisions` },
  { ask: `GET ${other}/review_queues/{queue_id}/items` },
  { ask: `GET ${other}/review_queues/{other_queue_id}/items/{item_id}/comments` },
  { ask: `POST ${other}/review_queues/{other_queue_id}/items/{item_id}/comments`, body: () => ({ text: 'x' }) },
  {
    ask: `POST ${other}/review_queues/{other_queue_id}/items/{item_id}/decision`,
    body: () => ({ verdict: 'answer' }),
  },
  {
    ask: `POST ${other}/review_queues/{other_queue_id}/items/{item_id}/review`,
    body: () => ({ accepted: true }),
  },
  { ask: `GET ${other}/evaluations/{evaluation_id}` },
  { ask: `PATCH ${other}/evaluations/{evaluation_id}`, body: () => ({ name: 'Mine' }) },
  { ask: `DELETE ${other}/evaluations/{evaluation_id}` },
  { ask: `POST ${other}/evaluations/{evaluation_id}/runs` },
  { ask: `GET ${other}/evaluations/{evaluation_id}/slices` },
  { ask: `GET ${other}/evaluations/{evaluation_id}/comparison?with={evaluation_id}` },
  { ask: `GET ${other}/evaluations/{evaluation_id}/failures` },
  { ask: `GET ${otherFields}/tasks/{metadata_task_id}/status` },
  { ask: `POST ${otherFields}/tasks/{metadata_task_id}`, body: () => [] },
  { ask: 'GET /api/v1/datasets/{other_id}/image/{media_id}/custom_metadata' },
  { ask: `GET ${other}/webhooks/{webhook_id}` },
  { ask: `GET ${other}/webhooks/{webhook_id}/deliveries` },
  { ask: `DELETE ${other}/webhooks/{webhook_id}` },
  {
    ask: `POST ${other}/webhooks`,
    body: ({ view_id: id }) => ({ url: 'http://127.0.0.1:9/', events: ['view.matched'], view_id: id }),
  },
  { ask: `PATCH ${other}/tags/{tag_id}`, body: () => ({ name: 'Mine' }) },
  { ask: `DELETE ${other}/tags/{tag_id}` },
  { ask: `POST ${other}/tags/{tag_id}/assign`, body: mediaOf },
  { ask: `POST ${other}/tags/{tag_id}/unassign`, body: clusterOf },
  { ask: `POST ${other}/tags/{other_tag_id}/assign`, body: mediaOf },
  { ask: `POST ${other}/tags/{other_tag_id}/assign`, body: clusterOf },
  { ask: `PATCH ${other}/snapshot/{snapshot_id}`, body: () => ({ name: 'Mine' }) },
  { ask: `DELETE ${other}/snapshot/{snapshot_id}` },
  { ask: `POST ${other}/snapshot/{snapshot_id}/restore` },
  { ask: `POST ${other}/snapshot/{snapshot_id}/clone` },
  { ask: `GET ${other}/snapshot/{snapshot_id}/diff` },
  { ask: `GET ${other}/snapshot/{other_snapshot_id}/diff?against={snapshot_id}` },
  { ask: `GET ${explore}?entity_type=IMAGES&snapshot_id={snapshot_id}` },
  { ask: `GET ${other}/facets?snapshot_id={snapshot_id}` },
  { ask: `GET ${other}/map?snapshot_id={snapshot_id}` },
  { ask: `GET ${other}/map/tiles/0/0/0?snapshot_id={snapshot_id}` },
  { ask: `GET ${other}/map/media?rows=0&snapshot_id={snapshot_id}` },
  { ask: `GET ${other}/media/{other_media_id}?snapshot_id={snapshot_id}` },
  { ask: `GET ${other}/media/{other_media_id}/tiles/0/0/0?snapshot_id={snapshot_id}` },
  { ask: `GET ${explore}/clusters/{other_cluster_id}?snapshot_id={snapshot_id}` },
  { ask: 'GET /api/v1/enrichment/{other_id}/{enrichment_context_id}/status' },
  {
    ask: 'POST /api/v1/enrichment/{other_id}/{enrichment_context_id}/previews_enrichment_result',
    body: () => ({ enrichment_models: { CAPTION_IMAGES: 'any' } }),
  },
  { ask: 'DELETE /api/v1/enrichment/{other_id}/{enrichment_context_id}/abort' },
  { ask: `GET ${other}/media/{media_id}` },
  { ask: `GET ${other}/media/{media_id}/similar` },
  { ask: `GET ${explore}/clusters/{cluster_id}` },
  { ask: `GET ${explore}?entity_type=IMAGES&anchor_type=UPLOAD&anchor_media_id={anchor_id}` },
  { ask: `GET ${explore}?entity_type=IMAGES&anchor_type=MEDIA&anchor_media_id={media_id}` },
  { ask: `GET ${other}/facets?entity_type=IMAGES&anchor_type=UPLOAD&anchor_media_id={anchor_id}` },
  { ask: `GET ${other}/facets?entity_type=IMAGES&anchor_type=MEDIA&anchor_media_id={media_id}` },
  { ask: `GET ${other}/map?entity_type=IMAGES&anchor_type=UPLOAD&anchor_media_id={anchor_id}` },
  { ask: `GET ${other}/map?entity_type=IMAGES&anchor_type=MEDIA&anchor_media_id={media_id}` },
  { ask: `GET ${other}/map/tiles/0/0/0?entity_type=IMAGES&anchor_type=UPLOAD&anchor_media_id={anchor_id}` },
  { ask: `GET ${other}/map/tiles/0/0/0?entity_type=IMAGES&anchor_type=MEDIA&anchor_media_id={media_id}` },
  { ask: `GET ${other}/export_status?export_task_id={export_task_id}` },
  { ask: `DELETE ${other}/export_status?export_task_id={export_task_id}` },
  { ask: `POST ${other}/export_entities_async?export_format=json`, body: mediaOf },
  { ask: `POST ${other}/export_entities_async?export_format=json`, body: clusterOf },
  { ask: `POST ${ingestion}/data_files/{transaction_id}`, body: picture },
  { ask: `POST ${ingestion}/process_files/{transaction_id}` },
];
