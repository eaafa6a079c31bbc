interface List<T> {
  readonly size: number;
  filter(keep: (value: T) => boolean): List<T>;
}

/** An operation or a group, as Swagger UI keeps it. */
interface Entry {
  getIn(path: readonly string[], otherwise: string): string;
  get(name: 'operations'): List<Entry>;
  set(name: 'operations', operations: List<Entry>): Entry;
}

interface Groups {
  map(change: (group: Entry, name: string) => Entry): Groups;
  filter(keep: (group: Entry) => boolean): Groups;
}

/** A plugin of Swagger UI: its filter finds operations by all words, in paths, ids and texts. It runs in the browser, so it refers to nothing outside. */
export const docsSearch = () => ({
  fn: {
    opsFilter: (groups: Groups, phrase: string): Groups => {
      const words = phrase
        .toLowerCase()
        .split(' ')
        .filter((word) => word !== '');
      const textOf = (operation: Entry): string =>
        [['path'], ['method'], ['operation', 'operationId'], ['operation', 'summary'], ['operation', 'description']]
          .map((path) => operation.getIn(path, ''))
          .join(' ');
      const hasWords = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
      return groups
        .map((group, name) =>
          group.set(
            'operations',
            group.get('operations').filter((operation) => hasWords(`${name} ${textOf(operation)}`)),
          ),
        )
        .filter((group) => group.get('operations').size > 0);
    },
  },
});
