import { filesForm } from '../support/api-client';
import { runningHome } from '../support/running-home';
import { allOr, ANNOTATED_OBJECT_FAILPOINTS, ANNOTATION_FAILPOINTS } from './failpoints';

describe('the program, killed at a failpoint while media are annotated', () => {
  const home = runningHome();
  let id: string;

  beforeAll(async () => {
    id = await home().indexed('Annotated', 4);
  });

  const labels = async (entities = 'IMAGES'): Promise<Record<string, number>> => {
    const { labels: counts } = await home().api.must<{ labels: { value: string; count: number }[] }>(
      200,
      'GET',
      `/api/v1/dataset/${id}/facets?entity_type=${entities}`,
    );
    return Object.fromEntries(counts.map(({ value, count }) => [value, count]));
  };

  it.each(allOr(['table-written'], ANNOTATION_FAILPOINTS))('at %s, resumes and annotates each once', async (point) => {
    const body = { annotations: [0, 1, 2].map((seed) => ({ file_name: `${seed}.jpg`, labels: [point] })) };
    await home().dieAt(point, (api) => api.must(202, 'POST', `/api/v1/dataset/${id}/annotations`, body));
    await home().api.untilStatus(id, ['READY']);
    expect(await labels()).toMatchObject({ [point]: 3 });
    const { tasks } = await home().api.must<{ tasks: object[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`);
    expect(tasks[0]).toMatchObject({ task_type: 'ANNOTATION', status: 'COMPLETED', warnings: [] });
  });

  const few = ['chunk-journalled', 'table-written'] as const;
  it.each(allOr(few, ANNOTATED_OBJECT_FAILPOINTS))('at %s, resumes and adds each box of a file once', async (point) => {
    const rows = [0, 1, 2, 3].flatMap((seed) =>
      ['', 1 / 3].map((confidence) => `${seed}.jpg,10,10,50,50,box of ${point},${confidence}\n`),
    );
    const bytes = Buffer.from(`filename,col_x,row_y,width,height,label,confidence\n${rows.join('')}`);
    const form = filesForm([{ name: 'object_annotations.csv', bytes }]);
    await home().dieAt(point, (api) => api.must(202, 'POST', `/api/v1/dataset/${id}/annotations/files`, form));
    await home().api.untilStatus(id, ['READY']);
    expect(await labels('OBJECTS')).toMatchObject({ [`box of ${point}`]: 4 });
    const predictions = `/api/v1/dataset/${id}/annotations?source=imported_predictions&label=box of ${point}`;
    expect(await home().api.must(200, 'GET', predictions)).toMatchObject({
      total: 4,
      annotations: [0, 1, 2, 3].map(() => ({ confidence: 1 / 3 })),
    });
    const { tasks } = await home().api.must<{ tasks: object[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`);
    expect(tasks[0]).toMatchObject({ task_type: 'ANNOTATION', status: 'COMPLETED', warnings: [] });
  });
});
