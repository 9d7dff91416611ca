import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  currentEmail: 'Bisherige E‑Mail-Adresse',
  newEmail: 'Neue E‑Mail-Adresse',
  removedFactor: 'Zu entfernender zweiter Faktor',
  newPassword: {
    heading: 'Neues Passwort wählen',
    text: 'Sie werden auf allen Ihren Geräten abgemeldet.',
    label: 'Neues Passwort',
    show: 'Passwort anzeigen',
    save: 'Passwort speichern',
    requirements: 'Anforderungen an das Passwort:',
    met: 'erfüllt',
    unmet: 'fehlt',
    allMet: 'Das Passwort erfüllt alle Anforderungen.',
    missing: 'Das Passwort erfüllt nicht alle Anforderungen.',
    minLength: (count) => `mindestens ${count} Zeichen`,
    maxLength: (count) => `höchstens ${count} Zeichen`,
    lowercase: 'einen Kleinbuchstaben (a–z)',
    uppercase: 'einen Großbuchstaben (A–Z)',
    digit: 'eine Ziffer (0–9)',
    symbol: 'ein Sonderzeichen, zum Beispiel ! oder ?',
  },
};
