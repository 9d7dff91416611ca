import { useEffect, useState } from 'react';
import type { HandlerProblem } from '../handler/parameters.ts';
import type { Task } from './account/task.ts';
import { returnAddress, sendToOpener } from './leave.ts';
import type { HostedPage, HostedStart } from './parameters.ts';
import type { Problem } from './problem.ts';
import type { Factor, PageUser, PendingSignIn, Server, SignInOutcome } from './server.ts';

/** The content of the page. */
export type Stage =
  | { readonly kind: 'loading' | 'signIn' | 'signUp' | 'forgot' | 'leaving' }
  | { readonly kind: 'delivered' }
  | { readonly kind: 'choose'; readonly user: PageUser }
  /** The account page. `task` is what the user continues after a new sign-in. */
  | { readonly kind: 'account'; readonly user: PageUser; readonly task: Task | undefined }
  /** The user signs in again to do something on the account page. */
  | { readonly kind: 'confirm'; readonly user: PageUser }
  /** The user is signed out, because of what they did on the account page. */
  | { readonly kind: 'gone'; readonly reason: 'deleted' | 'signedOut' }
  | {
      readonly kind: 'factor';
      readonly pending: PendingSignIn;
      readonly factor: Factor;
      /** Names the code in a text message to the server; undefined before one is sent, and for other factors. */
      readonly sessionInfo: string | undefined;
    }
  | { readonly kind: 'problem'; readonly problem: HandlerProblem };

/** The state of a request that the user starts with a button. */
export type Progress =
  | { readonly kind: 'idle' | 'busy' | 'sent' }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** The state of the page, with its actions. */
export interface Hosted {
  readonly stage: Stage;
  readonly progress: Progress;
  show(kind: 'signIn' | 'signUp' | 'forgot'): void;
  signIn(email: string, password: string): void;
  signUp(email: string, password: string, name: string): void;
  usePasskey(): void;
  sendReset(email: string): void;
  chooseFactor(factor: Factor): void;
  sendSms(): void;
  finishFactor(code: string): void;
  goOn(): void;
  useOther(): void;
  showAccount(user: PageUser): void;
  /** Asks the user of the account page to sign in again, and then continues the task. */
  confirm(user: PageUser, task: Task): void;
  /** Ends the account page, after the sessions of the user have ended. */
  end(reason: 'deleted' | 'signedOut'): void;
}

/** Loads the part for passkeys, which not every visit needs. */
const loadPasskeys = () => import('./passkeys.ts');

const IDLE: Progress = { kind: 'idle' };

/** Returns the state of the page. Reads the user of the page when it opens. */
export function useHosted(page: HostedPage, server: Server): Hosted {
  const [stage, setStage] = useState<Stage>(page.kind === 'problem' ? page : { kind: 'loading' });
  const [progress, setProgress] = useState<Progress>(IDLE);
  const [resumed, setResumed] = useState<{ readonly uid: string; readonly task: Task } | undefined>(
    undefined,
  );
  const start = page.kind === 'start' ? page : undefined;
  const first = start?.screen === 'sign-up' && start.project.isSignUpEnabled ? 'signUp' : 'signIn';

  function enter(next: Stage): void {
    setProgress(IDLE);
    setStage(next);
  }

  useEffect(() => {
    if (start === undefined) return;
    let isWanted = true;
    void server.readUser().then((outcome) => {
      if (!isWanted) return;
      const user = outcome.kind === 'ok' ? outcome.value : undefined;
      if (user === undefined) setStage({ kind: first });
      else
        setStage(
          start.screen === 'account' ? { kind: 'account', user, task: undefined } : { kind: 'choose', user },
        );
    });
    return () => {
      isWanted = false;
    };
  }, [start, server, first]);

  /** Runs one request at a time. */
  async function run(work: (start: HostedStart) => Promise<void>): Promise<void> {
    if (start === undefined || progress.kind === 'busy') return;
    setProgress({ kind: 'busy' });
    await work(start);
  }

  function fail(problem: Problem): void {
    setProgress({ kind: 'failed', problem });
  }

  async function leave({ redirectUrl, challenge, state, isPopup }: HostedStart): Promise<void> {
    const outcome = await server.createCode(redirectUrl, challenge);
    if (outcome.kind === 'problem') {
      if (outcome.problem === 'expired') setStage({ kind: 'signIn' });
      return fail(outcome.problem);
    }
    if (!isPopup) {
      enter({ kind: 'leaving' });
      location.replace(returnAddress({ state }, redirectUrl, outcome.value));
      return;
    }
    const isDelivered = await sendToOpener(window.opener, { state }, redirectUrl, outcome.value);
    enter(isDelivered ? { kind: 'delivered' } : { kind: 'problem', problem: 'lost' });
    if (isDelivered) window.close();
  }

  async function arrive(begun: HostedStart, user: PageUser): Promise<void> {
    if (begun.screen !== 'account') return leave(begun);
    // Another user does not continue what the first one began.
    enter({ kind: 'account', user, task: resumed?.uid === user.uid ? resumed.task : undefined });
    setResumed(undefined);
  }

  async function accept(begun: HostedStart, outcome: SignInOutcome): Promise<void> {
    if (outcome.kind === 'problem') return fail(outcome.problem);
    if (outcome.kind === 'ok') return arrive(begun, outcome.value);
    const [factor] = outcome.pending.factors;
    if (factor === undefined) return fail('unexpected');
    enter({ kind: 'factor', pending: outcome.pending, factor, sessionInfo: undefined });
  }

  const isSuggesting = stage.kind === 'signIn' && start?.project.arePasskeysEnabled === true;
  // The suggestions stay open for as long as the form is shown, so they use the actions of the first drawing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change with every drawing
  useEffect(() => {
    if (!isSuggesting || start === undefined) return;
    const ending = new AbortController();
    const suggested = loadPasskeys().then((passkeys) => passkeys.signInBySuggestion(server, ending.signal));
    void suggested.then((outcome) => {
      if (outcome !== undefined && !ending.signal.aborted) void accept(start, outcome);
    });
    return () => ending.abort();
  }, [isSuggesting, start, server]);

  return {
    stage,
    progress,
    show: (kind) => enter({ kind }),
    signIn: (email, password) =>
      void run(async (begun) => accept(begun, await server.signIn(email, password))),
    signUp: (email, password, name) =>
      void run(async (begun) => accept(begun, await server.signUp(email, password, name))),
    usePasskey: () =>
      void run(async (begun) => {
        const { signInWithPasskey } = await loadPasskeys();
        await accept(begun, await signInWithPasskey(server));
      }),
    sendReset: (email) =>
      void run(async ({ redirectUrl }) => {
        const outcome = await server.sendReset(email, redirectUrl);
        setProgress(outcome.kind === 'ok' ? { kind: 'sent' } : { kind: 'failed', problem: outcome.problem });
      }),
    chooseFactor: (factor) => {
      if (stage.kind === 'factor') enter({ ...stage, factor, sessionInfo: undefined });
    },
    sendSms: () =>
      void run(async () => {
        if (stage.kind !== 'factor') return;
        const outcome = await server.sendSms(stage.pending, stage.factor);
        if (outcome.kind === 'problem') fail(outcome.problem);
        else enter({ ...stage, sessionInfo: outcome.value });
      }),
    finishFactor: (code) =>
      void run(async (begun) => {
        if (stage.kind !== 'factor') return;
        const { pending, factor, sessionInfo } = stage;
        const outcome = await server.finishFactor(pending, factor, code, sessionInfo);
        if (outcome.kind === 'problem' && outcome.problem === 'expired' && sessionInfo === undefined)
          setStage({ kind: 'signIn' });
        await accept(begun, outcome);
      }),
    goOn: () => void run(leave),
    useOther: () =>
      void run(async () => {
        const outcome = await server.signOut();
        if (outcome.kind === 'problem') fail(outcome.problem);
        else enter({ kind: 'signIn' });
      }),
    showAccount: (user) => {
      setResumed(undefined);
      enter({ kind: 'account', user, task: undefined });
    },
    confirm: (user, task) => {
      setResumed({ uid: user.uid, task });
      enter({ kind: 'confirm', user });
    },
    end: (reason) => enter({ kind: 'gone', reason }),
  };
}
