import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  busy: 'Einen Augenblick …',
  labels: {
    account: 'Konto',
    authenticator: 'Authenticator-App',
  },
  resetMail: {
    invitation: 'Geben Sie Ihre E‑Mail-Adresse ein, um einen neuen Link zu erhalten.',
    label: 'E‑Mail-Adresse',
    invalid: 'Geben Sie eine gültige E‑Mail-Adresse ein, zum Beispiel name@example.com.',
    send: 'E‑Mail zum Zurücksetzen des Passworts senden',
    sent: 'Falls es zu dieser Adresse ein Konto gibt, haben wir einen Link dorthin gesendet. Sehen Sie in Ihr Postfach.',
  },
  problems: {
    weakPassword: 'Dieses Passwort ist zu leicht zu erraten. Wählen Sie ein anderes.',
    tooManyAttempts: 'Zu viele Versuche. Warten Sie einige Minuten, und versuchen Sie es dann erneut.',
    unreachable:
      'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es dann erneut.',
    unexpected: 'Ein unerwarteter Fehler ist aufgetreten. Versuchen Sie es später erneut.',
  },
};
