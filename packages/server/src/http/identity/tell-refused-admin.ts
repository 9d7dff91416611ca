import { type ClientInfo, sourceOf } from '../../accounts/identity-call.ts';
import { IdentityError } from '../../accounts/identity-error.ts';
import type { IdentityServices } from '../../accounts/identity-services.ts';
import { TokenProblem } from '../../tokens/token-problem.ts';
import { asIdentityError } from './as-identity-error.ts';

/** Tells the audit that somebody is no administrator, or not of this project, who said so. */
export function tellRefusedAdmin(
  { audit, projects }: IdentityServices,
  projectId: string | undefined,
  actor: string,
  client: ClientInfo,
  thrown: unknown,
): void {
  const error = asIdentityError(thrown);
  if (!(error instanceof IdentityError || error instanceof TokenProblem)) return;
  audit.tell({
    event: 'admin_refused',
    // Whoever makes up names of projects makes no books.
    projectId: projectId === undefined ? null : (projects.find(projectId)?.id ?? null),
    uid: null,
    actor,
    ...sourceOf(client),
    result: error.code,
    detail: null,
  });
}
