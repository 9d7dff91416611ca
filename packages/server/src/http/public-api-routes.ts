import type { Answer } from './answer.ts';
import type { PublicApiRequest } from './public-api-request.ts';
import { startSignIn } from './routes/sign-in-start.ts';

export interface PublicApiRouteEntry {
  readonly method: 'GET';
  /** A segment that begins with a colon stands for any. */
  readonly url: string;
  readonly run: (request: PublicApiRequest) => Promise<Answer>;
}

/** What the interface of Hearth's own tells everybody. */
export const PUBLIC_API_ROUTES: readonly PublicApiRouteEntry[] = [
  { method: 'GET', url: '/api/projects/:project/sign-in', run: startSignIn },
];
