import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiClient } from '../support/api-client';
import { writePicture } from '../support/pictures';
import type { ProgramHome } from '../support/program-home';
import { runningHome } from '../support/running-home';
import { allOr, SYNC_FAILPOINTS } from './failpoints';
import { assertWhole, writeMedia } from './indexing-journal';

const PER_KILL_MS = 30_000;
const TAGGED = 'tagged.jpg';

interface Shown {
  readonly clusters: { readonly previews: { readonly media_id: string; readonly original_uri: string }[] }[];
}

/** A dataset and the folder that it is synchronised with. */
class FollowedFolder {
  private paths: string[] = [];
  private broken: string[] = [];
  private seeds = 1;
  private id = '';
  private tag = '';

  constructor(private readonly home: ProgramHome) {}

  private get source(): string {
    return join(this.home.folder, 'source');
  }

  async create(): Promise<void> {
    await writePicture(join(this.source, TAGGED), 500);
    await this.addFiles(4);
    const { api } = this.home;
    this.id = await api.indexed('Followed', this.source);
    const path = `/api/v1/dataset/${this.id}/tags`;
    this.tag = (await api.must<{ id: string }>(200, 'POST', path, { name: 'kept' })).id;
    const media = (await this.shown('threshold=4')).find(({ original_uri: uri }) => uri === TAGGED)!;
    await api.must(200, 'POST', `${path}/${this.tag}/assign`, {
      media_selection: [{ type: 'media', payload: { media_ids: [media.media_id] } }],
    });
  }

  /** Adds files, changes one, and removes one. */
  async change(): Promise<void> {
    await rm(join(this.source, this.paths.shift()!));
    await writePicture(join(this.source, this.paths[0]!), 1000 + this.seeds);
    await this.addFiles(2);
  }

  /** Starts a synchronisation. The program may be killed before it responds. */
  async sync(api: ApiClient): Promise<void> {
    await api.must(202, 'POST', `/api/v1/dataset/${this.id}/sync?prune=true`);
  }

  /** The synchronisation was accepted before the program was killed, and continued automatically. */
  async assertFollowed(): Promise<void> {
    const { api, databaseUrl, store } = this.home;
    await api.untilStatus(this.id, ['PARTIAL INDEX']);
    const { id, broken } = this;
    const paths = [TAGGED, ...this.paths];
    await assertWhole({ id, paths, broken, status: 'PARTIAL INDEX' }, databaseUrl, join(store, 'tables'));
    const { tasks } = await api.must<{ tasks: object[] }>(200, 'GET', `/api/v1/tasks?dataset_id=${id}`);
    expect(tasks[0]).toMatchObject({
      status: 'COMPLETED',
      warnings: ['1 file has changed and was replaced.', expect.stringMatching(/^1 file that is gone .* was removed/)],
    });
    const tagged = await this.shown(`threshold=4&tags=[${this.tag}]`);
    expect(tagged.map(({ original_uri: uri }) => uri)).toEqual([TAGGED]);
    expect((await this.shown('threshold=4')).map(({ original_uri: uri }) => uri).sort()).toEqual([...paths].sort());
    expect(await this.shown('threshold=0&duplicate_threshold=1')).toEqual([]);
  }

  private async addFiles(count: number): Promise<void> {
    const { paths, broken } = await writeMedia(this.source, count, this.seeds);
    this.seeds += count;
    this.paths.push(...paths);
    this.broken = broken;
  }

  private async shown(query: string): Promise<Shown['clusters'][number]['previews']> {
    const { clusters } = await this.home.api.must<Shown>(200, 'GET', `/api/v1/explore/${this.id}?${query}`);
    return clusters.flatMap(({ previews }) => previews);
  }
}

describe('the program, killed at a failpoint while a dataset is synchronised', () => {
  const running = runningHome();

  it(
    'resumes, with each file once and complete',
    async () => {
      const home = running();
      const followed = new FollowedFolder(home);
      await followed.create();
      for (const point of allOr(['chunk-journalled'], SYNC_FAILPOINTS)) {
        await followed.change();
        await home.dieAt(point, (api) => followed.sync(api));
        await followed.assertFollowed();
      }
    },
    60_000 + SYNC_FAILPOINTS.length * PER_KILL_MS,
  );
});
