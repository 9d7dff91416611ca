import { expect, test } from 'vitest';
import { ADMIN_API_POLICIES, API_POLICY } from '../admin-api/areas.ts';
import { openPolicies } from '../app/open-http.ts';
import { createLogger } from '../platform/logger.ts';
import { LONG_POLL_POLICY } from '../realtime/protocol/long-poll.ts';
import { COVERAGE_POLICY } from '../realtime/rest/coverage.ts';
import { CONSOLE_POLICY, HOSTED_POLICY, ROOT_POLICY } from '../site/areas.ts';
import { areaPolicyContract, requestFor } from './area.contract.ts';
import type { AreaPolicy } from './area.ts';
import { HEALTH_AREA } from './health.ts';
import { malformedPolicy, NOT_FOUND_POLICY } from './not-found.ts';

const logger = createLogger('silent', { write: () => undefined });
const { all, data, preflight, authApi } = openPolicies({
  authHosts: ['identitytoolkit.googleapis.com'],
  logger,
});

const POLICIES: Readonly<Record<string, AreaPolicy>> = {
  ...ADMIN_API_POLICIES,
  'admin API': API_POLICY,
  data,
  preflight,
  authApi,
  'hosted pages': HOSTED_POLICY,
  console: CONSOLE_POLICY,
  'root page': ROOT_POLICY,
  coverage: COVERAGE_POLICY,
  'long polling': LONG_POLL_POLICY,
  health: HEALTH_AREA.policy,
  'malformed URLs': malformedPolicy(() => false, logger),
  'not found': NOT_FOUND_POLICY,
};

for (const [name, policy] of Object.entries(POLICIES)) areaPolicyContract(name, () => policy);

test.each(['/', '/%zz', '/api', '*', '', '/no/such/page', 'http://['])(
  '[H528] a policy owns the request for %j',
  (url) => expect(all.some((policy) => policy.owns(requestFor('GET', url)))).toBe(true),
);
