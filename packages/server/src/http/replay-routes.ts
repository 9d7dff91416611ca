import type { ApiRouteEntry } from './api-routes.ts';
import { changeRecording } from './routes/recording-change.ts';
import { readRecording } from './routes/recording-read.ts';
import { replayRules } from './routes/rules-replay.ts';

const RULES = '/api/databases/:database/rules';

/** Drafts of rules, tried on what was asked for lately. */
export const REPLAY_ROUTES: readonly ApiRouteEntry[] = [
  { method: 'POST', url: `${RULES}/replay`, run: replayRules, right: 'look' },
  { method: 'GET', url: `${RULES}/recording`, run: readRecording, right: 'look' },
  { method: 'PUT', url: `${RULES}/recording`, run: changeRecording, right: 'change' },
];
