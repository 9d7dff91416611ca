import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  choose: {
    heading: (provider) => `Mit ${provider} anmelden`,
    text: (provider) =>
      `Dies ist ein Entwicklungsserver. Wählen Sie einen Benutzer aus, oder legen Sie einen an. ${provider} wird nicht kontaktiert.`,
    known: 'Benutzer, die sich schon angemeldet haben',
    email: 'E-Mail-Adresse (freiwillig)',
    name: 'Name (freiwillig)',
    invalidEmail: 'Geben Sie eine gültige E-Mail-Adresse ein, oder lassen Sie das Feld leer.',
    add: 'Als neuer Benutzer anmelden',
    cancel: 'Abbrechen',
  },
  delivering: 'Die Anmeldung wird abgeschlossen…',
  delivered: { heading: 'Angemeldet', text: 'Sie können dieses Fenster schließen.' },
  problems: {
    incomplete: {
      heading: 'Diese Adresse ist unvollständig',
      text: 'Kehren Sie zur App zurück, und beginnen Sie die Anmeldung neu.',
    },
    wrongProject: {
      heading: 'Unbekannte App',
      text: 'Dieser Server kennt den API-Schlüssel der App nicht. Wenn Sie die App entwickeln, prüfen Sie ihre Konfiguration.',
    },
    unknownTenant: {
      heading: 'Unbekannter Mandant',
      text: 'Das Projekt der App hat keinen Mandanten mit dieser ID. Wenn Sie die App entwickeln, prüfen Sie ihre Mandanten-ID.',
    },
    unknownProvider: {
      heading: 'Unbekannter Anbieter',
      text: 'Die App nennt einen Anbieter, den es nicht gibt. Wenn Sie die App entwickeln, prüfen Sie die Anbieter-ID.',
    },
    providerDisabled: {
      heading: 'Diese Anmeldung ist ausgeschaltet',
      text: 'Kehren Sie zur App zurück, und melden Sie sich anders an.',
    },
    unauthorizedDomain: {
      heading: 'Diese App darf sich hier nicht anmelden',
      text: 'Die Domain der App ist nicht zugelassen. Wenn Sie die App entwickeln, fügen Sie sie den zugelassenen Domains des Projekts hinzu.',
    },
    unsupported: {
      heading: 'Nicht unterstützt',
      text: 'Diese Art der Anmeldung wird nicht unterstützt. Kehren Sie zur App zurück, und melden Sie sich anders an.',
    },
    expired: {
      heading: 'Diese Anmeldung ist nicht mehr gültig',
      text: 'Sie hat zu lange gedauert, oder sie ist schon beendet. Kehren Sie zur App zurück, und beginnen Sie neu.',
    },
    otherBrowser: {
      heading: 'In einem anderen Browser begonnen',
      text: 'Eine Anmeldung muss in dem Browser enden, in dem sie begann, und Cookies müssen erlaubt sein. Kehren Sie zur App zurück, und beginnen Sie neu.',
    },
    tooMany: {
      heading: 'Zu viele Anmeldungen zugleich',
      text: 'Warten Sie einige Minuten, und beginnen Sie dann in der App neu.',
    },
    providerFailed: {
      heading: 'Der Anbieter hat die Anmeldung nicht bestätigt',
      text: 'Kehren Sie zur App zurück, und versuchen Sie es noch einmal, oder melden Sie sich anders an.',
    },
    lost: {
      heading: 'Die App wartet nicht mehr',
      text: 'Ihr Fenster wurde geschlossen oder zeigt etwas anderes. Kehren Sie zur App zurück, und beginnen Sie neu. Wenn es wieder geschieht, kann die App eine Weiterleitung verwenden.',
    },
    noStorage: {
      heading: 'Der Browser erlaubt keine Speicherung',
      text: 'Erlauben Sie dieser Website, Daten zu speichern, und beginnen Sie dann in der App neu.',
    },
  },
};
