import { Additions } from './additions';
import { OIDC_VARIABLES, signedIn, type SignedIn } from './principals';
import { SourceClient } from './source-client';
import { startTestApp, type TestApp } from './test-app';

const NAMES = ['owner', 'ana', 'ben', 'cleo', 'viewer'] as const;
type PersonName = (typeof NAMES)[number];

/** A dataset of twelve pictures that is shared with three editors and a viewer. */
export class ReviewWorld {
  private constructor(
    readonly running: TestApp,
    readonly additions: Additions,
    readonly people: Readonly<Record<PersonName, SignedIn>>,
    readonly dataset: string,
    readonly sources: SourceClient,
  ) {}

  static async start(variables: Readonly<Record<string, string>> = {}): Promise<ReviewWorld> {
    const running = await startTestApp({ ...OIDC_VARIABLES, ...variables });
    const people = {} as Record<PersonName, SignedIn>;
    for (const name of NAMES) people[name] = await signedIn(running, { email: `${name}@example.com`, role: 'editor' });
    const { api } = people.owner;
    const additions = new Additions(running, api);
    const folder = await additions.writeFolder('Reviewed', [...Array(12).keys()]);
    const dataset = await additions.indexed('Reviewed', folder);
    for (const name of ['ana', 'ben', 'cleo', 'viewer'] as const)
      await api.must(200, 'PUT', `/api/v1/manage/${dataset}/invite`, {
        grant_to_user_email: people[name].email,
        role: name === 'viewer' ? 'viewer' : 'editor',
      });
    return new ReviewWorld(running, additions, people, dataset, new SourceClient(api, dataset));
  }

  /** What people say about a picture. */
  async labels(mediaId: string): Promise<string[]> {
    const { annotations } = await this.sources.list(`?source=ground_truth&media_id=${mediaId}`);
    return annotations.map(({ label }) => label).sort();
  }

  close(): Promise<void> {
    return this.running.close();
  }
}
