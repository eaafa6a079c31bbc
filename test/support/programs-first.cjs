const { join, relative, sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const FIRST = ['faults', 'e2e', 'integration'];

/** Unit tests, which are quick, have the highest place. */
function placeOf({ path }) {
  const [folder] = relative(join(__dirname, '..'), path).split(sep);
  const place = FIRST.indexOf(folder);
  if (place >= 0) return place;
  return folder === '..' ? FIRST.length + 1 : FIRST.length;
}

/** The order if Jest does not know the durations of files: those that start programs must not come last, when only one worker is left. */
module.exports = class ProgramsFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.every(({ duration }) => duration !== undefined)) return sorted;
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
};
