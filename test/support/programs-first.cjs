const { join, relative, sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const FIRST = ['faults', 'e2e', 'integration'];

/** Units, which are quick, have the highest place. */
function placeOf({ path }) {
  const [folder] = relative(join(__dirname, '..'), path).split(sep);
  const place = FIRST.indexOf(folder);
  if (place >= 0) return place;
  return folder === '..' ? FIRST.length + 1 : FIRST.length;
}

/** Where Jest doesn't know how long each file takes: those that start programs must not come last, on one core alone. */
module.exports = class ProgramsFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.every(({ duration }) => duration !== undefined)) return sorted;
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
};
