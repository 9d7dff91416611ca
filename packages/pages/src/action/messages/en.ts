import type { Messages } from './messages.ts';

export const EN: Messages = {
  checking: 'Checking the link…',
  busy: 'One moment…',
  labels: {
    account: 'Account',
    currentEmail: 'Current email address',
    newEmail: 'New email address',
    restoredEmail: 'Email address to restore',
    factor: 'Second step to remove',
    authenticator: 'Authenticator app',
    phone: (number) => `Phone ${number}`,
  },
  newPassword: {
    heading: 'Choose a new password',
    text: 'You will be signed out on all your devices.',
    label: 'New password',
    show: 'Show password',
    save: 'Save password',
    requirements: 'The password needs:',
    met: 'done',
    unmet: 'still missing',
    allMet: 'The password has everything it needs.',
    missing: 'Something is still missing from the password.',
    minLength: (count) => (count === 1 ? 'at least 1 character' : `at least ${count} characters`),
    maxLength: (count) => `at most ${count} characters`,
    lowercase: 'a lowercase letter (a–z)',
    uppercase: 'an uppercase letter (A–Z)',
    digit: 'a digit (0–9)',
    symbol: 'a special character, such as ! or ?',
  },
  confirm: {
    verifyEmail: {
      heading: 'Confirm your email address',
      text: 'Press the button to confirm that this address is yours.',
      button: 'Confirm address',
    },
    verifyAndChangeEmail: {
      heading: 'Change your email address',
      text: 'From now on you will sign in with the new address.',
      button: 'Change address',
    },
    recoverEmail: {
      heading: 'Restore your email address',
      text: 'The address of your account was changed. If it was not you, restore the earlier one.',
      button: 'Restore address',
    },
    revertSecondFactorAddition: {
      heading: 'Remove the second step',
      text: 'A second step for signing in was added to your account. If it was not you, remove it.',
      button: 'Remove second step',
    },
  },
  done: {
    resetPassword: { heading: 'Password saved', text: 'You can now sign in with your new password.' },
    verifyEmail: { heading: 'Address confirmed', text: 'Thank you. Your email address is confirmed.' },
    verifyAndChangeEmail: {
      heading: 'Address changed',
      text: 'Sign in with your new email address from now on.',
    },
    recoverEmail: {
      heading: 'Address restored',
      text: 'You can sign in with your earlier email address again.',
    },
    revertSecondFactorAddition: {
      heading: 'Second step removed',
      text: 'It is no longer asked for when you sign in.',
    },
  },
  close: 'You can close this page.',
  continueTo: (host) => `Continue to ${host}`,
  resetMail: {
    advice: 'If somebody else made the change, they may know your password. Choose a new one, too.',
    invitation: 'Enter your email address to get a new link.',
    label: 'Email address',
    invalid: 'Enter an email address, such as name@example.com.',
    send: 'Send me a link for a new password',
    sent: 'If there is an account with this address, a mail with a link is on its way. Look into your inbox.',
  },
  refused: {
    incomplete: {
      heading: 'This link is incomplete',
      text: 'Open the link from the mail again, or copy all of it into the address bar.',
    },
    unknownMode: { heading: 'This link is not known', text: 'Open the link from the mail again.' },
    noContinueUrl: {
      heading: 'This link leads nowhere',
      text: 'The address of the app is missing, or is not allowed. Ask the app for a new sign-in link.',
    },
    wrongProject: {
      heading: 'This link belongs elsewhere',
      text: 'It was made for another address. Open the link from the mail again.',
    },
    invalidCode: {
      heading: 'This link is no longer valid',
      text: 'It was used already, or a newer one took its place.',
    },
    expiredCode: {
      heading: 'This link has expired',
      text: 'Ask for a new one; it is valid for a short time only.',
    },
    userDisabled: {
      heading: 'This account is disabled',
      text: 'Ask the people who run the app if you think that this is a mistake.',
    },
    userNotFound: { heading: 'There is no such account', text: 'The account of this link was deleted.' },
    emailTaken: {
      heading: 'This address is taken',
      text: 'Another account uses this email address by now, so nothing was changed.',
    },
    notAllowed: {
      heading: 'This is not possible here',
      text: 'The people who run the app do not allow this step at present.',
    },
  },
  failed: 'This did not work',
  retry: 'Try again',
  problems: {
    weakPassword: 'This password is too easy to guess. Choose another one.',
    tooManyAttempts: 'There were too many attempts. Wait for a while and try again.',
    unreachable: 'The server cannot be reached. Check your connection and try again.',
    unexpected: 'Something went wrong. Try again later.',
  },
};
