import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  busy: 'One moment…',
  labels: {
    account: 'Account',
    authenticator: 'Authenticator app',
  },
  resetMail: {
    invitation: 'Enter your email address to get a new link.',
    label: 'Email address',
    invalid: 'Enter a valid email address, such as name@example.com.',
    send: 'Send password reset email',
    sent: 'If this address has an account, we sent a link to it. Check your inbox.',
  },
  problems: {
    weakPassword: 'This password is too easy to guess. Choose another one.',
    tooManyAttempts: 'Too many attempts. Wait a few minutes, then try again.',
    unreachable: 'Cannot reach the server. Check your connection, then try again.',
    unexpected: 'An unexpected error occurred. Try again later.',
  },
};
