// Loaded before the program. Sets its clock ahead by this many milliseconds.
const ahead = Number(process.env.CLOCK_AHEAD_MS);
const RealDate = Date;
const now = () => RealDate.now() + ahead;

globalThis.Date = class Date extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }

  static now() {
    return now();
  }
};
