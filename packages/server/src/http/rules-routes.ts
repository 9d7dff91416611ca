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
  { method: 'GET', url: `${RULES}/versions`, run: listRulesVersions },
  { method: 'GET', url: `${RULES}/versions/:id`, run: readRulesVersion },
  { method: 'POST', url: `${RULES}/publish`, run: publishRules },
  { method: 'POST', url: `${RULES}/rollback`, run: rollBackRules },
  { method: 'POST', url: `${RULES}/check`, run: checkRules },
  { method: 'POST', url: `${RULES}/explain`, run: explainRules },
];
