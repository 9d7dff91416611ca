import type { Action } from '../action.ts';
import { cutText } from '../cut-text.ts';

/** Longest name of a client, in UTF-16 code units. */
const MAX_NAME_UNITS = 64;

/** Takes the statistics with which official clients say what they are: `{"c":{"sdk.js.12-0-0":1}}`. The rest is not kept. */
export const noteClient: Action = (session, _turn, body) => {
  const counters = body['c'];
  const names = typeof counters === 'object' && counters !== null ? Object.keys(counters) : [];
  const sdk = names.find((name) => name.startsWith('sdk.'));
  if (sdk !== undefined) session.sdk = cutText(sdk, MAX_NAME_UNITS);
  return '""';
};
