import type { LanguageTexts } from './language.ts';

export const ENGLISH: LanguageTexts = {
  greeting: 'Hello %DISPLAY_NAME%,',
  namelessGreeting: 'Hello,',
  linkHint: 'If the button does not work, open this link in your browser:',
  validity: 'The link works for %VALID_FOR%.',
  closing: 'Your %APP_NAME% team',
  mails: {
    verifyEmail: {
      subject: 'Verify your email address for %APP_NAME%',
      before: ['Please confirm that %EMAIL% is your email address for %APP_NAME%.'],
      button: 'Verify email address',
      after: ['If you did not request this, you can ignore this email.'],
    },
    resetPassword: {
      subject: 'Reset your password for %APP_NAME%',
      before: ['We received a request to reset the password of your %APP_NAME% account, %EMAIL%.'],
      button: 'Reset password',
      after: ['If this was not you, you can ignore this email. Your password does not change.'],
    },
    changeEmail: {
      subject: 'Confirm your new email address for %APP_NAME%',
      before: ['Please confirm that %NEW_EMAIL% is the new email address of your %APP_NAME% account.'],
      button: 'Confirm new email address',
      after: ['If you did not request this, you can ignore this email.'],
    },
    emailSignIn: {
      subject: 'Sign in to %APP_NAME%',
      before: [
        'We received a request to sign in to %APP_NAME% with %EMAIL%. If this was you, click the button.',
      ],
      button: 'Sign in',
      after: ['If this was not you, you can ignore this email.'],
    },
    recoverEmail: {
      subject: 'The email address of your %APP_NAME% account was changed',
      before: [
        'The email address of your %APP_NAME% account was changed from %EMAIL% to %NEW_EMAIL%.',
        'If this was not you, restore your email address, then choose a new password.',
      ],
      button: 'Restore email address',
      after: ['If this was you, no action is needed.'],
    },
    secondFactorAdded: {
      subject: 'A second factor was added to your %APP_NAME% account',
      before: [
        'A second factor was added to your %APP_NAME% account, %EMAIL%.',
        'If this was not you, remove it, then choose a new password.',
      ],
      button: 'Remove second factor',
      after: ['If this was you, no action is needed.'],
    },
    secondFactorRemoved: {
      subject: 'A second factor was removed from your %APP_NAME% account',
      before: [
        'A second factor was removed from your %APP_NAME% account, %EMAIL%.',
        'If this was not you, reset your password in %APP_NAME% immediately.',
      ],
      after: ['If this was you, no action is needed.'],
    },
    recoveryCodesMade: {
      subject: 'New recovery codes were created for your %APP_NAME% account',
      before: [
        'New recovery codes were created for your %APP_NAME% account, %EMAIL%. The previous codes no longer work.',
        'If this was not you, reset your password in %APP_NAME% immediately.',
      ],
      after: ['If this was you, no action is needed.'],
    },
    recoveryCodeUsed: {
      subject: 'A recovery code was used to sign in to your %APP_NAME% account',
      before: [
        'A recovery code was used to sign in to your %APP_NAME% account, %EMAIL%, instead of a second factor. The code no longer works.',
        'If this was not you, reset your password in %APP_NAME% immediately, and create new recovery codes.',
      ],
      after: ['If this was you, create new recovery codes before none are left.'],
    },
    passwordChanged: {
      subject: 'The password of your %APP_NAME% account was changed',
      before: [
        'The password of your %APP_NAME% account, %EMAIL%, was changed.',
        'If this was not you, reset your password in %APP_NAME% immediately.',
      ],
      after: ['If this was you, no action is needed.'],
    },
    phoneNumberChanged: {
      subject: 'The phone number of your %APP_NAME% account was changed',
      before: [
        'The phone number with which you sign in to your %APP_NAME% account, %EMAIL%, was changed or added.',
        'If this was not you, reset your password in %APP_NAME% immediately.',
      ],
      after: ['If this was you, no action is needed.'],
    },
    passkeyAdded: {
      subject: 'A passkey was added to your %APP_NAME% account',
      before: [
        'A passkey was added to your %APP_NAME% account, %EMAIL%. It can be used to sign in without a password.',
        'If this was not you, sign in to %APP_NAME% immediately, remove the passkey, and change your password.',
      ],
      after: ['If this was you, no action is needed.'],
    },
    passkeyRemoved: {
      subject: 'A passkey was removed from your %APP_NAME% account',
      before: [
        'A passkey was removed from your %APP_NAME% account, %EMAIL%. It can no longer be used to sign in.',
        'If this was not you, reset your password in %APP_NAME% immediately.',
      ],
      after: ['If this was you, no action is needed.'],
    },
    emailInUse: {
      subject: 'Your email address is already used in %APP_NAME%',
      before: [
        'We received a request to use %EMAIL% for another %APP_NAME% account. Nothing was changed, because your account already uses this address.',
        'If this was you, sign in to your existing account. If you forgot the password, reset it there.',
      ],
      after: ['If this was not you, you can ignore this email.'],
    },
  },
};
