import type { Adapter, AdapterPayload } from 'oidc-provider';

const kept = new Map<string, AdapterPayload>();

/** The storage of the identity provider in tests. */
export class OidcMemory implements Adapter {
  constructor(private readonly kind: string) {}

  upsert(id: string, payload: AdapterPayload): Promise<void> {
    kept.set(this.key(id), payload);
    return Promise.resolve();
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(kept.get(this.key(id)));
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.first((payload) => payload.uid === uid));
  }

  findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.first((payload) => payload.userCode === userCode));
  }

  consume(id: string): Promise<void> {
    const payload = kept.get(this.key(id));
    if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    return Promise.resolve();
  }

  destroy(id: string): Promise<void> {
    kept.delete(this.key(id));
    return Promise.resolve();
  }

  revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key);
    return Promise.resolve();
  }

  private first(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    return [...kept].find(([key, payload]) => key.startsWith(`${this.kind}/`) && matches(payload))?.[1];
  }

  private key(id: string): string {
    return `${this.kind}/${id}`;
  }
}
