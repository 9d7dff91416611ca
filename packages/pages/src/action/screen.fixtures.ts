import { LEAST_POLICY } from './password.ts';
import type { ActionScreen, Change } from './screen.ts';

/** The handler of all buttons in fixtures. */
function doNothing(): void {}

const APP = new URL('https://app.example.com/inbox');

const CHANGES = {
  'verify an address': { kind: 'verifyEmail', email: 'a•••e@example.com' },
  'change an address': {
    kind: 'verifyAndChangeEmail',
    email: 'a•••e@example.com',
    newEmail: 'a•••n@a-rather-long-name-of-a-company.example.org',
  },
  'restore an address': { kind: 'recoverEmail', email: 'a•••e@example.com' },
  'remove a named factor': {
    kind: 'revertSecondFactorAddition',
    email: 'a•••e@example.com',
    factor: { kind: 'named', name: 'Work phone' },
  },
  'remove a phone': {
    kind: 'revertSecondFactorAddition',
    email: 'a•••e@example.com',
    factor: { kind: 'phone', number: '•••• 1234' },
  },
  'remove an authenticator': {
    kind: 'revertSecondFactorAddition',
    email: 'a•••e@example.com',
    factor: { kind: 'authenticator' },
  },
} as const satisfies Record<string, Change>;

const NEW_PASSWORD = {
  kind: 'newPassword',
  email: 'alice@example.com',
  policy: {
    minLength: 10,
    maxLength: 64,
    needsLowercase: true,
    needsUppercase: true,
    needsDigit: true,
    symbols: '!?.',
  },
  progress: { kind: 'idle' },
  save: doNothing,
} as const satisfies ActionScreen;

const CONFIRM = {
  kind: 'confirm',
  change: CHANGES['verify an address'],
  progress: { kind: 'idle' },
  confirm: doNothing,
} as const satisfies ActionScreen;

const RESTORED = {
  kind: 'done',
  done: 'recoverEmail',
  continueUrl: APP,
  resetMail: { progress: { kind: 'idle' }, send: doNothing },
} as const satisfies ActionScreen;

const EXPIRED = {
  kind: 'rejected',
  reason: 'expiredCode',
  continueUrl: APP,
  resetMail: { progress: { kind: 'idle' }, send: doNothing },
} as const satisfies ActionScreen;

function rejected(reason: (ActionScreen & { readonly kind: 'rejected' })['reason']): ActionScreen {
  return { kind: 'rejected', reason, continueUrl: undefined, resetMail: undefined };
}

function done(kind: (ActionScreen & { readonly kind: 'done' })['done'], continueUrl?: URL): ActionScreen {
  return { kind: 'done', done: kind, continueUrl, resetMail: undefined };
}

/** The states of the page that tests show, by name. */
export const ACTION_FIXTURES: Readonly<Record<string, ActionScreen>> = {
  checking: { kind: 'checking' },
  unreachable: { kind: 'failed', problem: 'unreachable', retry: doNothing },
  'new password': NEW_PASSWORD,
  'new password, few requirements': { ...NEW_PASSWORD, policy: LEAST_POLICY },
  'new password, saving': { ...NEW_PASSWORD, progress: { kind: 'busy' } },
  'new password, too weak': { ...NEW_PASSWORD, progress: { kind: 'failed', problem: 'weakPassword' } },
  ...Object.fromEntries(Object.entries(CHANGES).map(([name, change]) => [name, { ...CONFIRM, change }])),
  'verify an address, busy': { ...CONFIRM, progress: { kind: 'busy' } },
  'verify an address, failed': { ...CONFIRM, progress: { kind: 'failed', problem: 'tooManyAttempts' } },
  'password saved': done('resetPassword', APP),
  'address verified': done('verifyEmail', APP),
  'address changed': done('verifyAndChangeEmail', APP),
  'address restored': RESTORED,
  'address restored, sending': { ...RESTORED, resetMail: { progress: { kind: 'busy' }, send: doNothing } },
  'address restored, mail sent': { ...RESTORED, resetMail: { progress: { kind: 'sent' }, send: doNothing } },
  'factor removed, mail failed': {
    ...RESTORED,
    done: 'revertSecondFactorAddition',
    resetMail: { progress: { kind: 'failed', problem: 'unexpected' }, send: doNothing },
  },
  'done without an app': done('verifyEmail'),
  'expired, a new link can be sent': EXPIRED,
  'expired, a new link was sent': { ...EXPIRED, resetMail: { progress: { kind: 'sent' }, send: doNothing } },
  'used, back to the app': { ...EXPIRED, reason: 'invalidCode', resetMail: undefined },
  ...Object.fromEntries(
    (
      [
        'incomplete',
        'unknownMode',
        'noContinueUrl',
        'wrongProject',
        'invalidCode',
        'userDisabled',
        'userNotFound',
        'emailTaken',
        'notAllowed',
      ] as const
    ).map((reason) => [`rejected: ${reason}`, rejected(reason)]),
  ),
};
