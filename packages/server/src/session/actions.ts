import type { Action, ActionEntry } from './action.ts';
import { parseCredential, unauthenticate } from './actions/authenticate.ts';
import { echo } from './actions/echo.ts';
import { readOnce } from './actions/get.ts';
import { listen } from './actions/listen.ts';
import { merge } from './actions/merge.ts';
import { cancelOnDisconnect, mergeOnDisconnect, setOnDisconnect } from './actions/on-disconnect.ts';
import { put } from './actions/put.ts';
import { unlisten } from './actions/unlisten.ts';

const acknowledge: Action = () => '""';

/** Every action that a client may ask for. Two spellings of one are in use by clients. */
export const ACTIONS: ReadonlyMap<string, ActionEntry> = new Map<string, ActionEntry>([
  ['q', { kind: 'decide', run: listen }],
  ['l', { kind: 'decide', run: listen }],
  ['n', { kind: 'decide', run: unlisten }],
  ['g', { kind: 'decide', run: readOnce }],
  ['p', { kind: 'decide', run: put }],
  ['m', { kind: 'decide', run: merge }],
  ['o', { kind: 'decide', run: setOnDisconnect }],
  ['om', { kind: 'decide', run: mergeOnDisconnect }],
  ['oc', { kind: 'decide', run: cancelOnDisconnect }],
  ['auth', { kind: 'credential', parse: parseCredential }],
  ['gauth', { kind: 'credential', parse: parseCredential }],
  ['unauth', { kind: 'decide', run: unauthenticate }],
  ['s', { kind: 'decide', run: acknowledge }],
  ['appcheck', { kind: 'decide', run: acknowledge }],
  ['unappeck', { kind: 'decide', run: acknowledge }],
  ['unappcheck', { kind: 'decide', run: acknowledge }],
  ['echo', { kind: 'decide', run: echo }],
]);
