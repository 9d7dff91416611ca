import type { LanguageTexts } from './language.ts';

export const FRENCH: LanguageTexts = {
  greeting: 'Bonjour %DISPLAY_NAME%,',
  namelessGreeting: 'Bonjour,',
  linkHint: 'Si le bouton ne fonctionne pas, ouvrez ce lien dans votre navigateur :',
  validity: 'Ce lien est valable pendant %VALID_FOR%.',
  closing: 'L’équipe %APP_NAME%',
  mails: {
    verifyEmail: {
      subject: 'Confirmez votre adresse e-mail pour %APP_NAME%',
      before: ['Veuillez confirmer que %EMAIL% est bien votre adresse e-mail pour %APP_NAME%.'],
      button: 'Confirmer mon adresse',
      after: ['Si vous n’êtes pas à l’origine de cette demande, vous pouvez ignorer cet e-mail.'],
    },
    resetPassword: {
      subject: 'Réinitialisez votre mot de passe %APP_NAME%',
      before: [
        'Nous avons reçu une demande de réinitialisation du mot de passe de votre compte %APP_NAME%, %EMAIL%.',
      ],
      button: 'Réinitialiser le mot de passe',
      after: ['Si ce n’était pas vous, vous pouvez ignorer cet e-mail. Votre mot de passe ne change pas.'],
    },
    changeEmail: {
      subject: 'Confirmez votre nouvelle adresse e-mail pour %APP_NAME%',
      before: [
        'Veuillez confirmer que %NEW_EMAIL% est la nouvelle adresse e-mail de votre compte %APP_NAME%.',
      ],
      button: 'Confirmer la nouvelle adresse e-mail',
      after: ['Si vous n’êtes pas à l’origine de cette demande, vous pouvez ignorer cet e-mail.'],
    },
    emailSignIn: {
      subject: 'Connectez-vous à %APP_NAME%',
      before: [
        'Nous avons reçu une demande de connexion à %APP_NAME% avec %EMAIL%. Si c’était vous, cliquez sur le bouton.',
      ],
      button: 'Se connecter',
      after: ['Si ce n’était pas vous, vous pouvez ignorer cet e-mail.'],
    },
    recoverEmail: {
      subject: 'L’adresse e-mail de votre compte %APP_NAME% a été modifiée',
      before: [
        'L’adresse e-mail de votre compte %APP_NAME% a été modifiée : %EMAIL% a été remplacée par %NEW_EMAIL%.',
        'Si ce n’était pas vous, rétablissez votre adresse e-mail, puis choisissez un nouveau mot de passe.',
      ],
      button: 'Rétablir l’adresse e-mail',
      after: ['Si c’était vous, vous n’avez rien à faire.'],
    },
    secondFactorAdded: {
      subject: 'Un second facteur a été ajouté à votre compte %APP_NAME%',
      before: [
        'Un second facteur a été ajouté à votre compte %APP_NAME%, %EMAIL%.',
        'Si ce n’était pas vous, retirez-le, puis choisissez un nouveau mot de passe.',
      ],
      button: 'Retirer le second facteur',
      after: ['Si c’était vous, vous n’avez rien à faire.'],
    },
    secondFactorRemoved: {
      subject: 'Un second facteur a été retiré de votre compte %APP_NAME%',
      before: [
        'Un second facteur a été retiré de votre compte %APP_NAME%, %EMAIL%.',
        'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe dans %APP_NAME%.',
      ],
      after: ['Si c’était vous, vous n’avez rien à faire.'],
    },
    recoveryCodesMade: {
      subject: 'De nouveaux codes de récupération ont été créés pour votre compte %APP_NAME%',
      before: [
        'De nouveaux codes de récupération ont été créés pour votre compte %APP_NAME%, %EMAIL%. Les codes précédents ne fonctionnent plus.',
        'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe dans %APP_NAME%.',
      ],
      after: ['Si c’était vous, vous n’avez rien à faire.'],
    },
    recoveryCodeUsed: {
      subject: 'Un code de récupération a servi à se connecter à votre compte %APP_NAME%',
      before: [
        'Un code de récupération a servi, à la place d’un second facteur, à se connecter à votre compte %APP_NAME%, %EMAIL%. Ce code ne fonctionne plus.',
        'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe dans %APP_NAME% et créez de nouveaux codes de récupération.',
      ],
      after: ['Si c’était vous, créez de nouveaux codes de récupération avant qu’il n’en reste plus.'],
    },
    passwordChanged: {
      subject: 'Le mot de passe de votre compte %APP_NAME% a été modifié',
      before: [
        'Le mot de passe de votre compte %APP_NAME%, %EMAIL%, a été modifié.',
        'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe dans %APP_NAME%.',
      ],
      after: ['Si c’était vous, vous n’avez rien à faire.'],
    },
    phoneNumberChanged: {
      subject: 'Le numéro de téléphone de votre compte %APP_NAME% a été modifié',
      before: [
        'Le numéro de téléphone avec lequel vous vous connectez à votre compte %APP_NAME%, %EMAIL%, a été modifié ou ajouté.',
        'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe dans %APP_NAME%.',
      ],
      after: ['Si c’était vous, vous n’avez rien à faire.'],
    },
    passkeyAdded: {
      subject: 'Une clé d’accès a été ajoutée à votre compte %APP_NAME%',
      before: [
        'Une clé d’accès a été ajoutée à votre compte %APP_NAME%, %EMAIL%. Elle permet de se connecter sans mot de passe.',
        'Si ce n’était pas vous, connectez-vous immédiatement à %APP_NAME%, supprimez la clé d’accès et changez votre mot de passe.',
      ],
      after: ['Si c’était vous, vous n’avez rien à faire.'],
    },
    passkeyRemoved: {
      subject: 'Une clé d’accès a été supprimée de votre compte %APP_NAME%',
      before: [
        'Une clé d’accès a été supprimée de votre compte %APP_NAME%, %EMAIL%. Elle ne permet plus de se connecter.',
        'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe dans %APP_NAME%.',
      ],
      after: ['Si c’était vous, vous n’avez rien à faire.'],
    },
    emailInUse: {
      subject: 'Votre adresse e-mail est déjà utilisée dans %APP_NAME%',
      before: [
        'Nous avons reçu une demande d’utilisation de %EMAIL% pour un autre compte %APP_NAME%. Rien n’a été changé, car votre compte utilise déjà cette adresse.',
        'Si c’était vous, connectez-vous à votre compte existant. Si vous avez oublié le mot de passe, réinitialisez-le dans l’application.',
      ],
      after: ['Si ce n’était pas vous, vous pouvez ignorer cet e-mail.'],
    },
  },
};
