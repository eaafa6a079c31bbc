import { broken, ok, warning, type Verdict } from './check';

const NOTICED_MS = 5_000;
/** Tokens and signed requests are refused when clocks differ by more than a few minutes. */
const REFUSED_MS = 60_000;

/** How far the clock of this machine is ahead. */
export function clockVerdict(of: string, aheadMs: number): Verdict {
  const seconds = Math.round(Math.abs(aheadMs) / 100) / 10;
  const says = `The clock of this machine is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} that of ${of}`;
  if (Math.abs(aheadMs) > REFUSED_MS) return broken(`${says}: synchronise both by NTP.`);
  return Math.abs(aheadMs) > NOTICED_MS ? warning(`${says}: synchronise both by NTP.`) : ok(says);
}
