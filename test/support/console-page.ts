import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Among the errors of a page, where something would be lost; the answer is yes. */
export const LEAVING = 'The browser asked before the page was left';
/** Moderate are headings out of order and landmarks without a name. */
const SERIOUS = ['moderate', 'serious', 'critical'];
/** Of React Aria, around a popover: its buttons for screen readers to close it lie in no landmark. */
const AROUND_POPOVERS = '<div style="display: contents;">';
const ABOUT_COLOURS = ['color-contrast', 'link-in-text-block'];

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** A page of the console, and whatever went wrong in it. */
export class ConsolePage {
  private errors: string[] = [];
  private forgiven: string[] = [];

  private constructor(
    readonly driver: Page,
    private readonly url: string,
  ) {
    // On busy processors a page may take long for what it shows at once otherwise.
    driver.setDefaultTimeout(60_000);
    driver.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
    driver.on('pageerror', ({ message }) => this.errors.push(message));
    driver.on('dialog', (dialog) => {
      const isLeaving = dialog.type() === 'beforeunload';
      this.errors.push(isLeaving ? LEAVING : `A dialog: ${dialog.message()}`);
      void (isLeaving ? dialog.accept() : dialog.dismiss());
    });
  }

  /** The tour is over for it. `prepare` is run in it before the console is. */
  static async open(browser: Browser, url: string, prepare?: string): Promise<ConsolePage> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      reducedMotion: 'reduce',
    });
    await context.addInitScript("localStorage.getItem('dms.tour') ?? localStorage.setItem('dms.tour', 'done')");
    // Also what the browser does not print.
    await context.addInitScript(
      `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error('Content security policy: ' + violatedDirective + ' ' + blockedURI))`,
    );
    if (prepare !== undefined) await context.addInitScript(prepare);
    return new ConsolePage(await context.newPage(), url);
  }

  async visit(path: string): Promise<void> {
    await this.driver.goto(`${this.url}${path}`);
  }

  /** Waits until it is there: something with a role and a name, or a text. */
  async see(role: Parameters<Page['getByRole']>[0] | 'text', name?: string | RegExp): Promise<void> {
    const found =
      role === 'text'
        ? this.driver.getByText(name ?? '')
        : this.driver.getByRole(role, name === undefined ? {} : { name });
    await found.filter({ visible: true }).first().waitFor();
  }

  /** And not only their places, which cannot be opened. */
  get tiles(): Locator {
    return this.driver.getByRole('gridcell').filter({ has: this.driver.locator('img') });
  }

  async seeTiles(): Promise<void> {
    await this.tiles.first().waitFor();
  }

  /** What the page says in expected trouble, by a status or a part of the text: until errors are taken, since it may say so later than it shows it. */
  forgive(what: number | string): void {
    this.forgiven.push(typeof what === 'number' ? `status of ${what}` : what);
  }

  takeErrors(): string[] {
    const errors = this.errors.filter((error) => !this.forgiven.some((text) => error.includes(text)));
    [this.errors, this.forgiven] = [[], []];
    return errors;
  }

  /** Of axe, in both colour schemes: whole in one, and what the other one can change. */
  async seriousFindings(): Promise<string[]> {
    if (await this.driver.evaluate<boolean>('window.axe === undefined')) await this.driver.evaluate(AXE);
    return [...(await this.findingsIn('light')), ...(await this.findingsIn('dark', ABOUT_COLOURS))];
  }

  private async findingsIn(colorScheme: 'light' | 'dark', rules?: readonly string[]): Promise<string[]> {
    await this.driver.emulateMedia({ colorScheme });
    const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) };
    const { violations } = await this.driver.evaluate<{ violations: Finding[] }>(
      `axe.run(document, ${JSON.stringify(options)})`,
    );
    return violations
      .filter(({ impact }) => SERIOUS.includes(impact))
      .flatMap(({ id, nodes }) =>
        nodes
          .filter(({ html }) => html !== AROUND_POPOVERS)
          .map(({ html, failureSummary }) => `${colorScheme} ${id}: ${html} ${failureSummary}`),
      );
  }
}
