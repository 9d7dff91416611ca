import { createHash } from 'node:crypto';
import type { Argon2Cost } from '../../passwords/argon2-cost.ts';
import { checkImportedHash } from '../../passwords/check-imported-hash.ts';
import { findBytes } from '../../passwords/find-bytes.ts';
import type { HashParameters } from '../../passwords/hash-parameters.ts';
import { encodePasswordHash, type PasswordHash } from '../../passwords/password-hash.ts';
import type { Fields, JsonObject } from '../fields.ts';
import { ImportProblem } from './import-problem.ts';

/** The parameters of the hashes of an import, and the name under which they are kept. */
export interface ImportParameters {
  readonly id: string;
  readonly parameters: HashParameters;
}

/** How the official emulators write passwords down: as they are. */
const FAKE_HASH = /^fakeHash:salt=(.*?):password=(.*)$/s;

/** What passwords from emulators are hashed with until somebody signs in with them. */
export const EMULATOR_PARAMETERS: HashParameters = {
  kind: 'digest',
  digest: 'sha256',
  rounds: 1,
  saltSeparator: new Uint8Array(),
  order: 'salt-first',
};

/** Is the password hash of an account one of the official emulators? */
export function isFakeHash(hash: string): boolean {
  return FAKE_HASH.test(hash);
}

/** The stored form of the hash of an imported account; `null` when it has none. */
export function importPassword(fields: Fields, imported: ImportParameters | undefined): JsonObject | null {
  const text = fields.filled('passwordHash');
  if (text === undefined) return null;
  if (imported === undefined) throw new ImportProblem('The hash algorithm of passwordHash is not known.');
  const fake = FAKE_HASH.exec(text);
  if (fake !== null && imported.parameters === EMULATOR_PARAMETERS)
    return encodePasswordHash(hashEmulatorPassword(fake, imported));
  const salt = parseBytes(fields.text('salt') ?? '', 'salt');
  const hash = parseBytes(text, 'passwordHash');
  const problem = checkImportedHash(imported.parameters, salt, hash);
  if (problem !== undefined) throw new ImportProblem(problem);
  const cost = findNativeCost(imported.parameters);
  if (cost !== undefined) return encodePasswordHash({ kind: 'native', cost, salt, hash });
  const { id: parametersId, parameters } = imported;
  return encodePasswordHash({ kind: 'imported', parametersId, parameters, salt, hash });
}

/** The cost of hashes that another Hearth made, which are as good here; `undefined` for others. */
function findNativeCost(parameters: HashParameters): Argon2Cost | undefined {
  if (parameters.kind !== 'argon2') return undefined;
  const { variant, version, associatedData, cost } = parameters;
  return variant === 'argon2id' && version === 0x13 && associatedData.length === 0 ? cost : undefined;
}

function hashEmulatorPassword(
  [, saltText = '', password = '']: RegExpExecArray,
  { id: parametersId, parameters }: ImportParameters,
): PasswordHash {
  const salt = Buffer.from(saltText);
  const hash = createHash('sha256').update(salt).update(password).digest();
  return { kind: 'imported', parametersId, parameters, salt, hash };
}

function parseBytes(text: string, name: string): Uint8Array {
  const bytes = findBytes(text);
  if (bytes === undefined) throw new ImportProblem(`${name} must be bytes in base64.`);
  return bytes;
}
