import { Injectable } from '@nestjs/common';
import { identifier, inList } from '../../common/engine/media-table/literal';
import { kindCode } from '../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { SourceAnnotations, type OpenedVersion } from '../versions';

/** By the id of an image or a frame, or by its path in the dataset. */
export type PictureName = { readonly mediaId: string } | { readonly fileName: string };

export interface NamedPicture {
  readonly row: number;
  readonly id: string;
}

export interface PictureSize {
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
  async find({ table, index }: OpenedVersion, names: readonly PictureName[]): Promise<(NamedPicture | undefined)[]> {
    const ids = await this.annotations.idsOf(table);
    const paths = names.flatMap((name) => ('fileName' in name ? [name.fileName] : []));
    const rowOfPath = await rowsByPath(table, [...new Set(paths)]);
    return names.map((name) => {
      const row = 'fileName' in name ? rowOfPath.get(name.fileName) : ids.rowOfText(name.mediaId);
      if (row === undefined || row < 0) return undefined;
      return ['IMAGE', 'FRAME'].includes(index.kindOf(row)) ? { row, id: ids.idOf(row) } : undefined;
    });
  }

  /** By row. */
  async sizesOf({ table }: OpenedVersion, rows: readonly number[]): Promise<ReadonlyMap<number, PictureSize>> {
    const read = await table.takeRows(rows, ['width', 'height']);
    return new Map(rows.map((row, at) => [row, read[at]!]));
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
