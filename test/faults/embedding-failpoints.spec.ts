import type { Failpoint } from '../../src/common/platform/config/failpoint';
import { npyOf, vectorsForm } from '../support/npy-bytes';
import { runningHome } from '../support/running-home';
import { allOr, EMBEDDING_FAILPOINTS } from './failpoints';

const SEEDS = [0, 1, 2, 3];
const NAMES = SEEDS.map((seed) => `${seed}.jpg`);

describe('the program, killed at a failpoint while vectors are uploaded', () => {
  const home = runningHome();
  let id: string;

  beforeAll(async () => {
    id = await home().indexed('Embedded', SEEDS.length);
  });

  const pairs = async (): Promise<string[][]> => {
    const { clusters } = await home().api.must<{ clusters: { previews: { file_name: string }[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?threshold=0&duplicate_threshold=0.999`,
    );
    return clusters.map(({ previews }) => previews.map(({ file_name: name }) => name).sort());
  };

  it.each(allOr<Failpoint>(['vectors-read', 'before-flip'], EMBEDDING_FAILPOINTS))(
    'resumes with all vectors after %s',
    async (point) => {
      // A different pair is similar each time.
      const other = 1 + (EMBEDDING_FAILPOINTS.indexOf(point) % 3);
      const vectors = SEEDS.map((seed) => SEEDS.map((axis) => Number(axis === (seed === other ? 0 : seed))));
      const form = (): FormData => vectorsForm({ vectors: npyOf(vectors), names: NAMES });
      await home().dieAt(point, (api) => api.must(202, 'POST', `/api/v1/dataset/${id}/embeddings`, form()));
      await home().api.untilStatus(id, ['READY']);
      expect(await pairs()).toEqual([['0.jpg', `${other}.jpg`]]);
      const { tasks } = await home().api.must<{ tasks: object[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`);
      expect(tasks[0]).toMatchObject({ task_type: 'EMBEDDINGS', status: 'COMPLETED', warnings: [] });
    },
  );
});
