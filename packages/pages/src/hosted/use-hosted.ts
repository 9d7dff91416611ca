import { useEffect, useRef, useState } from 'react';
import { hideCode } from '../action/parameters.ts';
import type { HandlerProblem } from '../handler/parameters.ts';
import type { AuthEvent } from '../relay/auth-event.ts';
import type { Language } from '../shell/document.ts';
import type { Task } from './account/task.ts';
import {
  announceSignIn,
  linkTarget,
  onSignInElsewhere,
  rememberAddress,
  storeContinuation,
  takeAddress,
  takeContinuation,
} from './email-link.ts';
import { returnAddress, sendToOpener } from './leave.ts';
import type { HostedPage, HostedStart } from './parameters.ts';
import type { Problem } from './problem.ts';
import type { ProviderPurpose, UnlinkedIdentity } from './provider.ts';
import { takePending } from './provider-return.ts';
import type { Factor, PageUser, PendingSignIn, Server, SignInOutcome } from './server.ts';

/** The content of the page. */
export type Stage =
  | { readonly kind: 'loading' | 'signIn' | 'signUp' | 'forgot' | 'leaving' }
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'phone';
      /** Undefined before a code is sent. */
      readonly sent: { readonly phoneNumber: string; readonly sessionInfo: string } | undefined;
    }
  /** The user requests a link in a mail, and then waits until a tab of this browser has used it. */
  | { readonly kind: 'link'; readonly email: string; readonly isSent: boolean }
  /** The user names the address to which a link was sent. */
  | { readonly kind: 'address'; readonly email: string; readonly code: string }
  /** A link has signed the user in, in a tab from which no app waits for a code. */
  | { readonly kind: 'arrived' }
  | { readonly kind: 'choose'; readonly user: PageUser }
  /** The account page. `task` is what the user continues after a new sign-in. */
  | {
      readonly kind: 'account';
      readonly user: PageUser;
      readonly task: Task | undefined;
      /** How the user returned from another provider to link an account. */
      readonly linked?: 'added' | Problem;
    }
  /** The user signs in again to do something on the account page. */
  | { readonly kind: 'confirm'; readonly user: PageUser; readonly task: Task }
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
  showPhone(): void;
  showLink(email: string): void;
  sendLink(email: string): void;
  finishLink(email: string): void;
  /** Continues to the app after a link has signed the user in. */
  goToApp(): void;
  sendPhoneCode(phoneNumber: string): void;
  finishPhone(code: string): void;
  signIn(email: string, password: string): void;
  signUp(email: string, password: string, name: string): void;
  usePasskey(): void;
  /** Leaves the page for another provider. */
  goToProvider(providerId: string, purpose: ProviderPurpose): void;
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

/** Load the parts for passkeys and for other providers, which not every visit needs. */
const loadPasskeys = () => import('./passkeys.ts');
const loadProvider = () => import('./provider.ts');

const IDLE: Progress = { kind: 'idle' };

/** Returns the state of the page. Reads the user of the page when it opens. */
export function useHosted(page: HostedPage, server: Server, language: Language): Hosted {
  const [stage, setStage] = useState<Stage>(page.kind === 'problem' ? page : { kind: 'loading' });
  const [progress, setProgress] = useState<Progress>(IDLE);
  /** The task of the account page that continues after a new sign-in, and the session that is too old for it. */
  const resumed = useRef<{
    readonly uid: string;
    readonly task: Task | undefined;
    readonly sessionId?: string;
  }>(undefined);
  const unlinked = useRef<UnlinkedIdentity>(undefined);
  const start = page.kind === 'start' ? page : undefined;
  const first = start?.screen === 'sign-up' && start.project.isSignUpEnabled ? 'signUp' : 'signIn';

  function enter(next: Stage): void {
    setProgress(IDLE);
    setStage(next);
  }

  // The page opens once, so the effect uses the actions of the first render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change with every render
  useEffect(() => {
    if (start === undefined) return;
    if (start.linkCode !== undefined) return void openLink(start, start.linkCode);
    const pending = takePending(start);
    void (pending === null ? open(start) : comeBack(start, pending));
  }, [start, server]);

  /** Shows who is signed in on this page, or else the first form. */
  async function open(begun: HostedStart): Promise<void> {
    const outcome = await server.readUser();
    const user = outcome.kind === 'ok' ? outcome.value : undefined;
    if (user === undefined) setStage({ kind: first });
    else if (begun.screen === 'account') setStage({ kind: 'account', user, task: undefined });
    else if (begun.challenge === '') setStage({ kind: 'arrived' });
    else {
      setStage({ kind: 'choose', user });
      if (takeContinuation(begun, begun.redirectUrl.origin)) await run(leave);
    }
  }

  /** Uses the link of a mail. Asks for its address unless this browser has requested the link. */
  async function openLink(begun: HostedStart, code: string): Promise<void> {
    hideCode();
    const email = takeAddress(begun);
    if (email === undefined) setStage({ kind: 'address', email: '', code });
    else await finishLink(begun, email, code);
  }

  async function finishLink(begun: HostedStart, email: string, code: string): Promise<void> {
    const outcome = await server.signInWithLink(email, code);
    if (outcome.kind === 'problem')
      setStage(
        outcome.problem === 'linkInvalid'
          ? { kind: 'link', email, isSent: false }
          : { kind: 'address', email, code },
      );
    await accept(begun, outcome);
  }

  /** Continues after a return from another provider. */
  async function comeBack(begun: HostedStart, pending: string): Promise<void> {
    const provider = await loadProvider();
    const returned = provider.takeReturn(begun, pending);
    if (returned === undefined) return open(begun);
    const { purpose, event } = returned;
    if (purpose.kind === 'link') return comeBackToLink(provider, purpose.uid, event);
    if (purpose.kind === 'confirm') resumed.current = purpose;
    setStage({ kind: 'signIn' });
    setProgress({ kind: 'busy' });
    const outcome = await provider.finishAtProvider(server, event);
    unlinked.current = outcome.kind === 'ok' ? provider.findUnlinked(outcome.value) : undefined;
    if (unlinked.current !== undefined) fail('accountExists');
    else await accept(begun, await server.finishSignIn(outcome));
  }

  async function comeBackToLink(
    provider: Awaited<ReturnType<typeof loadProvider>>,
    uid: string,
    event: AuthEvent,
  ): Promise<void> {
    const current = await server.readUser();
    const user = current.kind === 'ok' ? current.value : undefined;
    if (user?.uid !== uid) return setStage({ kind: 'signIn' });
    const answered = await provider.finishAtProvider(server, event, user);
    const outcome = answered.kind === 'ok' ? await server.adopt(answered.value, user) : answered;
    const isLinked = outcome.kind === 'ok';
    setStage({
      kind: 'account',
      user: isLinked ? outcome.value : user,
      task: undefined,
      linked: isLinked ? 'added' : outcome.problem,
    });
  }

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
    if (begun.linkCode !== undefined) announceSignIn(begun);
    if (begun.screen !== 'account') return begun.challenge === '' ? enter({ kind: 'arrived' }) : leave(begun);
    const { current } = resumed;
    resumed.current = undefined;
    // Another user does not continue what the first one began.
    enter({ kind: 'account', user, task: current?.uid === user.uid ? current.task : undefined });
  }

  /** Adds the identity to the account, if the user has signed in to the account with its address. */
  async function linkUnlinked(user: PageUser): Promise<PageUser> {
    const identity = unlinked.current;
    unlinked.current = undefined;
    if (identity === undefined || identity.email !== user.email) return user;
    const { linkIdentity } = await loadProvider();
    const outcome = await linkIdentity(server, user, identity);
    // The sign-in itself has succeeded. The user can link the identity on the account page.
    return outcome.kind === 'ok' ? outcome.value : user;
  }

  async function accept(begun: HostedStart, outcome: SignInOutcome): Promise<void> {
    if (outcome.kind === 'problem') return fail(outcome.problem);
    if (outcome.kind === 'ok') return arrive(begun, await linkUnlinked(outcome.value));
    const [factor] = outcome.pending.factors;
    if (factor === undefined) return fail('unexpected');
    enter({ kind: 'factor', pending: outcome.pending, factor, sessionInfo: undefined });
  }

  const isSuggesting = stage.kind === 'signIn' && start?.project.arePasskeysEnabled === true;
  // The suggestions stay open for as long as the form is shown, so they use the actions of the first render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change with every render
  useEffect(() => {
    if (!isSuggesting || start === undefined) return;
    const ending = new AbortController();
    const suggested = loadPasskeys().then((passkeys) => passkeys.signInBySuggestion(server, ending.signal));
    void suggested.then((outcome) => {
      if (outcome !== undefined && !ending.signal.aborted) void accept(start, outcome);
    });
    return () => ending.abort();
  }, [isSuggesting, start, server]);

  const awaited = stage.kind === 'link' && stage.isSent ? stage.email : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change with every drawing
  useEffect(() => {
    if (awaited === undefined || start === undefined) return;
    let isWaiting = true;
    const takeOver = async (): Promise<void> => {
      const outcome = await server.readUser();
      const user = outcome.kind === 'ok' ? outcome.value : undefined;
      if (!isWaiting || user?.email.toLowerCase() !== awaited.toLowerCase()) return;
      // The user who confirms a task is still signed in, until the link begins another session.
      if (user.sessionId === resumed.current?.sessionId) return;
      isWaiting = false;
      await accept(start, { kind: 'ok', value: user });
    };
    const end = onSignInElsewhere(start, () => void takeOver());
    return () => {
      isWaiting = false;
      end();
    };
  }, [awaited, start, server]);

  return {
    stage,
    progress,
    show: (kind) => enter({ kind }),
    showPhone: () => enter({ kind: 'phone', sent: undefined }),
    showLink: (email) => enter({ kind: 'link', email, isSent: false }),
    sendLink: (email) =>
      void run(async (begun) => {
        const outcome = await server.sendLink(email, linkTarget(begun, language));
        if (outcome.kind === 'problem') return fail(outcome.problem);
        rememberAddress(begun, email);
        enter({ kind: 'link', email, isSent: true });
      }),
    finishLink: (email) =>
      void run(async (begun) => {
        if (stage.kind === 'address') await finishLink(begun, email, stage.code);
      }),
    goToApp: () => {
      if (start === undefined) return;
      storeContinuation(start, start.redirectUrl.origin);
      location.assign(returnAddress({ state: '' }, start.redirectUrl, ''));
    },
    sendPhoneCode: (phoneNumber) =>
      void run(async () => {
        const outcome = await server.sendPhoneCode(phoneNumber);
        if (outcome.kind === 'problem') fail(outcome.problem);
        else enter({ kind: 'phone', sent: { phoneNumber, sessionInfo: outcome.value } });
      }),
    finishPhone: (code) =>
      void run(async (begun) => {
        if (stage.kind !== 'phone' || stage.sent === undefined) return;
        const outcome = await server.signInWithPhone(stage.sent.sessionInfo, code);
        if (outcome.kind === 'problem' && outcome.problem === 'expired')
          setStage({ kind: 'phone', sent: undefined });
        await accept(begun, outcome);
      }),
    signIn: (email, password) =>
      void run(async (begun) => accept(begun, await server.signIn(email, password))),
    signUp: (email, password, name) =>
      void run(async (begun) => accept(begun, await server.signUp(email, password, name))),
    usePasskey: () =>
      void run(async (begun) => {
        const { signInWithPasskey } = await loadPasskeys();
        await accept(begun, await signInWithPasskey(server));
      }),
    goToProvider: (providerId, purpose) =>
      void run(async (begun) => {
        const { leaveForProvider } = await loadProvider();
        try {
          leaveForProvider(begun, providerId, purpose);
        } catch {
          fail('unexpected');
        }
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
        if (outcome.kind === 'ok') return enter({ ...stage, sessionInfo: outcome.value });
        if (outcome.problem === 'expired') setStage({ kind: 'signIn' });
        fail(outcome.problem);
      }),
    finishFactor: (code) =>
      void run(async (begun) => {
        if (stage.kind !== 'factor') return;
        const { pending, factor, sessionInfo } = stage;
        const outcome = await server.finishFactor(pending, factor, code, sessionInfo);
        // After a code in a text message, the sign-in itself may go on with another code.
        if (outcome.kind === 'problem' && outcome.problem === 'expired')
          setStage(sessionInfo === undefined ? { kind: 'signIn' } : { ...stage, sessionInfo: undefined });
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
      resumed.current = undefined;
      enter({ kind: 'account', user, task: undefined });
    },
    confirm: (user, task) => {
      resumed.current = { uid: user.uid, task, sessionId: user.sessionId };
      enter({ kind: 'confirm', user, task });
    },
    end: (reason) => enter({ kind: 'gone', reason }),
  };
}
