import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Additions } from '../../support/additions';
import { FORMAT_FIXTURES, readJson } from '../../support/format-fixtures';
import { SiteModels } from '../../support/site-models';
import { startTestApp, type TestApp } from '../../support/test-app';

const CAPTIONER = join(FORMAT_FIXTURES, 'vit-gpt2');

interface Task {
  readonly status: string;
  readonly error_message: string | null;
}

describe('local models that fail when they are applied', () => {
  let running: TestApp;
  let additions: Additions;
  let models: SiteModels;
  let source: string;

  beforeAll(async () => {
    models = await SiteModels.make();
    running = await startTestApp({ MODELS_DIR: models.folder, ENRICHMENT_PREVIEW_SERVICE_ENABLED: 'true' });
    additions = new Additions(running);
    source = await additions.indexed('Source', await additions.writeFolder('source', [0, 1, 2]));
  });
  afterAll(async () => {
    await running.close();
    await models.remove();
  });

  async function failedTask(model: string): Promise<Task> {
    const { api } = additions;
    const body = { enrichment_models: { CAPTION_IMAGES: model } };
    const { dataset_id: copy } = await api.must<{ dataset_id: string }>(
      200,
      'POST',
      `/api/v1/dataset/${source}/enrich_dataset`,
      body,
    );
    await api.untilStatus(copy, ['ERROR']);
    const { tasks } = await api.must<{ tasks: Task[] }>(200, 'GET', '/api/v1/tasks?task_type=ENRICHMENT');
    return tasks[0]!;
  }
  const earlierAttempts = (): Promise<unknown> =>
    running.database.dataSource.query('SELECT failures FROM job_run ORDER BY created_at DESC LIMIT 1');

  it('fail the task at the first attempt, with the reason', async () => {
    const id = 'garbage_v00';
    await writeFile(join(await models.addCopy(CAPTIONER, { id }), 'encoder_model.onnx'), 'not a model');
    const reason = expect.stringMatching(
      /^The model in garbage_v00 can't be used: .* garbage_v00\/encoder_model\.onnx failed:Protobuf parsing failed\.$/,
    ) as unknown;
    expect(await failedTask(id)).toMatchObject({ status: 'FAILED', error_message: reason });
    expect(await earlierAttempts()).toEqual([{ failures: 0 }]);
    const { enrichment_context_id: context } = await additions.api.must<{ enrichment_context_id: string }>(
      200,
      'GET',
      `/api/v1/enrichment/${source}/context`,
    );
    const preview = `/api/v1/enrichment/${source}/${context}/previews_enrichment_result`;
    const body = { enrichment_models: { CAPTION_IMAGES: { id, metadata: {} } } };
    expect(await additions.api.must(409, 'POST', preview, body)).toEqual({ detail: reason });
  });

  it('fail the task if they fail on every picture', async () => {
    const id = 'overlong_v00';
    const place = await models.addCopy(CAPTIONER, { id });
    const settings = await readJson<object>(place, 'generation_config.json');
    // The decoder supports fewer positions than that.
    await writeFile(
      join(place, 'generation_config.json'),
      JSON.stringify({ ...settings, max_length: 10_000, eos_token_id: -1 }),
    );
    expect(await failedTask(id)).toMatchObject({
      status: 'FAILED',
      error_message: expect.stringMatching(
        /^The model overlong_v00 refused all of the first 3 pictures\. For .*\.jpg it answered: .*The model failed: .*indices element out of data bounds/,
      ) as unknown,
    });
    expect(await earlierAttempts()).toEqual([{ failures: 0 }]);
  });
});
