import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeHashParameters, encodeHashParameters } from './hash-parameter-store.ts';
import { hashParametersArbitrary } from './hash-parameters.arbitrary.ts';

const SEAL_MARK = 'sealed:';

function seal(secret: Uint8Array): string {
  return SEAL_MARK + Buffer.from(secret).toString('hex');
}

function unseal(sealed: string): Uint8Array {
  return Buffer.from(sealed.slice(SEAL_MARK.length), 'hex');
}

test('[I67] hash parameters are read back as they were stored', () => {
  fc.assert(
    fc.property(hashParametersArbitrary, (parameters) => {
      const record: unknown = JSON.parse(JSON.stringify(encodeHashParameters(parameters, seal)));
      expect(decodeHashParameters(record, unseal)).toEqual(parameters);
    }),
  );
});

test('[I67] a signer key is stored sealed', () => {
  const signerKey = Buffer.from('key of the signer');
  const parameters = {
    kind: 'hmac',
    digest: 'md5',
    signerKey,
    saltSeparator: Buffer.alloc(0),
    order: 'salt-first',
  } as const;
  const record = encodeHashParameters(parameters, seal);
  expect(record['signerKey']).toBe(seal(signerKey));
  expect(JSON.stringify(record)).not.toContain(signerKey.toString('base64'));
});

test.each([null, {}, { hashAlgorithm: 'SCRYPT' }, { hashAlgorithm: 'MD5', rounds: -1 }])(
  '[I67] the damaged record %j is rejected',
  (record) => {
    expect(() => decodeHashParameters(record, unseal)).toThrow();
  },
);
