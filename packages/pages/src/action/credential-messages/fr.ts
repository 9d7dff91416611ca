import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  currentEmail: 'Adresse e‑mail actuelle',
  newEmail: 'Nouvelle adresse e‑mail',
  removedFactor: 'Second facteur à retirer',
  newPassword: {
    heading: 'Choisissez un nouveau mot de passe',
    text: 'Vous serez déconnecté de tous vos appareils.',
    label: 'Nouveau mot de passe',
    show: 'Afficher le mot de passe',
    save: 'Enregistrer le mot de passe',
    requirements: 'Exigences du mot de passe :',
    met: 'respecté',
    unmet: 'manquant',
    allMet: 'Le mot de passe respecte toutes les exigences.',
    missing: 'Le mot de passe ne respecte pas toutes les exigences.',
    minLength: (count) => (count === 1 ? 'au moins 1 caractère' : `au moins ${count} caractères`),
    maxLength: (count) => `au plus ${count} caractères`,
    lowercase: 'une lettre minuscule (a–z)',
    uppercase: 'une lettre majuscule (A–Z)',
    digit: 'un chiffre (0–9)',
    symbol: 'un caractère spécial, par exemple ! ou ?',
  },
};
