import type { Command } from '../command.js';
import { NotThereError, UsageError } from '../exit.js';

export const tags: Command = {
  name: 'tags',
  operands: 'DATASET [TAG]',
  summary: 'List the tags of a dataset, or rename or delete one',
  options: {
    rename: { type: 'string', value: 'NAME', help: 'Give the tag this name.' },
    delete: { type: 'boolean', help: 'Delete the tag, but not its media.' },
  },
  async run(run) {
    const [datasetName, tagName] = run.positionals as [string, string?];
    const [newName, isDeleted] = [run.text('rename'), run.flag('delete')];
    if ((newName !== undefined || isDeleted) && tagName === undefined)
      throw new UsageError('--rename and --delete require the name of a tag after the dataset');
    if (newName !== undefined && isDeleted) throw new UsageError('--rename and --delete cannot be used together');
    const dataset = await (await run.service()).findDataset(datasetName);
    const all = await dataset.tags();
    const found = tagName === undefined ? all : all.filter(({ name }) => name === tagName);
    const [tag] = found;
    if (tagName !== undefined && tag === undefined)
      throw new NotThereError(`The dataset has no tag "${tagName}". "dms tags DATASET" lists them.`);
    if (tag !== undefined && newName !== undefined) {
      const renamed = await dataset.renameTag(tag.id, newName);
      run.answer(renamed, () => run.print(`The tag is now called ${renamed.name}.`));
    } else if (tag !== undefined && isDeleted) {
      await dataset.deleteTag(tag.id);
      run.answer({ deleted: tag.id }, () => run.print(`The tag ${tag.name} is deleted.`));
    } else
      run.answer(found, () =>
        run.table(
          ['NAME', 'MEDIA', 'ID'],
          found.map(({ name, n_items: items, id }) => [name, items, id]),
        ),
      );
  },
};
