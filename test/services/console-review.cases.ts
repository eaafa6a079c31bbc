import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { KeycloakIdentityProvider } from '../../src/modules/idp-admin/provide-identity-provider';
import { BrowserPerson } from '../support/browser-person';
import type { ConsolePage } from '../support/console-page';
import { writePicture } from '../support/pictures';
import type { QueueFigures, QueuedItem } from '../support/review-client';
import type { TestApp } from '../support/test-app';
import { waitUntil } from '../support/wait-until';

export interface KeycloakWorld {
  readonly running: TestApp;
  readonly browser: Browser;
  readonly provider: KeycloakIdentityProvider;
  /** Of the administrator of the workspace, who has signed in. */
  readonly page: ConsolePage;
  /** Part of the names of all users. */
  readonly mark: string;
}

const PASSWORD = 'correct-horse';
const PICTURES = 2;

/** Who may do what in a review queue, by users of Keycloak. */
export function reviewCases(world: () => KeycloakWorld): void {
  let dataset: string;
  let queue: string;
  let editor: BrowserPerson;
  let viewer: BrowserPerson;

  const address = (name: string): string => `${name}-${world().mark}@example.com`;
  const path = (rest = ''): string => `/api/v1/dataset/${dataset}/review_queues/${queue}${rest}`;
  /** As the owner of the dataset. */
  const send = async <Body>(method: string, route: string, body: object = {}): Promise<Body> => {
    const { page, running } = world();
    const answer = await page.driver.request.fetch(`${running.url}${route}`, { method, ...body });
    if (!answer.ok()) throw new Error(`${method} ${route}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
  const signedIn = async (name: string): Promise<BrowserPerson> => {
    const { provider, browser, running } = world();
    const user = { username: address(name), password: PASSWORD, firstName: name, lastName: 'Reviewer', enabled: true };
    await provider.create(user);
    const person = await BrowserPerson.at(browser, running.url);
    await person.signIn(address(name), PASSWORD);
    return person;
  };
  const states = async () => (await send<QueueFigures>('GET', path())).states;
  const open = async (page: ConsolePage['driver']): Promise<void> => {
    await page.goto(`${world().running.url}/datasets/${dataset}/review/${queue}`);
  };

  beforeAll(async () => {
    const folder = join(world().running.folder, 'reviewed');
    for (let at = 0; at < PICTURES; at += 1) await writePicture(join(folder, `${at}.jpg`), 20 + at);
    const multipart = { dataset_name: 'Reviewed', bucket_path: folder };
    ({ dataset_id: dataset } = await send<{ dataset_id: string }>('POST', '/api/v1/dataset', { multipart }));
    const isReady = async () =>
      (await send<{ status_new: string }>('GET', `/api/v1/dataset/${dataset}`)).status_new === 'READY';
    await waitUntil(isReady);
    [editor, viewer] = [await signedIn('editor'), await signedIn('viewer')];
    type Members = { members: { user_id: string; email: string }[] };
    const { members } = await send<Members>('GET', '/api/v1/workspace/members');
    const { user_id: id } = members.find(({ email }) => email === address('editor'))!;
    await send('PUT', `/api/v1/workspace/members/${id}/role`, { data: { role: 'editor' } });
    for (const role of ['editor', 'viewer'])
      await send('PUT', `/api/v1/manage/${dataset}/invite`, { data: { grant_to_user_email: address(role), role } });
    const question = { type: 'choose', options: ['boat', 'house'] };
    const data = { name: 'Which', query: {}, question, reviewed: true };
    ({ id: queue } = await send<{ id: string }>('POST', `/api/v1/dataset/${dataset}/review_queues`, { data }));
  });

  it('lets an editor answer, and not check the own answer', async () => {
    await open(editor.page);
    const said = editor.page.getByRole('complementary', { name: 'Question' });
    await said.waitFor();
    await editor.page.keyboard.press('1');
    await waitUntil(async () => (await states())['to_review'] === 1);
    await editor.page.getByRole('radio', { name: 'Check' }).check();
    await said.getByText('Answered: boat').waitFor();
    await editor.page.keyboard.press('y');
    await editor.page.getByText('You have decided on this item: somebody else has to review it').waitFor();
    expect(await states()).toMatchObject({ to_review: 1, done: 0 });
    expect((await editor.ask('POST', `/api/v1/dataset/${dataset}/review_queues`, {})).status).toBe(403);
    expect((await editor.ask('PATCH', path(), { paused: true })).status).toBe(403);
  });

  it('lets a viewer look and comment, and nothing else', async () => {
    const { items } = await viewer.must<{ items: QueuedItem[] }>(200, 'GET', path('/items'));
    const item = `/items/${items.find(({ state }) => state === 'to_review')!.item_id}`;
    for (const [rest, body] of [
      ['/next', {}],
      [`${item}/decision`, { verdict: 'answer', choice: 'house' }],
      [`${item}/review`, { accepted: true }],
    ] as const)
      expect((await viewer.ask('POST', path(rest), body)).status).toBe(403);
    await viewer.must(201, 'POST', path(`${item}/comments`), { text: 'A raft?', mentions: [address('editor')] });
    const { comments } = await editor.must<{ comments: object[] }>(200, 'GET', path(`${item}/comments`));
    expect(comments).toMatchObject([{ author: address('viewer'), text: 'A raft?' }]);
    await editor.page.getByRole('button', { name: /^Notifications, 1 unread/ }).click();
    await editor.page.getByRole('link', { name: /You are mentioned in 'Which'/ }).waitFor();
    expect(await states()).toMatchObject({ to_review: 1, done: 0 });
  });

  it('lets somebody else check the answer', async () => {
    const { driver } = world().page;
    await open(driver);
    await driver.getByRole('radio', { name: 'Check' }).check();
    await driver.getByText('Answered: boat').waitFor();
    await driver.keyboard.press('y');
    await driver.getByText('No answer waits to be checked').waitFor();
    expect(await states()).toMatchObject({ to_review: 0, done: 1 });
    const { decisions } = await send<{ decisions: object[] }>('GET', path('/decisions'));
    expect(decisions).toMatchObject([{ reviewed_by: address('maria') }]);
  });
}
