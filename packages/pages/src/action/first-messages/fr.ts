import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  busy: 'Un instant…',
  labels: {
    account: 'Compte',
    authenticator: 'Application d’authentification',
  },
  resetMail: {
    invitation: 'Saisissez votre adresse e‑mail pour recevoir un nouveau lien.',
    label: 'Adresse e‑mail',
    invalid: 'Saisissez une adresse e‑mail valide, comme nom@example.com.',
    send: 'Envoyer l’e‑mail de réinitialisation',
    sent: 'Si cette adresse a un compte, nous y avons envoyé un lien. Consultez votre boîte de réception.',
  },
  problems: {
    weakPassword: 'Ce mot de passe est trop facile à deviner. Choisissez-en un autre.',
    tooManyAttempts: 'Trop de tentatives. Attendez quelques minutes, puis réessayez.',
    unreachable: 'Impossible de joindre le serveur. Vérifiez votre connexion, puis réessayez.',
    unexpected: 'Une erreur inattendue s’est produite. Réessayez plus tard.',
  },
};
