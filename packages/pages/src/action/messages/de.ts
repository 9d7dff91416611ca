import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  checking: 'Der Link wird geprüft …',
  restoredEmail: 'Wiederherzustellende E‑Mail-Adresse',
  phoneFactor: (number) => `Telefon ${number}`,
  confirm: {
    verifyEmail: {
      heading: 'E‑Mail-Adresse bestätigen',
      text: 'Bestätigen Sie, dass dies Ihre E‑Mail-Adresse ist.',
      button: 'E‑Mail bestätigen',
    },
    verifyAndChangeEmail: {
      heading: 'E‑Mail-Adresse ändern',
      text: 'Sie melden sich künftig mit der neuen Adresse an.',
      button: 'E‑Mail ändern',
    },
    recoverEmail: {
      heading: 'E‑Mail-Adresse wiederherstellen',
      text: 'Die E‑Mail-Adresse Ihres Kontos wurde geändert. Wenn Sie das nicht waren, stellen Sie die vorherige wieder her.',
      button: 'E‑Mail wiederherstellen',
    },
    revertSecondFactorAddition: {
      heading: 'Zweiten Faktor entfernen',
      text: 'Ihrem Konto wurde ein zweiter Faktor hinzugefügt. Wenn Sie das nicht waren, entfernen Sie ihn.',
      button: 'Zweiten Faktor entfernen',
    },
  },
  done: {
    resetPassword: {
      heading: 'Passwort gespeichert',
      text: 'Sie können sich jetzt mit dem neuen Passwort anmelden.',
    },
    verifyEmail: {
      heading: 'E‑Mail bestätigt',
      text: 'Sie können Ihre bestätigte E‑Mail-Adresse jetzt verwenden.',
    },
    verifyAndChangeEmail: {
      heading: 'E‑Mail geändert',
      text: 'Sie können sich jetzt mit Ihrer neuen E‑Mail-Adresse anmelden.',
    },
    recoverEmail: {
      heading: 'E‑Mail wiederhergestellt',
      text: 'Sie können sich wieder mit Ihrer vorherigen E‑Mail-Adresse anmelden.',
    },
    revertSecondFactorAddition: {
      heading: 'Zweiter Faktor entfernt',
      text: 'Die Anmeldung verlangt ihn nicht mehr.',
    },
  },
  close: 'Sie können diese Seite schließen.',
  continueTo: (host) => `Weiter zu ${host}`,
  resetAdvice:
    'Wenn Sie das nicht geändert haben, setzen Sie auch Ihr Passwort zurück. Jemand anderes könnte es kennen.',
  rejected: {
    incomplete: {
      heading: 'Dieser Link ist unvollständig',
      text: 'Öffnen Sie den Link in der E‑Mail noch einmal, oder kopieren Sie den ganzen Link in die Adresszeile.',
    },
    unknownMode: {
      heading: 'Ungültiger Link',
      text: 'Öffnen Sie den Link in der E‑Mail noch einmal.',
    },
    noContinueUrl: {
      heading: 'Dieser Link kann die App nicht öffnen',
      text: 'Die URL der App fehlt oder ist nicht erlaubt. Fordern Sie in der App einen neuen Anmeldelink an.',
    },
    wrongProject: {
      heading: 'Falsches Projekt',
      text: 'Dieser Link gehört zu einem anderen Projekt. Öffnen Sie den Link in der E‑Mail noch einmal.',
    },
    invalidCode: {
      heading: 'Dieser Link ist nicht mehr gültig',
      text: 'Dieser Link wurde bereits verwendet oder durch einen neueren ersetzt.',
    },
    expiredCode: {
      heading: 'Dieser Link ist abgelaufen',
      text: 'Fordern Sie einen neuen Link an. Jeder Link ist nur begrenzte Zeit gültig.',
    },
    userDisabled: {
      heading: 'Dieses Konto ist deaktiviert',
      text: 'Wenn Sie das für einen Fehler halten, wenden Sie sich an den Support der App.',
    },
    userNotFound: { heading: 'Konto nicht gefunden', text: 'Das Konto zu diesem Link wurde gelöscht.' },
    emailTaken: {
      heading: 'E‑Mail-Adresse bereits vergeben',
      text: 'Ein anderes Konto verwendet diese E‑Mail-Adresse. Es wurde nichts geändert.',
    },
    notAllowed: {
      heading: 'Nicht erlaubt',
      text: 'Die App erlaubt diese Aktion derzeit nicht.',
    },
  },
  failed: 'Etwas ist schiefgegangen',
  retry: 'Erneut versuchen',
};
