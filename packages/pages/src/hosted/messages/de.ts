import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  signIn: {
    heading: (app) => `Bei ${app} anmelden`,
    password: 'Passwort',
    submit: 'Anmelden',
    forgot: 'Passwort vergessen?',
    create: 'Konto erstellen',
    passkey: 'Mit Passkey anmelden',
    link: 'Anmeldelink per E-Mail senden',
    phone: 'Mit Telefonnummer anmelden',
    provider: (name) => `Weiter mit ${name}`,
  },
  signUp: {
    name: 'Name (freiwillig)',
    heading: 'Konto erstellen',
    submit: 'Konto erstellen',
    known: 'Mit vorhandenem Konto anmelden',
  },
  link: {
    invitation: 'Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Link, mit dem Sie sich anmelden.',
    send: 'Link senden',
    sentHeading: 'Sehen Sie in Ihr Postfach',
    sent: (email) =>
      `Wir haben einen Link an ${email} gesendet. Öffnen Sie ihn in diesem Browser, dann geht es auf dieser Seite weiter.`,
    again: 'Weiteren Link senden',
    addressHeading: 'Bestätigen Sie Ihre E-Mail-Adresse',
    address:
      'Geben Sie die Adresse ein, an die der Link gesendet wurde. Dieser Browser hat ihn nicht angefordert.',
    arrivedHeading: 'Sie sind angemeldet',
    arrived: 'Fahren Sie in dem Tab fort, in dem Sie die Anmeldung begonnen haben, oder hier.',
  },
  phone: { label: 'Telefonnummer', send: 'Code senden' },
  forgot: { heading: 'Passwort zurücksetzen', back: 'Zurück zur Anmeldung' },
  factor: {
    heading: 'Bestätigen Sie Ihre Identität',
    totp: 'Geben Sie den Code Ihrer Authenticator-App oder einen Ihrer Wiederherstellungscodes ein.',
    code: 'Code',
    submit: 'Bestätigen',
    sendSms: (phone) => `Code an ${phone} senden`,
    smsSent: (phone) => `Wir haben einen Code an ${phone} gesendet. Geben Sie ihn hier ein.`,
    other: 'Anderen zweiten Faktor verwenden',
  },
  choose: {
    heading: (app) => `Weiter zu ${app}`,
    text: 'Sie sind auf diesem Gerät angemeldet.',
    submit: 'Weiter',
    other: 'Anderes Konto verwenden',
  },
  leaving: 'Zurück zur App…',
  missing: 'Füllen Sie dieses Feld aus.',
  problems: {
    wrongPassword: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    emailTaken:
      'Für diese E-Mail-Adresse gibt es bereits ein Konto. Melden Sie sich an oder setzen Sie das Passwort zurück.',
    invalidPhone: 'Geben Sie die Nummer mit Landesvorwahl ein, zum Beispiel +49 30 901820.',
    invalidEmail: 'Geben Sie eine gültige E-Mail-Adresse ein, zum Beispiel name@example.com.',
    disabled: 'Dieses Konto ist gesperrt. Wenden Sie sich an den Support der App.',
    notAllowed: 'Die App erlaubt das zurzeit nicht.',
    wrongCode: 'Der Code ist falsch. Geben Sie den aktuellen Code ein.',
    expired: 'Der Code oder die Anmeldung ist abgelaufen. Versuchen Sie es erneut.',
    challenge:
      'Die Prüfung Ihres Browsers ist fehlgeschlagen. Laden Sie die Seite neu und versuchen Sie es erneut.',
    passkeyCancelled:
      'Es wurde kein Passkey verwendet. Versuchen Sie es erneut oder melden Sie sich anders an.',
    passkeyUnknown: 'Kein Konto hat diesen Passkey. Melden Sie sich anders an.',
    smsRejected: 'Die App kann zurzeit keine SMS senden.',
    providerCanceled: 'Die Anmeldung wurde abgebrochen.',
    providerFailed: 'Der andere Dienst hat die Anmeldung nicht abgeschlossen. Versuchen Sie es erneut.',
    accountExists:
      'Ein anderes Konto hat diese E-Mail-Adresse. Melden Sie sich dort anders an, um beide zu verknüpfen.',
    linkInvalid: 'Dieser Link ist abgelaufen oder wurde bereits verwendet. Fordern Sie einen neuen an.',
    otherAddress:
      'Der Link wurde an eine andere Adresse gesendet. Geben Sie die Adresse ein, an die er gesendet wurde.',
  },
};
