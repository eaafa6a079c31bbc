import { Injectable } from '@nestjs/common';
import { identifier, inList } from '../../common/engine/media-table/literal';
import { kindCode } from '../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { SourceAnnotations } from '../versions';

/** By the id of an image or a frame, or by its path in the dataset. */
export type PictureName = { readonly mediaId: string } | { readonly fileName: string };

export interface NamedPicture {
  readonly row: number;
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

const PICTURES = `${identifier('kind')} IN ${inList([kindCode('IMAGE'), kindCode('FRAME')])}`;
const NAMES_AT_ONCE = 2_000;

/** Finds the pictures that annotations are about. */
@Injectable()
export class PicturesNamed {
  constructor(private readonly annotations: SourceAnnotations) {}

  /** Undefined for those that the version does not have. */
  async find(table: MediaTable, names: readonly PictureName[]): Promise<(NamedPicture | undefined)[]> {
    const ids = await this.annotations.idsOf(table);
    const paths = names.flatMap((name) => ('fileName' in name ? [name.fileName] : []));
    const rowOfPath = await rowsByPath(table, [...new Set(paths)]);
    const rows = names.map((name) =>
      'fileName' in name ? (rowOfPath.get(name.fileName) ?? -1) : ids.rowOfText(name.mediaId),
    );
    const wanted = [...new Set(rows)].filter((row) => row >= 0);
    const read = await table.takeRows(wanted, ['id', 'kind', 'width', 'height']);
    const pictures = new Map(
      read.flatMap(({ id, kind, width, height }, at) =>
        kind === 'IMAGE' || kind === 'FRAME' ? [[wanted[at]!, { row: wanted[at]!, id, width, height }] as const] : [],
      ),
    );
    return rows.map((row) => pictures.get(row));
  }
}

async function rowsByPath(table: MediaTable, paths: readonly string[]): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  for (let start = 0; start < paths.length; start += NAMES_AT_ONCE) {
    const filter = `${PICTURES} AND ${identifier('path')} IN ${inList(paths.slice(start, start + NAMES_AT_ONCE))}`;
    const ordinals = await table.filterOrdinals(filter);
    const found = await table.takeRows(ordinals, ['path']);
    found.forEach(({ path }, at) => rows.set(path, ordinals[at]!));
  }
  return rows;
}
