import type { Page } from 'playwright-core';

/** Performs an action in a page. Returns its start time if the action was not a press in the page. */
export type Act = () => Promise<number | undefined>;

/** A program that shows a grid of pictures in a browser. */
export interface Contender {
  readonly name: string;
  /** The address of the unfiltered grid. */
  readonly address: string;
  /** An expression that lists the tiles in the document of a page. */
  readonly tiles: string;
  /** The content of local storage for a user who has used the program before. */
  readonly stored: Readonly<Record<string, string>>;
  /** Opens all panels that are needed before the action. */
  prepareFilter(page: Page, label: string): Promise<Act>;
  /** Undoes sorting, unless opening the address of the grid does. */
  showAll(): void;
  /** Like `prepareFilter`, for sorting by similarity to the picture of that name, which must be visible in the console. */
  prepareSimilarity(page: Page, name: string): Promise<Act>;
  /** Returns the picture that was used, if the tile was a stack of several. */
  pictureSortedBy?(page: Page): Promise<string>;
}
