// Fills a dataset for the screenshots of the console: views with matches, snapshots, decisions, evaluations, review queues, and other datasets.
import sharp from 'sharp';

const BATCHES = [9, 4, 14, 7];
const CROP = 0.8;
const NAMES = { fish: 'Reef', balloon: 'Air show' };
const MOST_OF_OTHERS = 24;
const POLL_MS = 300;
const ANSWERED = 5;

export async function workWith(url, id) {
  const ask = async (path, init) => {
    const response = await fetch(`${url}/api/v1/${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    const text = await response.text();
    return text === '' ? undefined : JSON.parse(text);
  };
  const post = (path, body) =>
    ask(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  const untilReady = async (dataset = id) => {
    const seen = async () => (await ask(`dataset/${dataset}`)).status_new;
    while (!['READY', 'PARTIAL INDEX'].includes(await seen())) await new Promise((done) => setTimeout(done, POLL_MS));
  };
  const pictures = async (label) => {
    const clusters = `explore/${id}?entity_type=IMAGES&threshold=0&vql=${vqlOf({ labels: { op: 'one_of', value: [label] } })}`;
    return (await ask(clusters)).clusters.flatMap(({ previews }) => previews);
  };

  await post(`dataset/${id}/duplicates/decisions/by_rule`, { duplicate_threshold: 1, tag: 'to remove' });
  for (const [name, filter] of VIEWS)
    await ask(`dataset/${id}/views?entity_type=IMAGES&vql=${vqlOf(filter)}`, {
      method: 'POST',
      body: formOf({ name }),
    });
  await post(`dataset/${id}/snapshot`, { name: 'As delivered', description: 'Before the pictures of the buoys' });
  await untilReady();
  const all = [...(await pictures('boat')), ...(await pictures('fish')), ...(await pictures('balloon'))];
  for (const [at, count] of BATCHES.entries()) {
    const body = formOf({ auto_reindex: String(at === BATCHES.length - 1) });
    for (const [index, media] of all.splice(0, count).entries())
      body.append('files', await recording(media.media_uri), `buoy-${at + 1}/${String(index).padStart(3, '0')}.jpg`);
    await ask(`dataset/${id}/add_media`, { method: 'POST', body });
    await untilReady();
  }
  await post(`dataset/${id}/snapshot`, { name: 'With the buoys', description: '' });
  await untilReady();
  const snapshots = await ask(`dataset/${id}/snapshot`);
  const delivered = snapshots.find(({ snapshot_name: name }) => name === 'As delivered');
  await ask(`dataset/${id}/snapshot/${delivered.snapshot_id}/clone`, { method: 'POST' });
  for (const label of ['fish', 'balloon']) {
    const { dataset_id: other } = await ask(`ingestion/new_dataset?dataset_name=${NAMES[label]}`);
    const { trans_id: transaction } = await ask(`ingestion/${other}/data_files`);
    const body = new FormData();
    for (const [index, media] of (await pictures(label)).slice(0, MOST_OF_OTHERS).entries())
      body.append('files', await recording(media.media_uri), `${index}.jpg`);
    await ask(`ingestion/${other}/data_files/${transaction}`, { method: 'POST', body });
    await ask(`ingestion/${other}/process_files/${transaction}`, { method: 'POST' });
    await untilReady(other);
  }
  await evaluateWith(ask, post, id);
  const queues = `dataset/${id}/review_queues`;
  const { id: queue } = await post(queues, {
    name: 'Boats or balloons',
    media_ids: (await pictures('boat')).map(({ media_id: media }) => media),
    question: { type: 'choose', options: ['boat', 'balloon', 'fish'] },
  });
  const { items } = await post(`${queues}/${queue}/next`, { limit: ANSWERED });
  for (const { item_id: item } of items)
    await post(`${queues}/${queue}/items/${item}/decision`, { verdict: 'answer', choice: 'boat' });
  await post(queues, {
    name: 'Boxes of the buoys',
    query: { sort: 'random', limit: 40 },
    question: { type: 'boxes' },
    reviewed: true,
  });
}

/** Predictions as of two detectors of different quality, and their evaluations. */
async function evaluateWith(ask, post, id) {
  const boxes = [];
  for (let cursor; cursor !== null;) {
    const page = cursor === undefined ? '' : `&cursor=${cursor}`;
    const { annotations, next_cursor: next } = await ask(
      `dataset/${id}/annotations?source=ground_truth&limit=1000${page}`,
    );
    boxes.push(...annotations.filter(({ shape }) => shape?.type === 'box'));
    cursor = next ?? null;
  }
  const labels = [...new Set(boxes.map(({ label }) => label))];
  for (const [predictions, quality] of Object.entries(DETECTORS)) {
    const annotations = boxes.flatMap((box, at) => predictedAs(box, at, quality, labels));
    await post(`dataset/${id}/annotations`, { source: predictions, kind: 'predictions', annotations });
    const options = { pictures: 'with_truth' };
    const asked = { name: `${predictions}, week 48`, predictions, task: 'detection', options };
    const { evaluation_id: evaluation } = await post(`dataset/${id}/evaluations`, asked);
    const status = async () => (await ask(`dataset/${id}/evaluations/${evaluation}`)).status;
    while ((await status()) === 'RUNNING') await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

/** Mostly the box, sometimes with another label or at another place, sometimes nothing. */
function predictedAs({ media_id, label, shape }, at, quality, labels) {
  const chance = ((at * 7919) % 1000) / 1000;
  const confidence = 0.35 + 0.6 * (((at * 104729) % 1000) / 1000);
  const moved = (part) => ({ ...shape, x: shape.x + part * shape.width, y: shape.y + part * shape.height });
  if (chance < quality) return [{ media_id, label, confidence, shape: moved(0.05) }];
  const other = labels[(labels.indexOf(label) + 1) % labels.length];
  if (chance < quality + 0.08) return [{ media_id, label: other, confidence: 0.8 * confidence, shape: moved(0.03) }];
  return chance < quality + 0.15 ? [{ media_id, label, confidence: 0.6 * confidence, shape: moved(0.4) }] : [];
}

const DETECTORS = { 'detector-a': 0.72, 'detector-b': 0.8 };

const VIEWS = [
  ['New from the buoys', { files: { op: 'contains', value: '00' } }],
  ['Large pictures', { width: { op: 'gte', value: 300 } }],
  ['Blurred', { issues: { op: 'issue', value: ['blur'] } }],
];

const vqlOf = (filter) => encodeURIComponent(JSON.stringify([filter]));

function formOf(fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** A different picture of the object in another picture. */
async function recording(address) {
  const bytes = Buffer.from(await (await fetch(address)).arrayBuffer());
  const { width, height } = await sharp(bytes).metadata();
  const part = { left: 0, top: 0, width: Math.round(width * CROP), height: Math.round(height * CROP) };
  return new Blob([await sharp(bytes).extract(part).flop().modulate({ hue: 40 }).jpeg().toBuffer()]);
}
