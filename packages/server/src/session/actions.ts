import type { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Fields } from '@hearth/core/wire/up.ts';
import type { Turn } from '../commit/turn.ts';
import type { Credential } from '../identity/verifier.ts';
import { parseCredential, unauthenticate } from './actions/authenticate.ts';
import { echo } from './actions/echo.ts';
import { readOnce } from './actions/get.ts';
import { listen } from './actions/listen.ts';
import { merge } from './actions/merge.ts';
import { cancelOnDisconnect, mergeOnDisconnect, setOnDisconnect } from './actions/on-disconnect.ts';
import { put } from './actions/put.ts';
import { unlisten } from './actions/unlisten.ts';
import type { Session } from './session.ts';

/** Executes a request and returns the JSON text of its answer, or throws a `Refusal`. */
export type Action = (session: Session, turn: Turn, body: Fields) => string;

/** What to do with a request, by its action. */
export type ActionEntry =
  | { readonly kind: 'decide'; readonly run: Action }
  /** Who the client is has to be found out first; requests behind it wait. */
  | { readonly kind: 'credential'; readonly parse: (body: Fields) => Credential | Refusal };

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
