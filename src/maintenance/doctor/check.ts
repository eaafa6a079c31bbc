/** The result of a check: `warning` if the service can run without the part. */
export interface CheckResult {
  readonly part: string;
  readonly state: 'ok' | 'warning' | 'broken';
  /** The state of the part or, if it must be corrected, what to do. */
  readonly says: string;
}

export interface Verdict {
  readonly state: CheckResult['state'];
  readonly says: string;
}

export const ok = (says: string): Verdict => ({ state: 'ok', says });
export const warning = (says: string): Verdict => ({ state: 'warning', says });
export const broken = (says: string): Verdict => ({ state: 'broken', says });

const LIMIT_MS = 30_000;

/** A check that fails or times out has a result too. */
export async function check(part: string, work: () => Promise<Verdict>): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => resolve(broken(`It did not answer within ${LIMIT_MS / 1000} s.`)), LIMIT_MS);
  });
  const failed = (error: unknown): Verdict => broken(error instanceof Error ? error.message : String(error));
  try {
    return { part, ...(await Promise.race([Promise.resolve().then(work).catch(failed), tooLong])) };
  } finally {
    clearTimeout(timer);
  }
}
