const LOCALE = 'en';
const numbers = new Intl.NumberFormat(LOCALE);
const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 0 });
const times = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

export const formatNumber = (value: number): string => numbers.format(value);
/** For little room: 1.2K. */
export const formatCount = (value: number): string => (value < 10_000 ? numbers.format(value) : compact.format(value));
export const formatPercent = (fraction: number): string => percents.format(fraction);
/** Times of the API are in UTC, without a zone. */
export const formatTime = (time: string): string => times.format(new Date(`${time}Z`));
export const formatDecimal = (value: number, digits = 2): string => value.toFixed(digits);

export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toPrecision(3)} ${UNITS[power]!}`;
}

/** `1 image`, `2 images`. */
export const counted = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
