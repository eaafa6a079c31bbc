const LOCALE = 'en';
const numbers = new Intl.NumberFormat(LOCALE);
const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const times = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const timesOfDay = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const timesOfYear = new Intl.DateTimeFormat(LOCALE, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const days = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

export const formatNumber = (value: number): string => numbers.format(value);
/** For little room: 1.2K. */
export const formatCount = (value: number): string => (value < 10_000 ? numbers.format(value) : compact.format(value));
/** Values that differ by less in percent are the same but for their floating point. */
const SAME_PERCENT = 1e-3;
/** Rounded down: what is below a limit in whole percents is not shown as if it had reached it. */
export const wholePercent = (fraction: number): number => Math.floor(100 * fraction + SAME_PERCENT);
export const formatPercent = (fraction: number): string => `${numbers.format(wholePercent(fraction))}%`;
/** Times of the API are in UTC, without a zone. */
export const formatTime = (time: string): string => times.format(new Date(`${time}Z`));
/** As short as it is clear: the time of day of today's, no year of this year's. */
export function formatShortTime(time: string): string {
  const date = new Date(`${time}Z`);
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return timesOfDay.format(date);
  return (date.getFullYear() === now.getFullYear() ? timesOfYear : days).format(date);
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 10 * SECOND) return `${(milliseconds / SECOND).toFixed(1)} s`;
  if (milliseconds < MINUTE) return `${Math.floor(milliseconds / SECOND)} s`;
  if (milliseconds < HOUR)
    return `${Math.floor(milliseconds / MINUTE)} min ${Math.floor((milliseconds % MINUTE) / SECOND)} s`;
  return `${formatNumber(Math.floor(milliseconds / HOUR))} h ${Math.floor((milliseconds % HOUR) / MINUTE)} min`;
}

/** Milliseconds since 1970. */
export const formatInstant = (milliseconds: number): string => times.format(new Date(milliseconds));
export const formatDecimal = (value: number, digits = 2): string => value.toFixed(digits);

export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toPrecision(3)} ${UNITS[power]!}`;
}

/** Of a video: 0:07, or 1:02:07. */
export function formatClock(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  const rest = two(Math.floor(seconds % 60));
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${two(minutes)}:${rest}`;
}

/** `1 image`, `2 images`. */
export const counted = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
