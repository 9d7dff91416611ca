import type { ApiRouteEntry } from './api-routes.ts';
import { checkRules } from './routes/rules-check.ts';
import { explainRules } from './routes/rules-explain.ts';
import { publishRules } from './routes/rules-publish.ts';
import { rollBackRules } from './routes/rules-roll-back.ts';
import { readRulesVersion } from './routes/rules-version-read.ts';
import { listRulesVersions } from './routes/rules-versions-list.ts';

const RULES = '/api/databases/:database/rules';

/** The rules of a database and the versions that were published. */
export const RULES_ROUTES: readonly ApiRouteEntry[] = [
  { method: 'GET', url: `${RULES}/versions`, run: listRulesVersions, right: 'look' },
  { method: 'GET', url: `${RULES}/versions/:id`, run: readRulesVersion, right: 'look' },
  { method: 'POST', url: `${RULES}/publish`, run: publishRules, right: 'change' },
  { method: 'POST', url: `${RULES}/rollback`, run: rollBackRules, right: 'change' },
  { method: 'POST', url: `${RULES}/check`, run: checkRules, right: 'look' },
  { method: 'POST', url: `${RULES}/explain`, run: explainRules, right: 'look' },
];
