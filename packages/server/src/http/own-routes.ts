import { ACTIVITY_ROUTES } from './activity-routes.ts';
import { API_ROUTES, type ApiRouteEntry } from './api-routes.ts';
import { DENIALS_ROUTES } from './denials-routes.ts';
import { PROJECT_ROUTES } from './project-routes.ts';
import { REPLAY_ROUTES } from './replay-routes.ts';
import { RULES_ROUTES } from './rules-routes.ts';

/** All of the interface of Hearth's own that asks who somebody is. */
export const OWN_ROUTES: readonly ApiRouteEntry[] = [
  ...API_ROUTES,
  ...ACTIVITY_ROUTES,
  ...PROJECT_ROUTES,
  ...RULES_ROUTES,
  ...DENIALS_ROUTES,
  ...REPLAY_ROUTES,
];
