import type { ApiRouteEntry } from './api-routes.ts';
import { createInstance } from './routes/management-instance-create.ts';
import { readInstance } from './routes/management-instance-read.ts';
import { listInstances } from './routes/management-instances-list.ts';
import { readProject } from './routes/management-project-read.ts';
import { readRulesetLabels } from './routes/management-ruleset-labels-read.ts';
import { readRuleset } from './routes/management-ruleset-read.ts';
import { listRulesets } from './routes/management-rulesets-list.ts';

const INSTANCES = '/v1beta/projects/:project/locations/:location/instances';

/**
 * The services through which the official tools manage databases, as far as they have a meaning here. Every project and
 * every location stands for this server, and each of its databases is an instance of it.
 */
export const MANAGEMENT_ROUTES: readonly ApiRouteEntry[] = [
  { method: 'GET', url: INSTANCES, run: listInstances, right: 'look' },
  { method: 'POST', url: INSTANCES, run: createInstance, right: 'change' },
  { method: 'GET', url: `${INSTANCES}/:instance`, run: readInstance, right: 'look' },
  { method: 'GET', url: '/v1beta1/projects/:project', run: readProject, right: 'look' },
  { method: 'GET', url: '/namespaces/:database/rulesets', run: listRulesets, right: 'look' },
  { method: 'GET', url: '/namespaces/:database/rulesets/:id', run: readRuleset, right: 'look' },
  { method: 'GET', url: '/namespaces/:database/ruleset_labels', run: readRulesetLabels, right: 'look' },
];
