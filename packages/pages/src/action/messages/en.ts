import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  checking: 'Checking the link…',
  restoredEmail: 'Email address to restore',
  phoneFactor: (number) => `Phone ${number}`,
  confirm: {
    verifyEmail: {
      heading: 'Verify your email address',
      text: 'Confirm that this is your email address.',
      button: 'Verify email',
    },
    verifyAndChangeEmail: {
      heading: 'Change your email address',
      text: 'You will sign in with the new address.',
      button: 'Change email',
    },
    recoverEmail: {
      heading: 'Restore your email address',
      text: 'The email address of your account was changed. If this was not you, restore the previous one.',
      button: 'Restore email',
    },
    revertSecondFactorAddition: {
      heading: 'Remove second factor',
      text: 'A second factor was added to your account. If this was not you, remove it.',
      button: 'Remove second factor',
    },
  },
  done: {
    resetPassword: { heading: 'Password saved', text: 'You can now sign in with your new password.' },
    verifyEmail: { heading: 'Email verified', text: 'You can now use your verified email address.' },
    verifyAndChangeEmail: {
      heading: 'Email changed',
      text: 'You can now sign in with your new email address.',
    },
    recoverEmail: {
      heading: 'Email restored',
      text: 'You can sign in with your previous email address again.',
    },
    revertSecondFactorAddition: {
      heading: 'Second factor removed',
      text: 'Sign-in no longer requires it.',
    },
  },
  close: 'You can close this page.',
  continueTo: (host) => `Continue to ${host}`,
  resetAdvice: 'If you did not make this change, reset your password too. Another person may know it.',
  rejected: {
    incomplete: {
      heading: 'This link is incomplete',
      text: 'Open the link in the email again, or copy the full link into the address bar.',
    },
    unknownMode: { heading: 'Invalid link', text: 'Open the link in the email again.' },
    noContinueUrl: {
      heading: 'This link cannot open the app',
      text: 'The URL of the app is missing or not allowed. Request a new sign-in link in the app.',
    },
    wrongProject: {
      heading: 'Wrong project',
      text: 'This link is for another project. Open the link in the email again.',
    },
    invalidCode: {
      heading: 'This link is no longer valid',
      text: 'This link was already used or replaced by a newer one.',
    },
    expiredCode: {
      heading: 'This link has expired',
      text: 'Request a new link. Each link is valid for a limited time.',
    },
    userDisabled: {
      heading: 'This account is disabled',
      text: 'If you think this is a mistake, contact the support of the app.',
    },
    userNotFound: { heading: 'Account not found', text: 'The account for this link was deleted.' },
    emailTaken: {
      heading: 'Email already in use',
      text: 'Another account uses this email address. Nothing was changed.',
    },
    notAllowed: {
      heading: 'Not allowed',
      text: 'The app does not allow this action at the moment.',
    },
  },
  failed: 'Something went wrong',
  retry: 'Try again',
};
