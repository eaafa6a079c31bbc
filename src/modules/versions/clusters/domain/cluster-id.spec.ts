import fc from 'fast-check';
import { z } from 'zod';
import { LEVELS } from '../../../../common/engine/media-table/media-row';
import { clusterId, parseClusterId, type Clusterings } from './cluster-id';
import { ENTITY_TYPES } from '../../domain/entity-type';

const clusteringId = fc.uuid();
const together = (id: string): Clusterings => ({ clusteringId: id, objectClusteringId: null, generation: id });
const row = fc.nat(2 ** 31 - 1);
const entityType = fc.constantFrom(...ENTITY_TYPES);
const similarity = fc.integer({ min: 800_000_000, max: 1_000_000_000 }).map((billionths) => billionths / 1e9);
const ref = fc.oneof(
  fc.record({ entityType, level: fc.constantFrom(...LEVELS), cluster: row }, { noNullPrototype: true }),
  fc.record({ entityType, similarity, centre: row }, { noNullPrototype: true }),
);

describe('cluster ids', () => {
  it('encode the cluster', () => {
    fc.assert(
      fc.property(clusteringId, ref, (clustering, cluster) =>
        expect(parseClusterId(together(clustering), clusterId(together(clustering), cluster))).toEqual(cluster),
      ),
    );
  });

  it('are UUIDs of version 8', () => {
    fc.assert(
      fc.property(clusteringId, ref, (clustering, cluster) => {
        expect(z.uuid({ version: 'v8' }).safeParse(clusterId(together(clustering), cluster)).success).toBe(true);
      }),
    );
  });

  it('are parsed case-insensitively', () => {
    const id = clusterId(together('c'), { entityType: 'OBJECTS', level: 3, cluster: 12 });
    expect(parseClusterId(together('c'), id.toUpperCase())).toEqual({ entityType: 'OBJECTS', level: 3, cluster: 12 });
  });

  it('are the same for the same clustering in all releases', () => {
    expect(
      clusterId(together('0e2a6a4e-7f6f-4c2b-9a57-1f1c8f0f9b11'), { entityType: 'IMAGES', level: 2, cluster: 7 }),
    ).toMatchInlineSnapshot(`"e9cad002-2897-810e-b101-eef000000007"`);
    expect(
      clusterId(together('0e2a6a4e-7f6f-4c2b-9a57-1f1c8f0f9b11'), {
        entityType: 'IMAGES',
        similarity: 0.95,
        centre: 7,
      }),
    ).toMatchInlineSnapshot(`"e72a1f17-afc9-83c8-b89f-d98000000007"`);
  });

  it.each([0.8, 0.95, 0.999, 1])('of near duplicates contain the requested similarity %d', (asked) => {
    const id = clusterId(together('c'), { entityType: 'OBJECTS', similarity: asked, centre: 3 });
    expect(parseClusterId(together('c'), id)).toEqual({ entityType: 'OBJECTS', similarity: asked, centre: 3 });
  });

  it('of another clustering are unknown', () => {
    fc.assert(
      fc.property(clusteringId, clusteringId, ref, (one, other, cluster) => {
        fc.pre(one !== other);
        expect(parseClusterId(together(other), clusterId(together(one), cluster))).toBeUndefined();
      }),
    );
  });

  it('of objects that were clustered apart from the images belong to their own clustering', () => {
    const apart: Clusterings = { clusteringId: 'images', objectClusteringId: 'objects', generation: 'g' };
    const [image, object] = (['IMAGES', 'OBJECTS'] as const).map(
      (type) => ({ entityType: type, level: 1, cluster: 2 }) as const,
    );
    expect(parseClusterId(apart, clusterId(apart, object!))).toEqual(object);
    expect(parseClusterId(apart, clusterId(together('objects'), object!))).toEqual(object);
    expect(parseClusterId(apart, clusterId(together('images'), object!))).toBeUndefined();
    expect(parseClusterId(apart, clusterId(together('images'), image!))).toEqual(image);
    expect(parseClusterId(apart, clusterId(together('objects'), image!))).toBeUndefined();
  });

  it('of near duplicates are unknown in another generation, from which other rows may be removed', () => {
    const [before, after] = [together('c'), { ...together('c'), generation: 'pruned' }];
    const [group, cluster] = [
      { entityType: 'IMAGES', similarity: 0.95, centre: 7 },
      { entityType: 'IMAGES', level: 1, cluster: 7 },
    ] as const;
    expect(parseClusterId(after, clusterId(before, group))).toBeUndefined();
    expect(parseClusterId(after, clusterId(before, cluster))).toEqual(cluster);
  });

  it('that were never issued are unknown', () => {
    fc.assert(
      fc.property(clusteringId, fc.oneof(fc.uuid(), fc.string()), (clustering, id) =>
        expect(parseClusterId(together(clustering), id)).toBeUndefined(),
      ),
    );
  });

  it('with one digit changed are unknown', () => {
    fc.assert(
      fc.property(
        clusteringId,
        ref,
        fc.nat(35),
        fc.nat(15).map((digit) => digit.toString(16)),
        (clustering, cluster, place, digit) => {
          const id = clusterId(together(clustering), cluster);
          fc.pre(id[place] !== '-' && id[place] !== digit);
          expect(
            parseClusterId(together(clustering), id.slice(0, place) + digit + id.slice(place + 1)),
          ).toBeUndefined();
        },
      ),
    );
  });
});
