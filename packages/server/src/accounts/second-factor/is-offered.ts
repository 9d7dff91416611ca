import { IdentityError } from '../identity-error.ts';
import type { ProjectSettings } from '../project-settings.ts';
import type { FactorKind } from './factor-kind.ts';

/** Does a project ask for second factors, and for those of a kind? */
export function isOffered(kind: FactorKind, settings: ProjectSettings): boolean {
  return settings.secondFactor.state !== 'DISABLED' && kind.isOffered(settings);
}

export function mustBeOffered(kind: FactorKind, settings: ProjectSettings): void {
  if (!isOffered(kind, settings)) throw new IdentityError('OPERATION_NOT_ALLOWED', kind.notOffered);
}
