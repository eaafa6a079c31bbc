import type { Browser } from 'playwright-core';
import { ConsolePage } from '../support/console-page';
import type { SigningIn } from '../support/signing-in';

export interface SharedWorld {
  readonly signingIn: SigningIn;
  readonly browser: Browser;
  /** The page of the owner of the dataset, which lists all datasets. */
  readonly page: ConsolePage;
  /** The name of a dataset with a picture. */
  readonly dataset: string;
}

const VIEWER = 'bob@example.com';

/** A user with whom a dataset is shared, as part of the session tests. */
export function viewerCases(world: () => SharedWorld): void {
  let page: ConsolePage;
  const role = (name: 'button' | 'link' | 'menuitem', text: string | RegExp) =>
    page.driver.getByRole(name, { name: text });
  const isDisabled = (name: string): Promise<boolean> =>
    page.driver.getByRole('region', { name: 'Selection' }).getByRole('button', { name }).isDisabled();
  const openPage = async (name: string, seen: Parameters<ConsolePage['see']>): Promise<void> => {
    await role('link', name).first().click();
    await page.see(...seen);
  };
  const select = async (): Promise<void> => {
    await page.seeTiles();
    await page.tiles.first().click({ modifiers: ['Control'] });
    await page.see('button', 'Tag');
  };
  const make = async (path: string, body: object): Promise<void> => {
    const { page: own, signingIn } = world();
    const answer = await own.driver.request.put(signingIn.at(path), { data: body });
    expect(answer.status()).toBe(200);
  };

  beforeAll(async () => {
    const { signingIn, browser } = world();
    signingIn.provider.add({ sub: 'bob', email: VIEWER });
    page = await ConsolePage.open(browser, signingIn.running.url);
    signingIn.provider.who = 'bob';
    await page.visit('/datasets');
    await role('button', 'Sign in').click();
    await page.see('heading', 'No datasets yet');
  });

  /** No request was refused. */
  afterEach(() => {
    page.forgive(401);
    expect(page.takeErrors()).toEqual([]);
  });

  it('has no datasets before, and cannot create any', async () => {
    await page.see('text', /As a viewer of the workspace you cannot create any/);
    expect(await role('button', 'New dataset').count()).toBe(0);
    expect(await role('link', 'Administration').count()).toBe(0);
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('can be invited by the owner', async () => {
    const { page: own, dataset } = world();
    await own.driver.getByRole('button', { name: `Actions for ${dataset}` }).click();
    await own.driver.getByRole('menuitem', { name: 'Share' }).click();
    await own.driver.getByLabel('E-mail address').fill(VIEWER);
    await own.driver.getByRole('dialog').getByRole('button', { name: 'Share' }).click();
    await own.see('text', `Shared with ${VIEWER}.`);
    await own.see('button', `Stop sharing with ${VIEWER}`);
    expect(await own.seriousFindings()).toEqual([]);
    await own.driver.keyboard.press('Escape');
  });

  it('sees the dataset, and the reason why it cannot be changed in its menu', async () => {
    const { dataset } = world();
    let tell = (): void => undefined;
    const isOpen = new Promise<void>((resolve) => (tell = resolve));
    await page.driver.route('**/workspace/settings/access', async (route) => {
      await isOpen;
      await route.continue();
    });
    await page.driver.reload();
    await role('button', `Actions for ${dataset}`).click();
    await role('menuitem', 'Unreadable files').waitFor();
    // The menu stays open when the page learns that creating is not permitted.
    tell();
    await page.driver.getByText('New dataset').waitFor({ state: 'detached' });
    await page.driver.unrouteAll();
    const hindered = await role('menuitem', /^(Add media|Sync)/).all();
    expect(await Promise.all(hindered.map((entry) => entry.getAttribute('aria-disabled')))).toEqual(['true']);
    await page.see('text', 'You may look at this dataset, but not change it');
    expect(await role('menuitem', /^(Add annotations|Share|Delete)$/).count()).toBe(0);
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.keyboard.press('Escape');
    await role('link', dataset).first().click();
    await page.seeTiles();
  });

  it('cannot tag or export selected media, in Explore and on the map', async () => {
    await select();
    await page.see('text', 'You may look at these media, but not tag or export them');
    expect([await isDisabled('Tag'), await isDisabled('Export')]).toEqual([true, true]);
    await page.driver.keyboard.press('l');
    expect([await role('button', 'Labels').count(), await page.driver.getByRole('dialog').count()]).toEqual([0, 0]);
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.keyboard.press('Escape');
    await page.driver.getByLabel('File name', { exact: true }).fill('jpg');
    await page.driver.getByLabel('File name', { exact: true }).press('Enter');
    await role('button', 'Show on the map').click();
    await page.see('text', '1 of 1 match');
    await page.see('text', 'You may look at these media, but not tag or export them');
    for (const name of ['Tag', 'Export']) expect(await role('button', name).isDisabled()).toBe(true);
  });

  it('looks at pictures, and cannot edit them', async () => {
    await page.visit(`/datasets/${new URL(page.driver.url()).pathname.split('/')[2]!}/explore?level=0`);
    await page.tiles.first().click();
    await page.see('heading', /jpg/);
    await page.driver.keyboard.press('e');
    expect(await role('button', /^(Edit|Done)$/).count()).toBe(0);
    await page.driver.keyboard.press('Escape');
  });

  it('sees on the other pages of the dataset that it is read-only', async () => {
    await openPage('History', ['text', 'You may look at this dataset, but not change it.']);
    expect(await role('button', /^(Take a snapshot|Restore|Actions for (?!.*dataset))/).count()).toBe(0);
    await openPage('Enrich', ['text', 'Only editors and the owner of the dataset can apply models.']);
    expect(await role('button', /^(Apply|Try)/).count()).toBe(0);
    expect(await page.driver.getByRole('radio', { disabled: false, name: /Drawn world/ }).count()).toBe(0);
    await openPage('Duplicates', ['heading', 'Duplicates']);
    expect(await role('button', /^Accept/).count()).toBe(0);
    await openPage('Tasks', ['text', 'Create dataset']);
    expect(await role('button', /^(Abort|Retry)/).count()).toBe(0);
    await openPage('Views', ['heading', 'No views yet']);
    expect(await page.seriousFindings()).toEqual([]);
    expect(await role('link', 'Webhooks').count()).toBe(0);
    await page.visit(new URL(page.driver.url()).pathname.replace('/views', '/webhooks'));
    await page.see('heading', 'Webhooks are not shown to viewers');
  });

  it('can change their own views, and sees why not those of others', async () => {
    const { page: own, signingIn } = world();
    const dataset = new URL(page.driver.url()).pathname.split('/')[2]!;
    const save = async (who: ConsolePage, name: string): Promise<void> => {
      const path = signingIn.at(`/api/v1/dataset/${dataset}/views?entity_type=IMAGES`);
      expect((await who.driver.request.post(path, { multipart: { name } })).status()).toBe(200);
    };
    await save(own, 'of the owner');
    await save(page, 'of the viewer');
    await openPage('Views', ['heading', 'of the owner']);
    const alerts = (of: string) => page.driver.getByRole('switch', { name: `Notifications of of the ${of}` });
    expect([await alerts('owner').isDisabled(), await alerts('viewer').isDisabled()]).toEqual([true, false]);
    await role('button', 'Actions for of the owner').click();
    await page.see('text', 'Only who saved it and editors of the dataset can change it.');
    expect(await role('menuitem', /^Delete/).getAttribute('aria-disabled')).toBe('true');
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.keyboard.press('Escape');
    await role('button', 'Actions for of the viewer').click();
    await role('menuitem', /^Delete/).click();
    await page.driver.getByRole('button', { name: 'Delete the view' }).click();
    await page.driver.getByRole('heading', { name: 'of the viewer', exact: true }).waitFor({ state: 'detached' });
    await role('link', 'of the owner').click();
    await page.see('text', /Only who saved it and editors/);
    expect(await role('button', 'Delete').count()).toBe(0);
  });

  it('sees how far a review queue is, and is not asked', async () => {
    const { page: own, signingIn } = world();
    const dataset = new URL(page.driver.url()).pathname.split('/')[2]!;
    const data = { name: 'For editors', query: {}, question: { type: 'labels' } };
    const path = signingIn.at(`/api/v1/dataset/${dataset}/review_queues`);
    expect((await own.driver.request.post(path, { data })).status()).toBe(201);
    await openPage('Review', ['link', 'For editors']);
    await role('link', 'For editors').click();
    await page.see('text', '1 of 1 left');
    expect(await page.driver.getByRole('radio', { name: /^(Answer|Check)$/ }).count()).toBe(0);
    expect(await page.driver.getByRole('complementary', { name: 'Question' }).count()).toBe(0);
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('sees evaluations, also outdated ones, and cannot make, run or change them', async () => {
    const { page: own, signingIn } = world();
    const dataset = new URL(page.driver.url()).pathname.split('/')[2]!;
    const send = async (path: string, data: object): Promise<void> => {
      const answer = await own.driver.request.post(signingIn.at(`/api/v1/dataset/${dataset}/${path}`), { data });
      expect(answer.ok()).toBe(true);
    };
    const file = await page.driver.request.get(signingIn.at(`/api/v1/explore/${dataset}?threshold=0`));
    const { clusters } = (await file.json()) as { clusters: { previews: { media_id: string }[] }[] };
    const said = (label: string) => [{ media_id: clusters[0]!.previews[0]!.media_id, label }];
    await send('annotations', { source: 'people', kind: 'truth', annotations: said('boat') });
    await send('annotations', { source: 'model', kind: 'predictions', annotations: said('boat') });
    const asked = { name: 'Of the owner', truth: 'people', predictions: 'model', task: 'classification' };
    await send('evaluations', asked);
    await openPage('Evaluate', ['text', 'Accuracy']);
    await send('annotations', { source: 'model', kind: 'predictions', annotations: said('house') });
    await role('link', 'Of the owner').click();
    await page.see('text', /^Since then, the predictions changed/);
    await page.see('heading', 'Classes');
    expect(await role('button', /^(New evaluation|Run again|Actions for Of the owner)$/).count()).toBe(0);
    expect(await page.seriousFindings()).toEqual([]);
    await role('button', 'All evaluations').click();
    await page.see('list', 'Evaluations');
    expect(await role('button', /^(New evaluation|Actions for Of the owner)$/).count()).toBe(0);
  });

  it('can export as an editor of the workspace, and tag as an editor of the dataset', async () => {
    const { page: own, signingIn } = world();
    const answer = await own.driver.request.get(signingIn.at('/api/v1/workspace/members'));
    const { members } = (await answer.json()) as { members: { user_id: string; email: string }[] };
    const { user_id: bob } = members.find(({ email }) => email === VIEWER)!;
    await make(`/api/v1/workspace/members/${bob}/role`, { role: 'editor' });
    const explore = `/datasets/${new URL(page.driver.url()).pathname.split('/')[2]!}/explore`;
    await page.visit(explore);
    await select();
    await page.see('text', 'Only editors and the owner of the dataset can tag');
    expect([await isDisabled('Tag'), await isDisabled('Export')]).toEqual([true, false]);
    await make(`/api/v1/manage/${explore.split('/')[2]!}/invite`, { grant_to_user_email: VIEWER, role: 'editor' });
    await page.visit(explore);
    await select();
    expect([await isDisabled('Tag'), await isDisabled('Export')]).toEqual([false, false]);
    expect(await isDisabled('Labels')).toBe(false);
    await role('link', 'Datasets').click();
    await page.see('button', 'New dataset');
  });
}
