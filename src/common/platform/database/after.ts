/** In SQL, the time that many milliseconds after now, by the clock of the database: those of the processes may differ by minutes. */
export const after = (milliseconds: string): string => `now() + make_interval(secs => ${milliseconds}::float8 / 1000)`;
