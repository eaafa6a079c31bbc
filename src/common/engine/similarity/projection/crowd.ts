/** The rows that push a row away are drawn from the cells near it, or from all rows if there are no cells. */
export interface Crowd {
  /** For each row its nearest cells, `probes` each. */
  readonly cells: Int32Array;
  readonly probes: number;
  /** The rows of cell c are members[start[c]] to members[start[c + 1]]. */
  readonly members: Int32Array;
  readonly start: Int32Array;
}
