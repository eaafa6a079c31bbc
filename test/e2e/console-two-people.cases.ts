import { join } from 'node:path';
import { ConsolePage } from '../support/console-page';
import { writePicture } from '../support/pictures';
import type { ListedAnnotation } from '../support/source-client';
import { waitUntil } from '../support/wait-until';
import type { SharedWorld } from './console-viewer.cases';

const PICTURES = 12;
/** Items that a page has at once. */
const AHEAD = 8;
const BOX = { type: 'box', x: 20, y: 20, width: 60, height: 40 };
const REASON = 'That is a house';

/** Two editors in two browsers, at one queue and at one picture, as part of the session tests. */
export function twoPeopleCases(world: () => Omit<SharedWorld, 'dataset'>): void {
  let id: string;
  let queue: string;
  let cleo: ConsolePage;
  let dan: ConsolePage;

  /** As the owner. */
  const send = async <Body>(method: string, path: string, data?: object): Promise<Body> => {
    const { page, signingIn } = world();
    const answer = await page.driver.request.fetch(signingIn.at(`/api/v1/${path}`), { method, data });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
  const signedIn = async (name: string): Promise<ConsolePage> => {
    const { browser, signingIn } = world();
    signingIn.provider.add({ sub: name, email: `${name}@example.com` });
    const page = await ConsolePage.open(browser, signingIn.running.url);
    signingIn.provider.who = name;
    await page.visit('/datasets');
    await page.driver.getByRole('button', { name: 'Sign in' }).click();
    await page.see('heading', 'No datasets yet');
    page.forgive(401);
    return page;
  };
  const question = (page: ConsolePage) => page.driver.getByRole('complementary', { name: 'Question' });
  const file = (page: ConsolePage): Promise<string> => question(page).locator('p').last().innerText();
  /** Presses a key, and waits for another picture or the end. */
  const press = async (page: ConsolePage, key: string): Promise<void> => {
    const before = await file(page);
    await page.driver.keyboard.press(key);
    await waitUntil(async () => (await question(page).count()) === 0 || (await file(page)) !== before);
  };
  const states = async (): Promise<Record<string, number>> =>
    (await send<{ states: Record<string, number> }>('GET', `dataset/${id}/review_queues/${queue}`)).states;
  const stored = async (mediaId: string): Promise<readonly ListedAnnotation[]> =>
    (
      await send<{ annotations: ListedAnnotation[] }>(
        'GET',
        `dataset/${id}/annotations?source=ground_truth&media_id=${mediaId}`,
      )
    ).annotations;
  const mode = (page: ConsolePage, name: 'Answer' | 'Check') =>
    page.driver.getByRole('radio', { name, exact: true }).check();

  beforeAll(async () => {
    const { page, signingIn } = world();
    const folder = join(signingIn.running.folder, 'of two');
    for (let at = 0; at < PICTURES; at += 1) await writePicture(join(folder, `${at}.jpg`), 700 + at);
    const multipart = { dataset_name: 'Of two', bucket_path: folder };
    const made = await page.driver.request.post(signingIn.at('/api/v1/dataset'), { multipart });
    ({ dataset_id: id } = (await made.json()) as { dataset_id: string });
    const isReady = async () => (await send<{ status_new: string }>('GET', `dataset/${id}`)).status_new === 'READY';
    await waitUntil(isReady);
    [cleo, dan] = [await signedIn('cleo'), await signedIn('dan')];
    const { members } = await send<{ members: { user_id: string; email: string }[] }>('GET', 'workspace/members');
    for (const email of ['cleo@example.com', 'dan@example.com']) {
      const { user_id: user } = members.find((member) => member.email === email)!;
      await send('PUT', `workspace/members/${user}/role`, { role: 'editor' });
      await send('PUT', `manage/${id}/invite`, { grant_to_user_email: email, role: 'editor' });
    }
    ({ id: queue } = await send<{ id: string }>('POST', `dataset/${id}/review_queues`, {
      name: 'Of two',
      query: {},
      question: { type: 'choose', options: ['boat', 'house'] },
      reviewed: true,
    }));
  });

  afterEach(() => {
    for (const page of [cleo, dan]) expect(page.takeErrors()).toEqual([]);
  });

  it('get different items of a queue, check those of the other, and what was rejected comes back by a link', async () => {
    for (const page of [cleo, dan]) {
      await page.visit(`/datasets/${id}/review/${queue}`);
      await question(page).waitFor();
    }
    const answered = new Set<string>();
    const answer = async (page: ConsolePage, count: number, key: string): Promise<void> => {
      for (let at = 0; at < count; at += 1) {
        answered.add(await file(page));
        await press(page, key);
      }
    };
    await Promise.all([answer(cleo, AHEAD, '1'), answer(dan, PICTURES - AHEAD, '2')]);
    expect(answered.size).toBe(PICTURES);
    await waitUntil(async () => (await states())['to_review'] === PICTURES);
    for (const page of [cleo, dan]) await page.see('text', 'Nothing is left for you');

    // Nobody checks an own answer.
    await mode(cleo, 'Check');
    await cleo.see('text', 'Answered: boat');
    await press(cleo, 'y');
    await cleo.see('text', /^The answer was not taken: /);
    cleo.forgive(403);
    expect(await cleo.seriousFindings()).toEqual([]);
    await mode(cleo, 'Answer');

    await mode(dan, 'Check');
    await dan.see('text', 'Answered: boat');
    await press(dan, 'y');
    await waitUntil(async () => (await states())['done'] === 1);
    const rejected = await file(dan);
    await dan.driver.keyboard.press('n');
    await dan.driver.getByLabel('What is the matter?').fill(REASON);
    await dan.driver.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await waitUntil(async () => (await states())['rejected'] === 1);

    // She is told on any page, and the link leads to the item.
    await cleo.driver.getByRole('button', { name: /^Notifications, 1 unread/ }).click();
    await cleo.see('text', REASON);
    await cleo.driver.getByRole('link', { name: /An item of 'Of two' was rejected/ }).click();
    await cleo.see('text', 'This item was rejected by a reviewer.');
    expect(await file(cleo)).toBe(rejected);
    await cleo.driver.keyboard.press('2');
    await cleo.see('text', 'Nothing is left for you');
    await waitUntil(async () => (await states())['rejected'] === 0);
    while ((await question(dan).count()) > 0) await press(dan, 'y');
    dan.forgive(403);
    await waitUntil(async () => (await states())['done'] === AHEAD);
    expect((await states())['to_review']).toBe(PICTURES - AHEAD);
  });

  it('are told when both change an annotation, also after a connection was lost', async () => {
    const { items } = await send<{ items: { media_id: string }[] }>(
      'GET',
      `dataset/${id}/review_queues/${queue}/items`,
    );
    const { media_id: mediaId } = items[0]!;
    const said = { media_id: mediaId, id: 'one', label: 'boat', shape: BOX };
    await send('POST', `dataset/${id}/annotations`, { source: 'ground_truth', annotations: [said] });
    const box = async () => (await stored(mediaId)).find(({ id: each }) => each === 'one')!;
    const isBox = (label: string, x: number) =>
      waitUntil(async () => {
        const { label: now, shape } = await box();
        return now === label && (shape as typeof BOX).x === x;
      });
    const keys = async (page: ConsolePage, ...all: string[]): Promise<void> => {
      for (const key of all) await page.driver.keyboard.press(key);
    };
    const edit = async (page: ConsolePage): Promise<void> => {
      await page.visit(`/datasets/${id}/explore?media=${mediaId}`);
      await page.driver.getByRole('img', { name: 'Annotations' }).locator('g > title').waitFor({ state: 'attached' });
      await page.see('button', 'Edit');
      await keys(page, 'e');
      await page.driver.getByRole('group', { name: 'The picture, to draw on' }).waitFor();
      await keys(page, 'n');
      await page.see('text', /^(boat|ship) of ground_truth is selected/);
    };
    const relabel = async (page: ConsolePage, label: string): Promise<void> => {
      await keys(page, 'l');
      await page.driver.locator('input:focus').waitFor();
      await page.driver.keyboard.type(label);
      await keys(page, 'Enter');
    };
    const conflict = 'Somebody else changed this annotation';
    await edit(cleo);
    await edit(dan);
    await keys(dan, 'ArrowRight');
    await isBox('boat', BOX.x + 1);
    await relabel(cleo, 'ship');
    await cleo.see('alertdialog', conflict);
    cleo.forgive(409);
    await cleo.driver.getByRole('button', { name: 'Keep mine' }).click();
    await isBox('ship', BOX.x);

    await cleo.driver.context().setOffline(true);
    cleo.forgive('ERR_INTERNET_DISCONNECTED');
    await relabel(cleo, 'ferry');
    await keys(cleo, 'Escape');
    await relabel(cleo, 'harbour');
    await cleo.see('text', /not reachable. 2 edits will be saved/);
    await edit(dan);
    await keys(dan, 'ArrowDown');
    await waitUntil(async () => ((await box()).shape as typeof BOX).y === BOX.y + 1);
    await cleo.driver.context().setOffline(false);
    await cleo.see('alertdialog', conflict);
    await cleo.driver.getByRole('button', { name: 'Keep theirs' }).click();
    await cleo.see('text', 'All saved');
    const labels = (await stored(mediaId)).map(({ label }) => label).sort();
    expect(labels).toEqual(['boat', 'harbour', 'ship']);
    expect((await box()).shape).toEqual({ ...BOX, y: BOX.y + 1 });
  });
}
