import type { Command } from '../command.js';
import { NotThereError } from '../exit.js';

const shown = (figure: number | null): string => (figure === null ? '' : figure.toFixed(3));

export const review: Command = {
  name: 'review',
  operands: 'DATASET [QUEUE]',
  summary: 'List the review queues of a dataset, or show how far one is',
  details: 'QUEUE is the name or the id of a queue.',
  options: {},
  async run(run) {
    const dataset = await (await run.service()).findDataset(run.positionals[0]!);
    const queues = await dataset.reviewQueues();
    const asked = run.positionals[1];
    if (asked === undefined) {
      run.answer(queues, () =>
        run.table(
          ['NAME', 'QUESTION', 'ITEMS', 'LEFT', 'DUE', 'PAUSED', 'ID'],
          queues.map((queue) => [
            queue.name,
            queue.question.type,
            queue.n_items,
            queue.n_left,
            queue.due_at?.slice(0, 16) ?? '',
            queue.paused ? 'yes' : '',
            queue.id,
          ]),
        ),
      );
      return;
    }
    const queue = queues.find(({ id, name }) => name === asked || id === asked.toLowerCase());
    if (queue === undefined)
      throw new NotThereError(`The dataset has no review queue "${asked}". "dms review DATASET" lists them.`);
    const progress = await dataset.reviewProgress(queue.id);
    const { agreement_figures: agreement, people_figures: people } = progress;
    run.answer(progress, () => {
      run.table(
        ['STATE', 'ITEMS'],
        Object.entries(progress.states).map(([state, items]) => [state.replace('_', ' '), items]),
      );
      run.table(
        ['PERSON', 'ANSWERED', 'SKIPPED', 'FLAGGED', 'REJECTED'],
        people.map((each) => [each.person, each.answered, each.skipped, each.flagged, each.rejected]),
      );
      run.note(
        `${progress.n_left} of ${progress.n_items} items are left; ${progress.rate_per_hour} decisions in the last hour.`,
      );
      if (agreement.observed !== null)
        run.note(
          `Agreement ${shown(agreement.observed)}, Cohen's kappa ${shown(agreement.cohen_kappa) || 'of two people only'}, Krippendorff's alpha ${shown(agreement.krippendorff_alpha)}.`,
        );
    });
  },
};
