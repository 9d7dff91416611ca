import type { Messages } from './messages.ts';

export const DE: Messages = {
  checking: 'Der Link wird geprüft …',
  busy: 'Einen Augenblick …',
  labels: {
    account: 'Konto',
    currentEmail: 'Bisherige E‑Mail-Adresse',
    newEmail: 'Neue E‑Mail-Adresse',
    restoredEmail: 'Wiederherzustellende E‑Mail-Adresse',
    factor: 'Zu entfernender zweiter Schritt',
    authenticator: 'Authenticator-App',
    phone: (number) => `Telefon ${number}`,
  },
  newPassword: {
    heading: 'Neues Passwort wählen',
    text: 'Sie werden auf allen Ihren Geräten abgemeldet.',
    label: 'Neues Passwort',
    show: 'Passwort anzeigen',
    save: 'Passwort speichern',
    requirements: 'Das Passwort braucht:',
    met: 'erfüllt',
    unmet: 'fehlt noch',
    allMet: 'Das Passwort hat alles, was es braucht.',
    missing: 'Dem Passwort fehlt noch etwas.',
    minLength: (count) => `mindestens ${count} Zeichen`,
    maxLength: (count) => `höchstens ${count} Zeichen`,
    lowercase: 'einen Kleinbuchstaben (a–z)',
    uppercase: 'einen Großbuchstaben (A–Z)',
    digit: 'eine Ziffer (0–9)',
    symbol: 'ein Sonderzeichen, zum Beispiel ! oder ?',
  },
  confirm: {
    verifyEmail: {
      heading: 'E‑Mail-Adresse bestätigen',
      text: 'Bestätigen Sie mit der Schaltfläche, dass diese Adresse Ihnen gehört.',
      button: 'Adresse bestätigen',
    },
    verifyAndChangeEmail: {
      heading: 'E‑Mail-Adresse ändern',
      text: 'Künftig melden Sie sich mit der neuen Adresse an.',
      button: 'Adresse ändern',
    },
    recoverEmail: {
      heading: 'E‑Mail-Adresse wiederherstellen',
      text: 'Die Adresse Ihres Kontos wurde geändert. Wenn Sie das nicht waren, stellen Sie die frühere wieder her.',
      button: 'Adresse wiederherstellen',
    },
    revertSecondFactorAddition: {
      heading: 'Zweiten Schritt entfernen',
      text: 'Ihrem Konto wurde ein zweiter Schritt für die Anmeldung hinzugefügt. Wenn Sie das nicht waren, entfernen Sie ihn.',
      button: 'Zweiten Schritt entfernen',
    },
  },
  done: {
    resetPassword: {
      heading: 'Passwort gespeichert',
      text: 'Sie können sich jetzt mit dem neuen Passwort anmelden.',
    },
    verifyEmail: { heading: 'Adresse bestätigt', text: 'Danke. Ihre E‑Mail-Adresse ist bestätigt.' },
    verifyAndChangeEmail: {
      heading: 'Adresse geändert',
      text: 'Melden Sie sich ab jetzt mit der neuen E‑Mail-Adresse an.',
    },
    recoverEmail: {
      heading: 'Adresse wiederhergestellt',
      text: 'Sie können sich wieder mit der früheren E‑Mail-Adresse anmelden.',
    },
    revertSecondFactorAddition: {
      heading: 'Zweiter Schritt entfernt',
      text: 'Bei der Anmeldung wird nicht mehr danach gefragt.',
    },
  },
  close: 'Sie können diese Seite schließen.',
  continueTo: (host) => `Weiter zu ${host}`,
  resetMail: {
    advice:
      'Wer die Änderung vorgenommen hat, kennt vielleicht Ihr Passwort. Wählen Sie auch ein neues Passwort.',
    invitation: 'Geben Sie Ihre E‑Mail-Adresse ein, um einen neuen Link zu erhalten.',
    label: 'E‑Mail-Adresse',
    invalid: 'Geben Sie eine E‑Mail-Adresse ein, zum Beispiel name@example.com.',
    send: 'Link für ein neues Passwort senden',
    sent: 'Falls es ein Konto mit dieser Adresse gibt, ist eine Mail mit einem Link unterwegs. Sehen Sie in Ihr Postfach.',
  },
  refused: {
    incomplete: {
      heading: 'Dieser Link ist unvollständig',
      text: 'Öffnen Sie den Link in der Mail noch einmal, oder kopieren Sie ihn ganz in die Adresszeile.',
    },
    unknownMode: {
      heading: 'Dieser Link ist unbekannt',
      text: 'Öffnen Sie den Link in der Mail noch einmal.',
    },
    noContinueUrl: {
      heading: 'Dieser Link führt nirgendwohin',
      text: 'Die Adresse der App fehlt oder ist nicht erlaubt. Fordern Sie in der App einen neuen Anmeldelink an.',
    },
    wrongProject: {
      heading: 'Dieser Link gehört woandershin',
      text: 'Er wurde für eine andere Adresse erstellt. Öffnen Sie den Link in der Mail noch einmal.',
    },
    invalidCode: {
      heading: 'Dieser Link gilt nicht mehr',
      text: 'Er wurde schon benutzt oder durch einen neueren ersetzt.',
    },
    expiredCode: {
      heading: 'Dieser Link ist abgelaufen',
      text: 'Fordern Sie einen neuen an; er gilt nur für kurze Zeit.',
    },
    userDisabled: {
      heading: 'Dieses Konto ist gesperrt',
      text: 'Wenden Sie sich an die Betreiber der App, wenn Sie das für einen Irrtum halten.',
    },
    userNotFound: { heading: 'Dieses Konto gibt es nicht', text: 'Das Konto zu diesem Link wurde gelöscht.' },
    emailTaken: {
      heading: 'Diese Adresse ist vergeben',
      text: 'Inzwischen verwendet ein anderes Konto diese E‑Mail-Adresse. Es wurde nichts geändert.',
    },
    notAllowed: {
      heading: 'Das geht hier nicht',
      text: 'Die Betreiber der App erlauben diesen Schritt zurzeit nicht.',
    },
  },
  failed: 'Das hat nicht geklappt',
  retry: 'Noch einmal versuchen',
  problems: {
    weakPassword: 'Dieses Passwort ist zu leicht zu erraten. Wählen Sie ein anderes.',
    tooManyAttempts: 'Das waren zu viele Versuche. Warten Sie eine Weile und versuchen Sie es noch einmal.',
    unreachable:
      'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    unexpected: 'Etwas ist schiefgegangen. Versuchen Sie es später noch einmal.',
  },
};
