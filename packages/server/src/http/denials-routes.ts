import type { ApiRouteEntry } from './api-routes.ts';
import { evaluateDenial } from './routes/denial-evaluate.ts';
import { readDenial } from './routes/denial-read.ts';
import { listDenials } from './routes/denials-list.ts';
import { changeDenialSettings } from './routes/denials-settings-change.ts';
import { readDenialSettings } from './routes/denials-settings-read.ts';

const DENIALS = '/api/databases/:database/denials';

/** What rules have denied, and why. */
export const DENIALS_ROUTES: readonly ApiRouteEntry[] = [
  { method: 'GET', url: DENIALS, run: listDenials, right: 'look' },
  { method: 'GET', url: `${DENIALS}/settings`, run: readDenialSettings, right: 'look' },
  { method: 'PUT', url: `${DENIALS}/settings`, run: changeDenialSettings, right: 'change' },
  { method: 'GET', url: `${DENIALS}/:id`, run: readDenial, right: 'look' },
  { method: 'POST', url: `${DENIALS}/:id/evaluate`, run: evaluateDenial, right: 'look' },
];
