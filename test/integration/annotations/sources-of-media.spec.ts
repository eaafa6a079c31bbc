import { Additions } from '../../support/additions';
import { runningApp } from '../../support/test-app';

interface Preview {
  readonly type: string;
  readonly media_id: string;
  readonly file_name: string;
  readonly sources?: object;
}

interface Detail extends Preview {
  readonly children: readonly Preview[];
  readonly neighbours: readonly Preview[];
  readonly label_sources: readonly object[];
}

describe('the sources of what is said about media', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let id: string;

  const box = { x: 0.25, y: 0.5, width: 0.5, height: 0.25 };
  const previews = async (query: string): Promise<Record<string, object | undefined>> => {
    const path = `/api/v1/explore/${id}?threshold=4&${query}`;
    const { clusters } = await additions.api.must<{ clusters: { previews: Preview[] }[] }>(200, 'GET', path);
    const found = clusters.flatMap((cluster) => cluster.previews);
    return Object.fromEntries(found.map(({ file_name: name, sources }) => [name, sources]));
  };
  const detail = async (query: string): Promise<Detail> => {
    const { media_id: media } = await additions.detailOf<Preview>(id, '0.jpg');
    return additions.api.must(200, 'GET', `/api/v1/dataset/${id}/media/${media}${query}`);
  };

  beforeAll(async () => {
    id = await additions.indexed('Said', await additions.writeFolder('Pictures', [0, 1, 2]));
    const path = `/api/v1/dataset/${id}/annotations`;
    await additions.api.must(202, 'POST', path, {
      annotations: [
        {
          file_name: '0.jpg',
          labels: ['pet'],
          objects: [
            { label: 'ear', bounding_box: box },
            { label: 'nose', bounding_box: { ...box, x: 0 }, confidence: 0.5 },
          ],
        },
      ],
    });
    await additions.api.untilStatus(id, ['READY']);
    const cat = { file_name: '0.jpg', label: 'cat' };
    const annotations = [cat, cat, { ...cat, label: '__proto__' }, { ...cat, file_name: '1.jpg' }];
    await additions.api.must(200, 'POST', path, { source: 'detector-a', annotations });
    await additions.api.must(200, 'POST', path, { source: 'ground_truth', annotations: [{ ...cat, label: 'wild' }] });
  });

  const detected = Object.fromEntries([
    ['cat', 2],
    ['__proto__', 1],
  ]);
  const first = {
    ground_truth: { pet: 1, ear: 1, wild: 1 },
    imported_predictions: { nose: 1 },
    'detector-a': detected,
  };

  it('are named in previews if they are asked for, and follow an edit', async () => {
    expect(await previews('')).toEqual({ '0.jpg': undefined, '1.jpg': undefined, '2.jpg': undefined });
    const all = { '0.jpg': first, '1.jpg': { 'detector-a': { cat: 1 } }, '2.jpg': {} };
    expect(await previews('with_sources=true')).toEqual(all);
    const edit = { source: 'detector-a', annotations: [{ file_name: '2.jpg', label: 'dog' }] };
    await additions.api.must(200, 'POST', `/api/v1/dataset/${id}/annotations`, edit);
    expect(await previews('with_sources=true')).toEqual({ ...all, '2.jpg': { 'detector-a': { dog: 1 } } });
    expect(await additions.api.ask('GET', `/api/v1/explore/${id}?with_sources=2`)).toMatchObject({ status: 422 });
  });

  it('are named in the details of a medium, of each box in it too', async () => {
    const { sources, label_sources: labels, children, neighbours } = await detail('?with_sources=true');
    expect(sources).toEqual(first);
    expect(labels).toEqual(
      ['pet', 'wild'].map((label) => ({ label, source: 'User', annotation_source: 'ground_truth', confidence: null })),
    );
    expect(children.map((child) => child.sources)).toEqual(
      expect.arrayContaining([{ ground_truth: { ear: 1 } }, { imported_predictions: { nose: 1 } }]),
    );
    expect(neighbours.every((each) => each.sources !== undefined)).toBe(true);
    expect((await detail('')).sources).toBeUndefined();
    const nose = children.find((child) => JSON.stringify(child.sources).includes('nose'))!;
    expect(await additions.api.must(200, 'GET', `/api/v1/dataset/${id}/media/${nose.media_id}`)).toMatchObject({
      label_sources: [{ label: 'nose', source: null, annotation_source: 'imported_predictions' }],
    });
  });
});
