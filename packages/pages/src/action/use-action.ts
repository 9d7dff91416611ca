import { useEffect, useState } from 'react';
import type { Fetch } from './api.ts';
import { applyCode, type CheckedCode, checkCode, explainError, savePassword, type UsedCode } from './code.ts';
import type { ActionLink, ActionPage } from './parameters.ts';
import { type AppCheckNeeds, callWithChallenge, type Proofs } from './proofs.ts';
import type {
  ActionScreen,
  Change,
  MailProgress,
  Problem,
  Progress,
  RejectionReason,
  ResetMailForm,
} from './screen.ts';

export type ProofsOf = (
  apiKey: string,
  tenantId: string | undefined,
  appCheck: AppCheckNeeds | undefined,
) => Proofs;

/** Returns a function that requests a password reset email in the language of the page, and the state of the request. */
function useResetMail(
  link: ActionLink | undefined,
  language: string,
  fetch: Fetch,
  proofsOf: ProofsOf,
): ResetMailForm {
  const [progress, setProgress] = useState<MailProgress>({ kind: 'idle' });

  async function send(email: string): Promise<void> {
    if (link === undefined || progress.kind === 'busy') return;
    setProgress({ kind: 'busy' });
    const proofs = proofsOf(link.apiKey, link.tenantId, link.appCheck);
    const problem = await requestResetMail(fetch, proofs, link, language, email);
    setProgress(problem === undefined ? { kind: 'sent' } : { kind: 'failed', problem });
  }

  return { progress, send: (email) => void send(email) };
}

async function requestResetMail(
  fetch: Fetch,
  proofs: Proofs,
  { apiKey, continueUrl, tenantId }: ActionLink,
  language: string,
  email: string,
): Promise<Problem | undefined> {
  const body = { requestType: 'PASSWORD_RESET', email, continueUrl: continueUrl?.href, tenantId };
  const outcome = await callWithChallenge(fetch, proofs, {
    path: '/v1/accounts:sendOobCode',
    apiKey,
    language,
    action: 'getOobCode',
    bodyWith: (proof) => ({ ...body, ...proof }),
  });
  switch (outcome.kind) {
    case 'answered':
      return undefined;
    case 'unreachable':
      return 'unreachable';
    case 'rejected': {
      const explanation = explainError(outcome.code);
      if (explanation.kind === 'again') return explanation.problem;
      // The page must not reveal whether the email address has an account.
      return explanation.reason === 'userNotFound' ? undefined : 'unexpected';
    }
    default:
      return outcome satisfies never;
  }
}

/** The stage of the page. `email` is the unmasked email address of the account. */
type Stage =
  | { readonly kind: 'checking' }
  | CheckedCode
  | { readonly kind: 'done'; readonly email: string; readonly done: Change['kind'] | 'resetPassword' };

/**
 * Returns the state of the page. Checks the code when the page opens or the user retries, and uses it when the user
 * confirms.
 */
export function useAction(
  page: ActionPage,
  language: string,
  fetch: Fetch,
  proofsOf: ProofsOf,
): ActionScreen {
  const link = page.kind === 'action' ? page : undefined;
  const [stage, setStage] = useState<Stage>(page.kind === 'rejected' ? page : { kind: 'checking' });
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  const resetMail = useResetMail(link, language, fetch, proofsOf);
  const isChecking = stage.kind === 'checking';

  useEffect(() => {
    if (link === undefined || !isChecking) return;
    let isWanted = true;
    void checkCode(fetch, link).then((checked) => {
      if (isWanted) setStage(checked);
    });
    return () => {
      isWanted = false;
    };
  }, [link, isChecking, fetch]);

  async function submit(email: string, request: (link: ActionLink) => Promise<UsedCode>): Promise<void> {
    // A second request would find the code used up.
    if (link === undefined || progress.kind === 'busy') return;
    setProgress({ kind: 'busy' });
    const outcome = await request(link);
    if (outcome.kind === 'again') {
      setProgress({ kind: 'failed', problem: outcome.problem });
      return;
    }
    setProgress({ kind: 'idle' });
    setStage(
      outcome.kind === 'used'
        ? { kind: 'done', email, done: link.mode }
        : { kind: 'rejected', reason: outcome.reason },
    );
  }

  const continueUrl = link?.continueUrl;
  switch (stage.kind) {
    case 'checking':
      return stage;
    case 'failed':
      return { ...stage, retry: () => setStage({ kind: 'checking' }) };
    case 'newPassword': {
      const { kind, email, policy } = stage;
      const save = (password: string) =>
        void submit(email, (one) => savePassword(fetch, one, password, language));
      return { kind, email, policy, progress, save };
    }
    case 'confirm': {
      const { kind, email, change } = stage;
      const confirm = () => void submit(email, (one) => applyCode(fetch, one, language));
      return { kind, change, progress, confirm };
    }
    case 'done': {
      const { kind, email, done } = stage;
      return { kind, done, continueUrl, resetMail: offerResetMail(resetMail, done, email) };
    }
    case 'rejected': {
      const { kind, reason } = stage;
      const isRenewable = link?.mode === 'resetPassword' && canBeRenewed(reason);
      return { kind, reason, continueUrl, resetMail: isRenewable ? resetMail : undefined };
    }
    default:
      return stage satisfies never;
  }
}

/** Offers a password reset after the user reverted a change that another person may have made. */
function offerResetMail(
  { progress, send }: ResetMailForm,
  done: Change['kind'] | 'resetPassword',
  email: string,
) {
  const isAdvised = done === 'recoverEmail' || done === 'revertSecondFactorAddition';
  return isAdvised ? { progress, send: () => send(email) } : undefined;
}

function canBeRenewed(reason: RejectionReason): boolean {
  return reason === 'invalidCode' || reason === 'expiredCode';
}
