import { ALERT_SCENARIOS } from './alerts.ts';
import { AUTH_SCENARIOS } from './auth.ts';
import { BODY_SCENARIOS } from './bodies.ts';
import { CAPTCHA_SCENARIOS } from './captcha.ts';
import { CONNECTION_SCENARIOS } from './connections.ts';
import { HOOK_SCENARIOS } from './hooks.ts';
import { LISTEN_SCENARIOS } from './listens.ts';
import { MEMBER_SCENARIOS } from './members.ts';
import { PAGE_SCENARIOS } from './pages.ts';
import { REDIRECT_SCENARIOS } from './redirects.ts';
import { REST_SCENARIOS } from './rest.ts';
import { RULE_SCENARIOS } from './rules.ts';
import { SAML_SCENARIOS } from './saml.ts';
import type { Scenario } from './scenario.ts';
import { SESSION_SCENARIOS } from './sessions.ts';
import { SIGN_IN_SCENARIOS } from './sign-ins.ts';

/** All attacks. */
export const SCENARIOS: readonly Scenario[] = [
  ...CONNECTION_SCENARIOS,
  ...BODY_SCENARIOS,
  ...LISTEN_SCENARIOS,
  ...SESSION_SCENARIOS,
  ...REST_SCENARIOS,
  ...AUTH_SCENARIOS,
  ...SIGN_IN_SCENARIOS,
  ...CAPTCHA_SCENARIOS,
  ...HOOK_SCENARIOS,
  ...REDIRECT_SCENARIOS,
  ...SAML_SCENARIOS,
  ...PAGE_SCENARIOS,
  ...MEMBER_SCENARIOS,
  ...ALERT_SCENARIOS,
  ...RULE_SCENARIOS,
];
