import { ExportClient, type ExportTask } from '../support/export-client';
import { storedKeys } from '../support/stored-keys';
import { runningHome } from '../support/running-home';
import { allOr, EXPORT_FAILPOINTS } from './failpoints';

const PICTURES = 6;

describe('the program, killed at a failpoint of an export', () => {
  const home = runningHome();
  let dataset: string;

  beforeAll(async () => {
    dataset = await home().indexed('Killed', PICTURES);
  });

  it.each(allOr(['archive-begun'], EXPORT_FAILPOINTS))('has one complete archive after %s', async (failpoint) => {
    await home().dieAt(failpoint, (api) =>
      new ExportClient(api).start(dataset, 'export_format=json&include_images=true'),
    );
    const { tasks } = await home().api.must<{ tasks: { task_id: string; start_time: string }[] }>(
      200,
      'GET',
      `/api/v1/tasks?dataset_id=${dataset}&task_type=EXPORT`,
    );
    const [task] = tasks.map(({ task_id: id }) => ({ id }));
    const exports = new ExportClient(home().api);
    const over: ExportTask = await exports.untilCompleted(dataset, task!);
    expect(over).toMatchObject({ entities_count: PICTURES, progress: 100, result_message: null });
    const archive = await exports.archive(dataset, task!);
    expect([...archive.keys()].filter((name) => name.startsWith('images/'))).toHaveLength(PICTURES);
    const { media_items: items } = JSON.parse(archive.get('metadata.json')!.toString()) as { media_items: unknown[] };
    expect(items).toHaveLength(PICTURES);
    expect(await storedKeys(home().store, `exports/${task!.id}`)).toHaveLength(1);
  });
});
