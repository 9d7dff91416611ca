import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  checking: 'Vérification du lien…',
  restoredEmail: 'Adresse e‑mail à rétablir',
  phoneFactor: (number) => `Téléphone ${number}`,
  confirm: {
    verifyEmail: {
      heading: 'Vérifiez votre adresse e‑mail',
      text: 'Confirmez que cette adresse e‑mail est la vôtre.',
      button: 'Vérifier l’e‑mail',
    },
    verifyAndChangeEmail: {
      heading: 'Modifiez votre adresse e‑mail',
      text: 'Vous vous connecterez avec la nouvelle adresse.',
      button: 'Modifier l’e‑mail',
    },
    recoverEmail: {
      heading: 'Rétablissez votre adresse e‑mail',
      text: 'L’adresse e‑mail de votre compte a été modifiée. Si ce n’était pas vous, rétablissez la précédente.',
      button: 'Rétablir l’e‑mail',
    },
    revertSecondFactorAddition: {
      heading: 'Retirez le second facteur',
      text: 'Un second facteur a été ajouté à votre compte. Si ce n’était pas vous, retirez-le.',
      button: 'Retirer le second facteur',
    },
  },
  done: {
    resetPassword: {
      heading: 'Mot de passe enregistré',
      text: 'Vous pouvez maintenant vous connecter avec votre nouveau mot de passe.',
    },
    verifyEmail: {
      heading: 'E‑mail vérifié',
      text: 'Vous pouvez maintenant utiliser votre adresse e‑mail vérifiée.',
    },
    verifyAndChangeEmail: {
      heading: 'E‑mail modifié',
      text: 'Vous pouvez maintenant vous connecter avec votre nouvelle adresse e‑mail.',
    },
    recoverEmail: {
      heading: 'E‑mail rétabli',
      text: 'Vous pouvez de nouveau vous connecter avec votre adresse e‑mail précédente.',
    },
    revertSecondFactorAddition: {
      heading: 'Second facteur retiré',
      text: 'La connexion ne le demande plus.',
    },
  },
  close: 'Vous pouvez fermer cette page.',
  continueTo: (host) => `Continuer vers ${host}`,
  resetAdvice:
    'Si vous n’êtes pas à l’origine de cette modification, réinitialisez aussi votre mot de passe. Une autre personne le connaît peut-être.',
  rejected: {
    incomplete: {
      heading: 'Ce lien est incomplet',
      text: 'Ouvrez de nouveau le lien de l’e‑mail, ou copiez le lien entier dans la barre d’adresse.',
    },
    unknownMode: { heading: 'Lien non valide', text: 'Ouvrez de nouveau le lien de l’e‑mail.' },
    noContinueUrl: {
      heading: 'Ce lien ne peut pas ouvrir l’application',
      text: 'L’URL de l’application est manquante ou n’est pas autorisée. Demandez un nouveau lien de connexion dans l’application.',
    },
    wrongProject: {
      heading: 'Projet incorrect',
      text: 'Ce lien concerne un autre projet. Ouvrez de nouveau le lien de l’e‑mail.',
    },
    invalidCode: {
      heading: 'Ce lien n’est plus valide',
      text: 'Ce lien a déjà été utilisé ou a été remplacé par un plus récent.',
    },
    expiredCode: {
      heading: 'Ce lien a expiré',
      text: 'Demandez un nouveau lien. Chaque lien n’est valide que pendant une durée limitée.',
    },
    userDisabled: {
      heading: 'Ce compte est désactivé',
      text: 'Si vous pensez que c’est une erreur, contactez l’assistance de l’application.',
    },
    userNotFound: { heading: 'Compte introuvable', text: 'Le compte de ce lien a été supprimé.' },
    emailTaken: {
      heading: 'E‑mail déjà utilisé',
      text: 'Un autre compte utilise cette adresse e‑mail. Aucune modification n’a été effectuée.',
    },
    notAllowed: {
      heading: 'Non autorisé',
      text: 'L’application n’autorise pas cette action pour le moment.',
    },
  },
  failed: 'Une erreur s’est produite',
  retry: 'Réessayer',
};
