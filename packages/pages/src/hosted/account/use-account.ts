import { useEffect, useState } from 'react';
import type { JsonRecord } from '../../action/api.ts';
import type { Problem } from '../problem.ts';
import type { Outcome, PageUser, Server } from '../server.ts';
import type { Hosted, Stage } from '../use-hosted.ts';
import { type OwnAccount, readAccount } from './account.ts';
import type { Messages } from './messages/messages.ts';
import { needsRecentSignIn, type Task } from './task.ts';

export type AccountProgress =
  | { readonly kind: 'idle' | 'busy' }
  | { readonly kind: 'done'; readonly what: keyof Messages['done'] }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** A request of the account page on behalf of its user. */
export type Work<T> = (user: PageUser) => Promise<Outcome<T>>;

/** The state of the account page, with its actions. */
export interface AccountState {
  readonly uid: string;
  /** The name by which the user recognizes the account. */
  readonly label: string;
  /** Undefined until the account is read. */
  readonly account: OwnAccount | undefined;
  /** Undefined while the page shows the whole account. */
  readonly task: Task | undefined;
  readonly progress: AccountProgress;
  begin(task: Task): void;
  cancel(): void;
  /** Sends a request. Resolves to its value; to undefined if it failed, which the page then shows. */
  ask<T>(work: Work<T>): Promise<T | undefined>;
  /** Sends a request that changes the account, and then shows the account with what was done. */
  change(what: keyof Messages['done'], work: Work<JsonRecord>): Promise<void>;
  /** Shows the account, as it is now. */
  finish(what: keyof Messages['done']): void;
  /** Sends a request, and then signs the user out of this page. */
  leave(reason: 'deleted' | 'signedOut', work: Work<JsonRecord>): Promise<void>;
}

const IDLE: AccountProgress = { kind: 'idle' };

function progressOf(linked: 'added' | Problem | undefined): AccountProgress {
  if (linked === undefined) return IDLE;
  return linked === 'added' ? { kind: 'done', what: linked } : { kind: 'failed', problem: linked };
}

export function useAccount(
  server: Server,
  hosted: Hosted,
  initial: Extract<Stage, { readonly kind: 'account' }>,
): AccountState {
  const [user, setUser] = useState(initial.user);
  const [account, setAccount] = useState<OwnAccount | undefined>(undefined);
  const [task, setTask] = useState(initial.task);
  const [progress, setProgress] = useState(progressOf(initial.linked));

  useEffect(() => {
    let isWanted = true;
    void readAccount(server, user).then((outcome) => {
      if (!isWanted) return;
      if (outcome.kind === 'ok') setAccount(outcome.value);
      else setProgress({ kind: 'failed', problem: outcome.problem });
    });
    return () => {
      isWanted = false;
    };
  }, [server, user]);

  function begin(next: Task): void {
    const isTooOld = needsRecentSignIn(next) && user.recentUntilMs <= performance.now();
    setProgress(IDLE);
    if (isTooOld) hosted.confirm(user, next);
    else setTask(next);
  }

  function fail(problem: Problem): undefined {
    if (problem === 'tooOld' && task !== undefined) hosted.confirm(user, task);
    else setProgress({ kind: 'failed', problem });
    return undefined;
  }

  /** Returns the user with a fresh token; undefined if another one, or none, is signed in on this page. */
  async function refresh(): Promise<PageUser | undefined> {
    const outcome = await server.readUser();
    if (outcome.kind === 'problem') return fail(outcome.problem);
    if (outcome.value?.uid === user.uid) return outcome.value;
    hosted.end('signedOut');
    return undefined;
  }

  async function ask<T>(work: Work<T>): Promise<T | undefined> {
    if (progress.kind === 'busy') return undefined;
    setProgress({ kind: 'busy' });
    const fresh = await refresh();
    if (fresh === undefined) return undefined;
    const outcome = await work(fresh);
    if (outcome.kind === 'problem') return fail(outcome.problem);
    setProgress(IDLE);
    return outcome.value;
  }

  function finish(what: keyof Messages['done']): void {
    setTask(undefined);
    setProgress({ kind: 'done', what });
  }

  async function change(what: keyof Messages['done'], work: Work<JsonRecord>): Promise<void> {
    const changed = await ask(async (fresh) => {
      const outcome = await work(fresh);
      return outcome.kind === 'ok' ? server.adopt(outcome.value, fresh) : outcome;
    });
    if (changed === undefined) return;
    setUser(changed);
    finish(what);
  }

  async function leave(reason: 'deleted' | 'signedOut', work: Work<JsonRecord>): Promise<void> {
    if ((await ask(work)) === undefined) return;
    // Removes the cookie, and ends its session if the request has not.
    await server.signOut();
    hosted.end(reason);
  }

  return {
    uid: user.uid,
    label: user.label,
    account,
    task,
    progress,
    begin,
    cancel: () => {
      setTask(undefined);
      setProgress(IDLE);
    },
    ask,
    change,
    finish,
    leave,
  };
}
