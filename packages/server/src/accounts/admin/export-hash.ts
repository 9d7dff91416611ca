import type { HashParameters } from '../../passwords/hash-parameters.ts';
import { encodeHashParameters } from '../../passwords/hash-parameters-record.ts';
import { decodePasswordHash, type PasswordHash } from '../../passwords/password-hash.ts';
import type { JsonObject } from '../fields.ts';

/** A password hash as whoever may read hashes is shown it. */
export interface ExportedHash {
  /** `passwordHash`, `salt`, `version` and the name of the parameters. */
  readonly members: JsonObject;
  readonly parametersId: string;
  /** Members of the request that would import it, the signer key among them. */
  readonly parameters: JsonObject;
}

/** Hashes as they came with an import, and Hearth's own, which official tools must not mix up with those. */
const IMPORTED_VERSION = 0;
const NATIVE_VERSION = 1;

/** The hash of an account in the form of the interface: bytes in base64 for addresses, padded. */
export function exportHash(
  stored: JsonObject,
  mustFindParameters: (id: string) => HashParameters,
): ExportedHash {
  const hash = decodePasswordHash(stored, mustFindParameters);
  const { id, parameters } = describe(hash);
  return {
    members: {
      passwordHash: base64url(hash.hash),
      ...(hash.salt.length === 0 ? {} : { salt: base64url(hash.salt) }),
      version: hash.kind === 'native' ? NATIVE_VERSION : IMPORTED_VERSION,
      hashParametersId: id,
    },
    parametersId: id,
    parameters,
  };
}

function describe(hash: PasswordHash): { readonly id: string; readonly parameters: JsonObject } {
  switch (hash.kind) {
    case 'imported':
      return {
        id: hash.parametersId,
        parameters: encodeHashParameters(hash.parameters, (key) => Buffer.from(key).toString('base64')),
      };
    case 'native': {
      const { memoryKiB, passes, parallelism } = hash.cost;
      const parameters = encodeHashParameters(
        {
          kind: 'argon2',
          variant: 'argon2id',
          version: 0x13,
          cost: hash.cost,
          associatedData: new Uint8Array(),
        },
        () => '',
      );
      return { id: `argon2id-${memoryKiB}-${passes}-${parallelism}`, parameters };
    }
    default:
      return hash satisfies never;
  }
}

/** Padded, as tools that only exchange the two letters write it into files. */
function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}
