const KINDS = ['creation', 'addition', 'annotation'] as const;

/** An upload that had something left to send when its page was left. */
export interface LeftUpload {
  readonly kind: (typeof KINDS)[number];
  readonly name: string;
  readonly done: number;
  readonly total: number;
}

/** Of this tab: another one has its own uploads. */
const KEY = 'dms.uploads';

function isLeft(value: unknown): value is LeftUpload {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, name, done, total } = value as Partial<Record<keyof LeftUpload, unknown>>;
  const isKnown = KINDS.some((each) => each === kind);
  return isKnown && typeof name === 'string' && typeof done === 'number' && typeof total === 'number';
}

/** Stored values may come from another version or from people. */
export function readLeftUploads(text: string | null): readonly LeftUpload[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(found) ? found.filter(isLeft) : [];
  } catch {
    return [];
  }
}

let left: readonly LeftUpload[] | undefined;
const running = new Map<number, LeftUpload>();

const keep = (): void => sessionStorage.setItem(KEY, JSON.stringify([...leftUploads(), ...running.values()]));

/** By the pages before this one, and not hidden since. */
export const leftUploads = (): readonly LeftUpload[] => (left ??= readLeftUploads(sessionStorage.getItem(KEY)));

export function hideLeftUpload(upload: LeftUpload): void {
  left = leftUploads().filter((each) => each !== upload);
  keep();
}

/** The unsent rest of an upload; null if there is none. */
export function noteUpload(id: number, upload: LeftUpload | null): void {
  if (upload === null) running.delete(id);
  else running.set(id, upload);
  keep();
}
