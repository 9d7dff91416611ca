import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  currentEmail: 'Current email address',
  newEmail: 'New email address',
  removedFactor: 'Second factor to remove',
  newPassword: {
    heading: 'Choose a new password',
    text: 'You will be signed out on all your devices.',
    label: 'New password',
    show: 'Show password',
    save: 'Save password',
    requirements: 'Password requirements:',
    met: 'met',
    unmet: 'missing',
    allMet: 'The password meets all requirements.',
    missing: 'The password does not meet all requirements.',
    minLength: (count) => (count === 1 ? 'at least 1 character' : `at least ${count} characters`),
    maxLength: (count) => `at most ${count} characters`,
    lowercase: 'a lowercase letter (a–z)',
    uppercase: 'an uppercase letter (A–Z)',
    digit: 'a digit (0–9)',
    symbol: 'a special character, such as ! or ?',
  },
};
