import type { Fields } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import type { ProjectSettings } from '../project-settings.ts';
import type { FactorKind } from './factor-kind.ts';
import { isOfferedToAll } from './is-offered.ts';
import { SECOND_FACTORS } from './second-factors.ts';

/** The kind of second factor that a request is about, and what it says about it. */
export interface AskedKind {
  readonly kind: FactorKind;
  readonly block: Fields;
}

const KINDS = Object.values(SECOND_FACTORS);

/** Refuses a request about none, about several, and about one that nobody in the project is offered. */
export function mustAskForKind(
  fields: Fields,
  step: keyof FactorKind['blocks'],
  settings: ProjectSettings,
): AskedKind {
  const asked = KINDS.flatMap((kind) => {
    const block = fields.object(kind.blocks[step]);
    return block === undefined ? [] : [{ kind, block }];
  });
  const [first, ...more] = asked;
  if (first === undefined || more.length > 0)
    throw new IdentityError(
      'INVALID_ARGUMENT',
      `Exactly one of these is needed: ${KINDS.map(({ blocks }) => blocks[step]).join(', ')}.`,
    );
  const { kind } = first;
  if (!kind.isForMembers && !isOfferedToAll(kind, settings))
    throw new IdentityError('OPERATION_NOT_ALLOWED', kind.notOffered);
  return first;
}
