import { Sealer } from './sealer';

const secretKey = Buffer.alloc(32, 7);
const sealer = new Sealer(secretKey, 'letters');

describe('Sealer', () => {
  it.each(['', 'secret', 'ü'.repeat(5000)])('opens what it sealed', (text) => {
    expect(sealer.open(sealer.seal(text, 'me'), 'me')).toBe(text);
    expect(new Sealer(secretKey, 'letters').open(sealer.seal(text, 'me'), 'me')).toBe(text);
  });

  it('seals the same text differently each time', () => {
    expect(sealer.seal('secret', 'me').equals(sealer.seal('secret', 'me'))).toBe(false);
  });

  it('does not open a text sealed for another owner, purpose or key', () => {
    const sealed = sealer.seal('secret', 'me');
    expect(sealer.open(sealed, 'you')).toBeUndefined();
    expect(new Sealer(secretKey, 'parcels').open(sealed, 'me')).toBeUndefined();
    expect(new Sealer(Buffer.alloc(32, 8), 'letters').open(sealed, 'me')).toBeUndefined();
  });

  it('does not open a text that was modified, truncated or extended', () => {
    const sealed = sealer.seal('secret', 'me');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = changed[at]! ^ 1;
      expect(sealer.open(changed, 'me')).toBeUndefined();
      expect(sealer.open(sealed.subarray(0, at), 'me')).toBeUndefined();
    }
    expect(sealer.open(Buffer.concat([sealed, Buffer.of(0)]), 'me')).toBeUndefined();
  });

  it('opens a text that was sealed with the accepted key', () => {
    const acceptedSecretKey = Buffer.alloc(32, 8);
    const both = Sealer.with({ secretKey, acceptedSecretKey }, 'letters');
    expect(both.open(new Sealer(acceptedSecretKey, 'letters').seal('theirs', 'me'), 'me')).toBe('theirs');
    expect(both.open(new Sealer(Buffer.alloc(32, 9), 'letters').seal('others', 'me'), 'me')).toBeUndefined();
    expect(sealer.open(both.seal('ours', 'me'), 'me')).toBe('ours');
    expect(both.keyIds).toEqual([sealer.keyId, new Sealer(acceptedSecretKey, 'letters').keyId]);
    expect(Sealer.with({ secretKey, acceptedSecretKey: null }, 'letters').keyIds).toEqual([sealer.keyId]);
  });

  it('has the same key id for every purpose', () => {
    expect(sealer.keyId).toMatch(/^[0-9a-f]{16}$/);
    expect(new Sealer(secretKey, 'parcels').keyId).toBe(sealer.keyId);
    expect(new Sealer(Buffer.alloc(32, 8), 'letters').keyId).not.toBe(sealer.keyId);
  });
});
