import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  signIn: {
    heading: (app) => `Sign in to ${app}`,
    password: 'Password',
    submit: 'Sign in',
    forgot: 'Forgot your password?',
    create: 'Create an account',
    passkey: 'Sign in with a passkey',
  },
  signUp: {
    name: 'Name (optional)',
    heading: 'Create an account',
    submit: 'Create account',
    known: 'Sign in with an existing account',
  },
  forgot: { heading: 'Reset your password', back: 'Back to sign-in' },
  factor: {
    heading: 'Confirm that it is you',
    totp: 'Enter the code of your authenticator app, or one of your recovery codes.',
    code: 'Code',
    submit: 'Confirm',
    sendSms: (phone) => `Send a code to ${phone}`,
    smsSent: (phone) => `We sent a code to ${phone}. Enter it here.`,
    other: 'Use another second factor',
  },
  choose: {
    heading: (app) => `Continue to ${app}`,
    text: 'You are signed in on this device.',
    submit: 'Continue',
    other: 'Use another account',
  },
  leaving: 'Returning to the app…',
  missing: 'Fill in this field.',
  problems: {
    wrongPassword: 'The email address or the password is wrong.',
    emailTaken: 'This email address already has an account. Sign in, or reset the password.',
    invalidEmail: 'Enter a valid email address, such as name@example.com.',
    disabled: 'This account is disabled. Contact the support of the app.',
    notAllowed: 'The app does not allow this at the moment.',
    wrongCode: 'The code is wrong. Enter the current code.',
    expired: 'This took too long. Sign in again.',
    challenge: 'The check of your browser failed. Reload the page and try again.',
    passkeyCancelled: 'No passkey was used. Try again, or sign in another way.',
    passkeyUnknown: 'No account has this passkey. Sign in another way.',
    smsRejected: 'The app cannot send text messages at the moment.',
  },
};
