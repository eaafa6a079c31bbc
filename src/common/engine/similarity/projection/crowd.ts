/** The rows from which a row keeps away: some of all, or of those in cells near its own. */
export interface Crowd {
  /** For each row its nearest cells, `probes` each. */
  readonly cells: Int32Array;
  readonly probes: number;
  /** The rows of cell c are members[start[c]] to members[start[c + 1]]. */
  readonly members: Int32Array;
  readonly start: Int32Array;
}
