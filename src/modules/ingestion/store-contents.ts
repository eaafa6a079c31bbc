import type { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { StoreContents } from '../../common/platform/installation/store-identity';
import { everyObject, type ObjectStore } from '../../common/platform/storage/object-store';
import { isOwnKey, OWN_PREFIXES } from './storage-keys';
import { prefixesInStore } from './persistence/store-contents.repository';

/** Inspects a store without a marker, which may contain files of other programs. */
export const storeContents = (store: ObjectStore, transactions: TransactionRunner): StoreContents => ({
  async isUsed() {
    for (const prefix of OWN_PREFIXES) {
      for await (const { key } of everyObject(store, prefix)) if (isOwnKey(key)) return true;
    }
    return false;
  },

  async isKnown() {
    for (const prefix of await prefixesInStore(transactions)) {
      if ((await store.list(prefix, { limit: 1 })).objects.length > 0) return true;
    }
    return false;
  },
});
