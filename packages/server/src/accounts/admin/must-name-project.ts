import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';

/** Refuses a request in bulk that does not say which project it means: it would be the wrong one for all of them. */
export function mustNameProject({ segments, fields }: IdentityCall): void {
  if (segments['project'] === undefined && fields.filled('targetProjectId') === undefined)
    throw new IdentityError('INSUFFICIENT_PERMISSION', 'Name a project with targetProjectId.');
}
