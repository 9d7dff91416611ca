import type { LanguageTexts } from './mail-text.ts';

export const GERMAN: LanguageTexts = {
  greeting: 'Hallo %DISPLAY_NAME%,',
  namelessGreeting: 'Hallo,',
  linkHint: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse im Browser:',
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
      before: ['Jemand möchte das Passwort Ihres %APP_NAME%-Kontos %EMAIL% zurücksetzen.'],
      button: 'Passwort zurücksetzen',
      after: [
        'Falls Sie das nicht waren, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt unverändert.',
      ],
    },
    changeEmail: {
      subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse für %APP_NAME%',
      before: [
        'Bitte bestätigen Sie, dass %NEW_EMAIL% die neue E-Mail-Adresse Ihres %APP_NAME%-Kontos werden soll.',
      ],
      button: 'Neue Adresse bestätigen',
      after: ['Falls Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.'],
    },
    emailSignIn: {
      subject: 'Anmeldung bei %APP_NAME%',
      before: [
        'Jemand möchte sich mit %EMAIL% bei %APP_NAME% anmelden. Falls Sie das sind, verwenden Sie diese Schaltfläche.',
      ],
      button: 'Anmelden',
      after: ['Falls Sie das nicht waren, können Sie diese E-Mail ignorieren.'],
    },
    recoverEmail: {
      subject: 'Die E-Mail-Adresse Ihres %APP_NAME%-Kontos wurde geändert',
      before: [
        'Die E-Mail-Adresse Ihres %APP_NAME%-Kontos wurde von %EMAIL% in %NEW_EMAIL% geändert.',
        'Falls Sie das nicht waren, stellen Sie Ihre Adresse wieder her und wählen Sie danach ein neues Passwort.',
      ],
      button: 'Adresse wiederherstellen',
      after: ['Falls Sie das waren, müssen Sie nichts tun.'],
    },
    secondFactorAdded: {
      subject: 'Ihrem %APP_NAME%-Konto wurde eine Bestätigung in zwei Schritten hinzugefügt',
      before: [
        'Ihrem %APP_NAME%-Konto %EMAIL% wurde ein zweiter Schritt für die Anmeldung hinzugefügt.',
        'Falls Sie das nicht waren, entfernen Sie ihn und wählen Sie danach ein neues Passwort.',
      ],
      button: 'Zweiten Schritt entfernen',
      after: ['Falls Sie das waren, müssen Sie nichts tun.'],
    },
    secondFactorRemoved: {
      subject: 'Aus Ihrem %APP_NAME%-Konto wurde ein zweiter Anmeldeschritt entfernt',
      before: [
        'Aus Ihrem %APP_NAME%-Konto %EMAIL% wurde ein zweiter Schritt für die Anmeldung entfernt.',
        'Falls Sie das nicht waren, setzen Sie Ihr Passwort in %APP_NAME% umgehend zurück.',
      ],
      after: ['Falls Sie das waren, müssen Sie nichts tun.'],
    },
    recoveryCodesMade: {
      subject: 'Für Ihr %APP_NAME%-Konto wurden neue Wiederherstellungscodes erstellt',
      before: [
        'Für Ihr %APP_NAME%-Konto %EMAIL% wurden neue Wiederherstellungscodes erstellt. Frühere gelten nicht mehr.',
        'Falls Sie das nicht waren, setzen Sie Ihr Passwort in %APP_NAME% umgehend zurück.',
      ],
      after: ['Falls Sie das waren, müssen Sie nichts tun.'],
    },
    passwordChanged: {
      subject: 'Das Passwort Ihres %APP_NAME%-Kontos wurde geändert',
      before: [
        'Das Passwort Ihres %APP_NAME%-Kontos %EMAIL% wurde geändert.',
        'Falls Sie das nicht waren, setzen Sie Ihr Passwort in %APP_NAME% umgehend zurück.',
      ],
      after: ['Falls Sie das waren, müssen Sie nichts tun.'],
    },
    emailInUse: {
      subject: 'Jemand wollte Ihre E-Mail-Adresse bei %APP_NAME% verwenden',
      before: [
        'Jemand wollte %EMAIL% für ein anderes %APP_NAME%-Konto verwenden. Es hat sich nichts geändert: Die Adresse gehört zu Ihrem Konto.',
        'Falls Sie das waren, melden Sie sich mit Ihrem vorhandenen Konto an. Falls Sie dessen Passwort vergessen haben, setzen Sie es dort zurück.',
      ],
      after: ['Falls Sie das nicht waren, können Sie diese E-Mail ignorieren.'],
    },
  },
};
