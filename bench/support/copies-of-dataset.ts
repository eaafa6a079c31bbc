import type { RunningService } from './running-service';

interface Named {
  readonly file_name: string;
}

interface Page {
  readonly total_pages: number;
  readonly clusters: readonly {
    readonly cluster_id: string;
    readonly n_images: number;
    readonly previews: readonly Named[];
  }[];
}

/** The id of the finest cluster of each picture, by its file name: pictures in the same cluster are copies. */
export async function copiesOf(service: RunningService, datasetId: string): Promise<ReadonlyMap<string, string>> {
  const explore = `/api/v1/explore/${datasetId}`;
  const found = new Map<string, string>();
  for (let page = 0, pages = 1; page < pages; page++) {
    const { clusters, total_pages: total } = await service.ask<Page>(
      'GET',
      `${explore}?threshold=0&page_number=${page}`,
    );
    pages = total;
    for (const { cluster_id: id, n_images: size, previews } of clusters) {
      const members =
        size === previews.length
          ? previews
          : (await service.ask<{ readonly members: readonly Named[] }>('GET', `${explore}/clusters/${id}?limit=1000`))
              .members;
      for (const { file_name: name } of members) found.set(name, id);
    }
  }
  return found;
}
