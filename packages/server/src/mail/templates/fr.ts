import type { LanguageTexts } from './mail-text.ts';

export const FRENCH: LanguageTexts = {
  greeting: 'Bonjour %DISPLAY_NAME%,',
  namelessGreeting: 'Bonjour,',
  linkHint: 'Si le bouton ne fonctionne pas, ouvrez cette adresse dans votre navigateur :',
  closing: 'L’équipe %APP_NAME%',
  mails: {
    verifyEmail: {
      subject: 'Confirmez votre adresse e-mail pour %APP_NAME%',
      before: ['Veuillez confirmer que %EMAIL% est bien votre adresse e-mail pour %APP_NAME%.'],
      button: 'Confirmer mon adresse',
      after: ['Si vous n’avez rien demandé, vous pouvez ignorer ce message.'],
    },
    resetPassword: {
      subject: 'Réinitialisez votre mot de passe %APP_NAME%',
      before: ['Une réinitialisation du mot de passe de votre compte %APP_NAME%, %EMAIL%, a été demandée.'],
      button: 'Réinitialiser le mot de passe',
      after: [
        'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message : votre mot de passe reste inchangé.',
      ],
    },
    changeEmail: {
      subject: 'Confirmez votre nouvelle adresse e-mail pour %APP_NAME%',
      before: [
        'Veuillez confirmer que %NEW_EMAIL% doit devenir la nouvelle adresse e-mail de votre compte %APP_NAME%.',
      ],
      button: 'Confirmer la nouvelle adresse',
      after: ['Si vous n’avez rien demandé, vous pouvez ignorer ce message.'],
    },
    emailSignIn: {
      subject: 'Connectez-vous à %APP_NAME%',
      before: [
        'Une connexion à %APP_NAME% avec %EMAIL% a été demandée. Si c’est bien vous, utilisez ce bouton.',
      ],
      button: 'Se connecter',
      after: ['Si ce n’est pas vous, vous pouvez ignorer ce message.'],
    },
    recoverEmail: {
      subject: 'L’adresse e-mail de votre compte %APP_NAME% a été modifiée',
      before: [
        'L’adresse e-mail de votre compte %APP_NAME% a été modifiée : %EMAIL% a été remplacée par %NEW_EMAIL%.',
        'Si ce n’est pas vous, rétablissez votre adresse, puis choisissez un nouveau mot de passe.',
      ],
      button: 'Rétablir mon adresse',
      after: ['Si c’est bien vous, vous n’avez rien à faire.'],
    },
    secondFactorAdded: {
      subject: 'La validation en deux étapes a été ajoutée à votre compte %APP_NAME%',
      before: [
        'Une seconde étape de connexion a été ajoutée à votre compte %APP_NAME%, %EMAIL%.',
        'Si ce n’est pas vous, supprimez-la, puis choisissez un nouveau mot de passe.',
      ],
      button: 'Supprimer la seconde étape',
      after: ['Si c’est bien vous, vous n’avez rien à faire.'],
    },
    secondFactorRemoved: {
      subject: 'Une seconde étape de connexion a été supprimée de votre compte %APP_NAME%',
      before: [
        'Une seconde étape de connexion a été supprimée de votre compte %APP_NAME%, %EMAIL%.',
        'Si ce n’est pas vous, réinitialisez-le immédiatement dans %APP_NAME%.',
      ],
      after: ['Si c’est bien vous, vous n’avez rien à faire.'],
    },
    recoveryCodesMade: {
      subject: 'De nouveaux codes de récupération ont été créés pour votre compte %APP_NAME%',
      before: [
        'De nouveaux codes de récupération ont été créés pour votre compte %APP_NAME%, %EMAIL%. Les précédents ne sont plus valables.',
        'Si ce n’est pas vous, réinitialisez-le immédiatement dans %APP_NAME%.',
      ],
      after: ['Si c’est bien vous, vous n’avez rien à faire.'],
    },
    passwordChanged: {
      subject: 'Le mot de passe de votre compte %APP_NAME% a été modifié',
      before: [
        'Le mot de passe de votre compte %APP_NAME%, %EMAIL%, a été modifié.',
        'Si ce n’est pas vous, réinitialisez-le immédiatement dans %APP_NAME%.',
      ],
      after: ['Si c’est bien vous, vous n’avez rien à faire.'],
    },
    emailInUse: {
      subject: 'Quelqu’un a essayé d’utiliser votre adresse e-mail dans %APP_NAME%',
      before: [
        'Quelqu’un a essayé d’utiliser %EMAIL% pour un autre compte %APP_NAME%. Rien n’a changé : cette adresse est celle de votre compte.',
        'Si c’est vous, connectez-vous au compte que vous avez déjà. Si vous avez oublié son mot de passe, réinitialisez-le dans %APP_NAME%.',
      ],
      after: ['Si ce n’est pas vous, vous pouvez ignorer ce message.'],
    },
  },
};
