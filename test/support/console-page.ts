import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Recorded among the errors of a page when the browser asks before unsaved changes are lost; the question is answered with yes. */
export const LEAVING = 'The browser asked before the page was left';
/** Moderate findings include headings out of order and landmarks without a name. */
const SERIOUS = ['moderate', 'serious', 'critical'];
/** The element of React Aria around a popover: its close buttons for screen readers are outside of any landmark. */
const AROUND_POPOVERS = '<div style="display: contents;">';
const ABOUT_COLOURS = ['color-contrast', 'link-in-text-block'];

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** A page of the console, with the errors that occurred in it. */
export class ConsolePage {
  private errors: string[] = [];
  private forgiven: string[] = [];

  private constructor(
    readonly driver: Page,
    private readonly url: string,
  ) {
    // On busy processors a page may be slow to show its content.
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

  /** Opens the page with the tour already completed. `prepare` is a script that runs before the console. */
  static async open(browser: Browser, url: string, prepare?: string): Promise<ConsolePage> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      reducedMotion: 'reduce',
    });
    await context.addInitScript("localStorage.getItem('dms.tour') ?? localStorage.setItem('dms.tour', 'done')");
    // Also records errors that the browser does not print.
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

  /** Waits until an element with a role and a name, or a text, is visible. */
  async see(role: Parameters<Page['getByRole']>[0] | 'text', name?: string | RegExp): Promise<void> {
    const found =
      role === 'text'
        ? this.driver.getByText(name ?? '')
        : this.driver.getByRole(role, name === undefined ? {} : { name });
    await found.filter({ visible: true }).first().waitFor();
  }

  /** The tiles that are loaded, without placeholders, which cannot be opened. */
  get tiles(): Locator {
    return this.driver.getByRole('gridcell').filter({ has: this.driver.locator('img') });
  }

  async seeTiles(): Promise<void> {
    await this.tiles.first().waitFor();
  }

  /** Ignores expected errors, given by a status or a part of the text, until the errors are read, because a page may log an error later than it shows it. */
  forgive(what: number | string): void {
    this.forgiven.push(typeof what === 'number' ? `status of ${what}` : what);
  }

  takeErrors(): string[] {
    const errors = this.errors.filter((error) => !this.forgiven.some((text) => error.includes(text)));
    [this.errors, this.forgiven] = [[], []];
    return errors;
  }

  /** Serious findings of axe in both colour schemes: all rules in one scheme, and in the other the rules that depend on the scheme. */
  async seriousFindings(): Promise<string[]> {
    // A page that is still loading has no heading yet.
    await this.driver.locator('h1').first().waitFor({ state: 'attached' });
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
