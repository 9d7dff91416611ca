import type { LanguageTexts } from './mail-text.ts';

export const ENGLISH: LanguageTexts = {
  greeting: 'Hello %DISPLAY_NAME%,',
  namelessGreeting: 'Hello,',
  linkHint: 'If the button does not work, open this address in your browser:',
  closing: 'Your %APP_NAME% team',
  mails: {
    verifyEmail: {
      subject: 'Verify your email address for %APP_NAME%',
      before: ['Please confirm that %EMAIL% is your email address for %APP_NAME%.'],
      button: 'Verify email address',
      after: ['If you did not ask for this, you can ignore this email.'],
    },
    resetPassword: {
      subject: 'Reset your password for %APP_NAME%',
      before: ['Somebody asked to reset the password of your %APP_NAME% account, %EMAIL%.'],
      button: 'Reset password',
      after: ['If it was not you, you can ignore this email. Your password stays as it is.'],
    },
    changeEmail: {
      subject: 'Confirm your new email address for %APP_NAME%',
      before: ['Please confirm that %NEW_EMAIL% is to be the new email address of your %APP_NAME% account.'],
      button: 'Confirm new address',
      after: ['If you did not ask for this, you can ignore this email.'],
    },
    emailSignIn: {
      subject: 'Sign in to %APP_NAME%',
      before: ['Somebody asked to sign in to %APP_NAME% with %EMAIL%. If it was you, use this button.'],
      button: 'Sign in',
      after: ['If it was not you, you can ignore this email.'],
    },
    recoverEmail: {
      subject: 'The email address of your %APP_NAME% account was changed',
      before: [
        'The email address of your %APP_NAME% account was changed from %EMAIL% to %NEW_EMAIL%.',
        'If it was not you, restore your address, and choose a new password afterwards.',
      ],
      button: 'Restore my address',
      after: ['If it was you, there is nothing to do.'],
    },
    secondFactorAdded: {
      subject: 'Two-step verification was added to your %APP_NAME% account',
      before: [
        'A second step for signing in was added to your %APP_NAME% account, %EMAIL%.',
        'If it was not you, remove it, and choose a new password afterwards.',
      ],
      button: 'Remove the second step',
      after: ['If it was you, there is nothing to do.'],
    },
    secondFactorRemoved: {
      subject: 'A second step for signing in was removed from your %APP_NAME% account',
      before: [
        'A second step for signing in was removed from your %APP_NAME% account, %EMAIL%.',
        'If it was not you, reset your password at once in %APP_NAME%.',
      ],
      after: ['If it was you, there is nothing to do.'],
    },
    recoveryCodesMade: {
      subject: 'New recovery codes were made for your %APP_NAME% account',
      before: [
        'New recovery codes were made for your %APP_NAME% account, %EMAIL%. Earlier ones work no more.',
        'If it was not you, reset your password at once in %APP_NAME%.',
      ],
      after: ['If it was you, there is nothing to do.'],
    },
    passwordChanged: {
      subject: 'The password of your %APP_NAME% account was changed',
      before: [
        'The password of your %APP_NAME% account, %EMAIL%, was changed.',
        'If it was not you, reset your password at once in %APP_NAME%.',
      ],
      after: ['If it was you, there is nothing to do.'],
    },
    emailInUse: {
      subject: 'Somebody tried to use your email address in %APP_NAME%',
      before: [
        'Somebody tried to use %EMAIL% for another %APP_NAME% account. Nothing has changed: the address belongs to your account.',
        'If it was you, sign in to the account that you have. If you have forgotten its password, reset it there.',
      ],
      after: ['If it was not you, you can ignore this email.'],
    },
  },
};
