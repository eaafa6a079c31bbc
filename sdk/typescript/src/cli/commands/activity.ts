import { take } from '../../paging.js';
import type { Command } from '../command.js';
import { plain } from '../output.js';

export const tasks: Command = {
  name: 'tasks',
  operands: '[DATASET]',
  summary: 'List tasks, newest first',
  options: {
    running: { type: 'boolean', help: 'Only running tasks.' },
    limit: { type: 'string', value: 'N', help: 'At most this many; default 20.' },
  },
  async run(run) {
    const service = await run.service();
    const [name] = run.positionals;
    const dataset = name === undefined ? undefined : await service.findDataset(name);
    const filter = {
      ...(dataset === undefined ? {} : { dataset_id: dataset.id }),
      ...(run.flag('running') ? { task_status: 'RUNNING' as const } : {}),
    };
    const found = await take(service.tasks(filter), run.number('limit', 20, 1, 100_000));
    run.answer(found, () =>
      run.table(
        ['STARTED', 'TYPE', 'STATUS', '%', 'DATASET', 'BY', 'MESSAGE'],
        found.map((each) => [
          each.start_time.slice(0, 19),
          each.task_type,
          each.status,
          each.progress_percentage,
          each.dataset_name,
          each.created_by,
          each.error_message ?? each.status_message,
        ]),
      ),
    );
  },
};

export const watch: Command = {
  name: 'watch',
  operands: '[DATASET]',
  summary: 'Print notifications as they arrive, until Ctrl-C',
  details: 'With --json, one line each. Reconnects if the connection is lost, without missing notifications.',
  options: { count: { type: 'string', value: 'N', help: 'Exit after this many.' } },
  async run(run) {
    const service = await run.service();
    const [name] = run.positionals;
    const dataset = name === undefined ? undefined : await service.findDataset(name);
    const most = run.number('count', Infinity, 1, 1_000_000_000);
    let seen = 0;
    const options = { signal: run.signal, onOpen: () => run.note('Watching …') };
    for await (const each of service.stream({
      ...options,
      ...(dataset === undefined ? {} : { datasetId: dataset.id }),
    })) {
      run.print(
        run.json
          ? JSON.stringify(each)
          : plain(`${each.created_at.slice(0, 19)}  ${each.title}${each.message === null ? '' : `: ${each.message}`}`),
      );
      seen += 1;
      if (seen >= most) return;
    }
  },
};
