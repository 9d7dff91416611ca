import type { Messages } from './messages.ts';

export const FR: Messages = {
  checking: 'Vérification du lien…',
  busy: 'Un instant…',
  labels: {
    account: 'Compte',
    currentEmail: 'Adresse e‑mail actuelle',
    newEmail: 'Nouvelle adresse e‑mail',
    restoredEmail: 'Adresse e‑mail à rétablir',
    factor: 'Deuxième étape à retirer',
    authenticator: 'Application d’authentification',
    phone: (number) => `Téléphone ${number}`,
  },
  newPassword: {
    heading: 'Choisissez un nouveau mot de passe',
    text: 'Vous serez déconnecté de tous vos appareils.',
    label: 'Nouveau mot de passe',
    show: 'Afficher le mot de passe',
    save: 'Enregistrer le mot de passe',
    requirements: 'Le mot de passe doit contenir :',
    met: 'présent',
    unmet: 'manque encore',
    allMet: 'Le mot de passe contient tout ce qu’il faut.',
    missing: 'Il manque encore quelque chose au mot de passe.',
    minLength: (count) => (count === 1 ? 'au moins 1 caractère' : `au moins ${count} caractères`),
    maxLength: (count) => `au plus ${count} caractères`,
    lowercase: 'une lettre minuscule (a–z)',
    uppercase: 'une lettre majuscule (A–Z)',
    digit: 'un chiffre (0–9)',
    symbol: 'un caractère spécial, par exemple ! ou ?',
  },
  confirm: {
    verifyEmail: {
      heading: 'Confirmez votre adresse e‑mail',
      text: 'Appuyez sur le bouton pour confirmer que cette adresse est la vôtre.',
      button: 'Confirmer l’adresse',
    },
    verifyAndChangeEmail: {
      heading: 'Changez votre adresse e‑mail',
      text: 'Vous vous connecterez désormais avec la nouvelle adresse.',
      button: 'Changer l’adresse',
    },
    recoverEmail: {
      heading: 'Rétablissez votre adresse e‑mail',
      text: 'L’adresse de votre compte a été changée. Si ce n’était pas vous, rétablissez l’ancienne.',
      button: 'Rétablir l’adresse',
    },
    revertSecondFactorAddition: {
      heading: 'Retirez la deuxième étape',
      text: 'Une deuxième étape de connexion a été ajoutée à votre compte. Si ce n’était pas vous, retirez-la.',
      button: 'Retirer la deuxième étape',
    },
  },
  done: {
    resetPassword: {
      heading: 'Mot de passe enregistré',
      text: 'Vous pouvez maintenant vous connecter avec votre nouveau mot de passe.',
    },
    verifyEmail: { heading: 'Adresse confirmée', text: 'Merci. Votre adresse e‑mail est confirmée.' },
    verifyAndChangeEmail: {
      heading: 'Adresse changée',
      text: 'Connectez-vous désormais avec votre nouvelle adresse e‑mail.',
    },
    recoverEmail: {
      heading: 'Adresse rétablie',
      text: 'Vous pouvez de nouveau vous connecter avec votre ancienne adresse e‑mail.',
    },
    revertSecondFactorAddition: {
      heading: 'Deuxième étape retirée',
      text: 'Elle ne vous sera plus demandée à la connexion.',
    },
  },
  close: 'Vous pouvez fermer cette page.',
  continueTo: (host) => `Continuer vers ${host}`,
  resetMail: {
    advice:
      'Si quelqu’un d’autre a fait ce changement, il connaît peut-être votre mot de passe. Choisissez-en aussi un nouveau.',
    invitation: 'Saisissez votre adresse e‑mail pour recevoir un nouveau lien.',
    label: 'Adresse e‑mail',
    invalid: 'Saisissez une adresse e‑mail, par exemple nom@example.com.',
    send: 'Recevoir un lien pour un nouveau mot de passe',
    sent: 'S’il existe un compte avec cette adresse, un e‑mail contenant un lien est en route. Regardez votre boîte de réception.',
  },
  refused: {
    incomplete: {
      heading: 'Ce lien est incomplet',
      text: 'Ouvrez de nouveau le lien de l’e‑mail, ou copiez-le en entier dans la barre d’adresse.',
    },
    unknownMode: { heading: 'Ce lien est inconnu', text: 'Ouvrez de nouveau le lien de l’e‑mail.' },
    noContinueUrl: {
      heading: 'Ce lien ne mène nulle part',
      text: 'L’adresse de l’application manque ou n’est pas autorisée. Demandez à l’application un nouveau lien de connexion.',
    },
    wrongProject: {
      heading: 'Ce lien vient d’ailleurs',
      text: 'Il a été créé pour une autre adresse. Ouvrez de nouveau le lien de l’e‑mail.',
    },
    invalidCode: {
      heading: 'Ce lien n’est plus valable',
      text: 'Il a déjà servi, ou un lien plus récent l’a remplacé.',
    },
    expiredCode: {
      heading: 'Ce lien a expiré',
      text: 'Demandez-en un nouveau ; il ne vaut que peu de temps.',
    },
    userDisabled: {
      heading: 'Ce compte est désactivé',
      text: 'Adressez-vous aux responsables de l’application si vous pensez que c’est une erreur.',
    },
    userNotFound: { heading: 'Ce compte n’existe pas', text: 'Le compte de ce lien a été supprimé.' },
    emailTaken: {
      heading: 'Cette adresse est déjà prise',
      text: 'Un autre compte utilise désormais cette adresse e‑mail ; rien n’a donc été changé.',
    },
    notAllowed: {
      heading: 'Ce n’est pas possible ici',
      text: 'Les responsables de l’application n’autorisent pas cette étape pour le moment.',
    },
  },
  failed: 'Cela n’a pas marché',
  retry: 'Réessayer',
  problems: {
    weakPassword: 'Ce mot de passe est trop facile à deviner. Choisissez-en un autre.',
    tooManyAttempts: 'Il y a eu trop de tentatives. Attendez un moment, puis réessayez.',
    unreachable: 'Le serveur est injoignable. Vérifiez votre connexion, puis réessayez.',
    unexpected: 'Un problème est survenu. Réessayez plus tard.',
  },
};
