import type { LanguageTexts } from './language.ts';

export const GERMAN: LanguageTexts = {
  greeting: 'Hallo %DISPLAY_NAME%,',
  namelessGreeting: 'Hallo,',
  linkHint: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diesen Link im Browser:',
  validity: 'Der Link ist %VALID_FOR% gültig.',
  closing: 'Ihr %APP_NAME%-Team',
  mails: {
    verifyEmail: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse für %APP_NAME%',
      before: ['Bitte bestätigen Sie, dass %EMAIL% Ihre E-Mail-Adresse für %APP_NAME% ist.'],
      button: 'E-Mail-Adresse bestätigen',
      after: ['Falls Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.'],
    },
    resetPassword: {
      subject: 'Setzen Sie Ihr Passwort für %APP_NAME% zurück',
      before: [
        'Wir haben eine Anfrage erhalten, das Passwort Ihres %APP_NAME%-Kontos %EMAIL% zurückzusetzen.',
      ],
      button: 'Passwort zurücksetzen',
      after: [
        'Falls Sie das nicht waren, können Sie diese E-Mail ignorieren. Ihr Passwort ändert sich nicht.',
      ],
    },
    changeEmail: {
      subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse für %APP_NAME%',
      before: ['Bitte bestätigen Sie, dass %NEW_EMAIL% die neue E-Mail-Adresse Ihres %APP_NAME%-Kontos ist.'],
      button: 'Neue E-Mail-Adresse bestätigen',
      after: ['Falls Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.'],
    },
    emailSignIn: {
      subject: 'Anmeldung bei %APP_NAME%',
      before: [
        'Wir haben eine Anfrage erhalten, sich mit %EMAIL% bei %APP_NAME% anzumelden. Falls Sie das waren, klicken Sie auf die Schaltfläche.',
      ],
      button: 'Anmelden',
      after: ['Falls Sie das nicht waren, können Sie diese E-Mail ignorieren.'],
    },
    recoverEmail: {
      subject: 'Die E-Mail-Adresse Ihres %APP_NAME%-Kontos wurde geändert',
      before: [
        'Die E-Mail-Adresse Ihres %APP_NAME%-Kontos wurde von %EMAIL% in %NEW_EMAIL% geändert.',
        'Falls Sie das nicht waren, stellen Sie Ihre E-Mail-Adresse wieder her, und wählen Sie danach ein neues Passwort.',
      ],
      button: 'E-Mail-Adresse wiederherstellen',
      after: ['Falls Sie das waren, müssen Sie nichts tun.'],
    },
    secondFactorAdded: {
      subject: 'Ihrem %APP_NAME%-Konto wurde ein zweiter Faktor hinzugefügt',
      before: [
        'Ihrem %APP_NAME%-Konto %EMAIL% wurde ein zweiter Faktor hinzugefügt.',
        'Falls Sie das nicht waren, entfernen Sie ihn, und wählen Sie danach ein neues Passwort.',
      ],
      button: 'Zweiten Faktor entfernen',
      after: ['Falls Sie das waren, müssen Sie nichts tun.'],
    },
    secondFactorRemoved: {
      subject: 'Aus Ihrem %APP_NAME%-Konto wurde ein zweiter Faktor entfernt',
      before: [
        'Aus Ihrem %APP_NAME%-Konto %EMAIL% wurde ein zweiter Faktor entfernt.',
        'Falls Sie das nicht waren, setzen Sie Ihr Passwort in %APP_NAME% sofort zurück.',
      ],
      after: ['Falls Sie das waren, müssen Sie nichts tun.'],
    },
    recoveryCodesMade: {
      subject: 'Für Ihr %APP_NAME%-Konto wurden neue Wiederherstellungscodes erstellt',
      before: [
        'Für Ihr %APP_NAME%-Konto %EMAIL% wurden neue Wiederherstellungscodes erstellt. Die bisherigen Codes funktionieren nicht mehr.',
        'Falls Sie das nicht waren, setzen Sie Ihr Passwort in %APP_NAME% sofort zurück.',
      ],
      after: ['Falls Sie das waren, müssen Sie nichts tun.'],
    },
    recoveryCodeUsed: {
      subject: 'Für die Anmeldung in Ihrem %APP_NAME%-Konto wurde ein Wiederherstellungscode verwendet',
      before: [
        'Für die Anmeldung in Ihrem %APP_NAME%-Konto %EMAIL% wurde anstelle eines zweiten Faktors ein Wiederherstellungscode verwendet. Der Code funktioniert nicht mehr.',
        'Falls Sie das nicht waren, setzen Sie Ihr Passwort in %APP_NAME% sofort zurück und erstellen Sie neue Wiederherstellungscodes.',
      ],
      after: [
        'Falls Sie das waren, erstellen Sie neue Wiederherstellungscodes, bevor keine mehr übrig sind.',
      ],
    },
    passwordChanged: {
      subject: 'Das Passwort Ihres %APP_NAME%-Kontos wurde geändert',
      before: [
        'Das Passwort Ihres %APP_NAME%-Kontos %EMAIL% wurde geändert.',
        'Falls Sie das nicht waren, setzen Sie Ihr Passwort in %APP_NAME% sofort zurück.',
      ],
      after: ['Falls Sie das waren, müssen Sie nichts tun.'],
    },
    phoneNumberChanged: {
      subject: 'Die Telefonnummer Ihres %APP_NAME%-Kontos wurde geändert',
      before: [
        'Die Telefonnummer, mit der Sie sich bei Ihrem %APP_NAME%-Konto %EMAIL% anmelden, wurde geändert oder hinzugefügt.',
        'Falls Sie das nicht waren, setzen Sie Ihr Passwort in %APP_NAME% sofort zurück.',
      ],
      after: ['Falls Sie das waren, müssen Sie nichts tun.'],
    },
    passkeyAdded: {
      subject: 'Zu Ihrem %APP_NAME%-Konto wurde ein Passkey hinzugefügt',
      before: [
        'Zu Ihrem %APP_NAME%-Konto %EMAIL% wurde ein Passkey hinzugefügt. Damit ist eine Anmeldung ohne Passwort möglich.',
        'Falls Sie das nicht waren, melden Sie sich sofort bei %APP_NAME% an, entfernen Sie den Passkey und ändern Sie Ihr Passwort.',
      ],
      after: ['Falls Sie das waren, müssen Sie nichts tun.'],
    },
    passkeyRemoved: {
      subject: 'Aus Ihrem %APP_NAME%-Konto wurde ein Passkey entfernt',
      before: [
        'Aus Ihrem %APP_NAME%-Konto %EMAIL% wurde ein Passkey entfernt. Eine Anmeldung damit ist nicht mehr möglich.',
        'Falls Sie das nicht waren, setzen Sie Ihr Passwort in %APP_NAME% sofort zurück.',
      ],
      after: ['Falls Sie das waren, müssen Sie nichts tun.'],
    },
    emailInUse: {
      subject: 'Ihre E-Mail-Adresse wird in %APP_NAME% schon verwendet',
      before: [
        'Wir haben eine Anfrage erhalten, %EMAIL% für ein anderes %APP_NAME%-Konto zu verwenden. Es wurde nichts geändert, weil Ihr Konto diese Adresse schon verwendet.',
        'Falls Sie das waren, melden Sie sich mit Ihrem vorhandenen Konto an. Falls Sie das Passwort vergessen haben, setzen Sie es dort zurück.',
      ],
      after: ['Falls Sie das nicht waren, können Sie diese E-Mail ignorieren.'],
    },
  },
};
