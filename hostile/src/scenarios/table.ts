import { BODY_SCENARIOS } from './bodies.ts';
import { CONNECTION_SCENARIOS } from './connections.ts';
import { LISTEN_SCENARIOS } from './listens.ts';
import type { Scenario } from './scenario.ts';

/** All attacks. */
export const SCENARIOS: readonly Scenario[] = [
  ...CONNECTION_SCENARIOS,
  ...BODY_SCENARIOS,
  ...LISTEN_SCENARIOS,
];
