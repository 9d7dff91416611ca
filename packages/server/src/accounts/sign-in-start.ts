import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { IdentityServices } from './identity-services.ts';

/** What a page needs to sign somebody in to a project: as public as the configuration of every app. */
export interface SignInConfiguration {
  readonly apiKey: string;
  readonly projectId: string;
}

/** Tells anybody how to sign in to a project. `address` is where the request comes from. */
export type SignInStart = (projectId: string, address: string) => SignInConfiguration;

/** Refuses with `project/unknown` and `project/no-key`, and who asks without a pause with an `IdentityOverload`. */
export function startSignIn(
  { projects, throttle }: Pick<IdentityServices, 'projects' | 'throttle'>,
  projectId: string,
  address: string,
): SignInConfiguration {
  throttle.mustAllowRequest({ client: { address } });
  if (!projects.isMade(projectId)) throw new Refusal('project/unknown');
  const [oldest] = projects.keys(projectId).toSorted((a, b) => a.createdAtMs - b.createdAtMs);
  if (oldest === undefined) throw new Refusal('project/no-key');
  return { apiKey: oldest.apiKey, projectId };
}
