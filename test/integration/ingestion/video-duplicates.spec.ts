import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { hasVideoSupport } from '../../../src/common/engine/compute/video-tools';
import { Additions } from '../../support/additions';
import { writePicture } from '../../support/pictures';
import { startTestApp, type TestApp } from '../../support/test-app';

interface Cluster {
  readonly previews: { readonly original_uri: string }[];
}

describe('near duplicates among frames of videos', () => {
  let running: TestApp;
  let additions: Additions;
  let supported: boolean;

  beforeAll(async () => {
    supported = await hasVideoSupport();
    running = await startTestApp();
    additions = new Additions(running);
  });
  afterAll(() => running.close());

  /** Two black seconds, then distinct content, with a key frame every second. */
  const film = (folder: string, name: string, pattern: string, seconds = 8): void => {
    mkdirSync(join(running.folder, folder), { recursive: true });
    const black = 'color=c=black:s=160x120:r=4:d=2[a]';
    const own = `${pattern}=s=160x120:r=4:d=${seconds}[b]`;
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-filter_complex', `${black};${own};[a][b]concat=n=2:v=1:a=0[v]`, '-map', '[v]'],
      ...['-g', '4', '-pix_fmt', 'yuv420p', '-y', join(running.folder, folder, name)],
    ]);
  };
  const duplicates = async (id: string): Promise<string[][]> => {
    const { clusters } = await additions.api.must<{ clusters: Cluster[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?duplicate_threshold=0.9`,
    );
    return clusters.map(({ previews }) => previews.map(({ original_uri: uri }) => uri).sort()).sort();
  };
  const videosIn = (groups: readonly string[][]): Set<string> =>
    new Set(groups.flat().map((uri) => uri.slice(0, uri.indexOf('/'))));

  it('are found in copies of a video, but not within a video or because of a shared opening', async () => {
    if (!supported) return;
    film('films', 'bars.mp4', 'smptebars');
    film('films', 'test.mp4', 'testsrc');
    await writePicture(join(running.folder, 'films', 'picture.jpg'), 1);
    const id = await additions.api.indexed('films', join(running.folder, 'films'));
    expect(await duplicates(id)).toEqual([]);

    film('more', 'again.mp4', 'testsrc', 7);
    film('more', 'other.mp4', 'rgbtestsrc');
    await additions.addFolder(id, join(running.folder, 'more'));
    expect((await additions.ended(id)).status).toBe('COMPLETED');
    expect(videosIn(await duplicates(id))).toEqual(new Set(['again.mp4', 'test.mp4']));

    await additions.reindex(id);
    await additions.api.untilStatus(id, ['READY']);
    expect(videosIn(await duplicates(id))).toEqual(new Set(['again.mp4', 'test.mp4']));
  });
});
