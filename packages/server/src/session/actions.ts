import type { Action, ActionEntry } from './action.ts';
import { parseCredential, unauthenticate } from './actions/authenticate.ts';
import { echo } from './actions/echo.ts';
import { readOnce } from './actions/get.ts';
import { listen } from './actions/listen.ts';
import { merge } from './actions/merge.ts';
import { noteClient } from './actions/note-client.ts';
import { cancelOnDisconnect, mergeOnDisconnect, setOnDisconnect } from './actions/on-disconnect.ts';
import { put } from './actions/put.ts';
import { unlisten } from './actions/unlisten.ts';

const acknowledge: Action = () => '""';

/** Every action that a client may ask for. Two spellings of one are in use by clients. */
export const ACTIONS: ReadonlyMap<string, ActionEntry> = new Map<string, ActionEntry>([
  ['q', { kind: 'decide', run: listen, isForClient: true }],
  ['l', { kind: 'decide', run: listen, isForClient: true }],
  ['n', { kind: 'decide', run: unlisten, isForClient: true }],
  ['g', { kind: 'decide', run: readOnce, isForClient: true }],
  ['p', { kind: 'decide', run: put, isForClient: false }],
  ['m', { kind: 'decide', run: merge, isForClient: false }],
  ['o', { kind: 'decide', run: setOnDisconnect, isForClient: false }],
  ['om', { kind: 'decide', run: mergeOnDisconnect, isForClient: false }],
  ['oc', { kind: 'decide', run: cancelOnDisconnect, isForClient: false }],
  ['auth', { kind: 'credential', parse: parseCredential }],
  ['gauth', { kind: 'credential', parse: parseCredential }],
  ['unauth', { kind: 'decide', run: unauthenticate, isForClient: false }],
  ['s', { kind: 'decide', run: noteClient, isForClient: true }],
  ['appcheck', { kind: 'decide', run: acknowledge, isForClient: true }],
  ['unappeck', { kind: 'decide', run: acknowledge, isForClient: true }],
  ['unappcheck', { kind: 'decide', run: acknowledge, isForClient: true }],
  ['echo', { kind: 'decide', run: echo, isForClient: true }],
]);
