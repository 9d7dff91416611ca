import type { SecondFactor } from '../accounts/account.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import type { ProjectSettings } from '../projects/project.ts';
import type { FactorKind } from './factor.ts';
import { phoneFactor } from './phone-factor.ts';
import { isOfferedToAll } from './policy.ts';
import { totpFactor } from './totp.ts';

/** All kinds of second factor. */
export const SECOND_FACTORS: Readonly<Record<SecondFactor['kind'], FactorKind>> = {
  totp: totpFactor,
  phone: phoneFactor,
};

/** The kind of second factor that a request names, and its parameters. */
export interface RequestedKind {
  readonly kind: FactorKind;
  readonly block: Fields;
}

const KINDS = Object.values(SECOND_FACTORS);

/**
 * Returns the kind of second factor that a request names. Throws if it names none or several, or a kind that no
 * account in the project may use.
 */
export function requireKind(
  fields: Fields,
  step: keyof FactorKind['blocks'],
  settings: ProjectSettings,
): RequestedKind {
  const named = KINDS.flatMap((kind) => {
    const block = fields.object(kind.blocks[step]);
    return block === undefined ? [] : [{ kind, block }];
  });
  const [first, ...more] = named;
  if (first === undefined || more.length > 0)
    throw new AuthApiError(
      'INVALID_ARGUMENT',
      `Send exactly one of these: ${KINDS.map(({ blocks }) => blocks[step]).join(', ')}.`,
    );
  const { kind } = first;
  if (!kind.isForMembers && !isOfferedToAll(kind, settings))
    throw new AuthApiError('OPERATION_NOT_ALLOWED', kind.notOffered);
  return first;
}
