import type { Page } from 'playwright-core';

/** Does something in a page, and answers when it began where that was not a press in the page. */
export type Act = () => Promise<number | undefined>;

/** A program with a grid of pictures in a browser. */
export interface Contender {
  readonly name: string;
  /** Of its grid, with nothing filtered. */
  readonly address: string;
  /** In its pages: lists the tiles that are in the document. */
  readonly tiles: string;
  /** What its pages find in the local storage of somebody who has used it before. */
  readonly stored: Readonly<Record<string, string>>;
  /** Opens what has to be open, up to the action itself. */
  prepareFilter(page: Page, label: string): Promise<Act>;
  /** Takes back what was sorted, unless the address of the grid does. */
  showAll(): void;
  /** Like `prepareFilter`, for sorting by similarity to the picture of that name, which is in sight in the console. */
  prepareSimilarity(page: Page, name: string): Promise<Act>;
  /** Which picture it was in the end, where the tile was a stack of several. */
  pictureSortedBy?(page: Page): Promise<string>;
}
