import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  signIn: {
    heading: (app) => `Se connecter à ${app}`,
    password: 'Mot de passe',
    submit: 'Se connecter',
    forgot: 'Mot de passe oublié ?',
    create: 'Créer un compte',
    passkey: 'Se connecter avec une clé d’accès',
    provider: (name) => `Continuer avec ${name}`,
  },
  signUp: {
    name: 'Nom (facultatif)',
    heading: 'Créer un compte',
    submit: 'Créer le compte',
    known: 'Se connecter avec un compte existant',
  },
  forgot: { heading: 'Réinitialiser le mot de passe', back: 'Retour à la connexion' },
  factor: {
    heading: 'Confirmez votre identité',
    totp: 'Saisissez le code de votre application d’authentification ou l’un de vos codes de récupération.',
    code: 'Code',
    submit: 'Confirmer',
    sendSms: (phone) => `Envoyer un code au ${phone}`,
    smsSent: (phone) => `Nous avons envoyé un code au ${phone}. Saisissez-le ici.`,
    other: 'Utiliser un autre second facteur',
  },
  choose: {
    heading: (app) => `Continuer vers ${app}`,
    text: 'Vous êtes connecté sur cet appareil.',
    submit: 'Continuer',
    other: 'Utiliser un autre compte',
  },
  leaving: 'Retour à l’application…',
  missing: 'Remplissez ce champ.',
  problems: {
    wrongPassword: 'L’adresse e-mail ou le mot de passe est incorrect.',
    emailTaken: 'Cette adresse e-mail a déjà un compte. Connectez-vous ou réinitialisez le mot de passe.',
    invalidEmail: 'Saisissez une adresse e-mail valide, par exemple nom@example.com.',
    disabled: 'Ce compte est désactivé. Contactez l’assistance de l’application.',
    notAllowed: 'L’application ne permet pas cela pour le moment.',
    wrongCode: 'Le code est incorrect. Saisissez le code actuel.',
    expired: 'Le délai est dépassé. Connectez-vous de nouveau.',
    challenge: 'La vérification de votre navigateur a échoué. Rechargez la page et réessayez.',
    passkeyCancelled: 'Aucune clé d’accès n’a été utilisée. Réessayez ou connectez-vous autrement.',
    passkeyUnknown: 'Aucun compte n’a cette clé d’accès. Connectez-vous autrement.',
    smsRejected: 'L’application ne peut pas envoyer de SMS pour le moment.',
    providerCanceled: 'La connexion a été annulée.',
    providerFailed: 'L’autre service n’a pas terminé la connexion. Réessayez.',
    accountExists:
      'Un autre compte a cette adresse e-mail. Connectez-vous-y autrement pour associer les deux.',
  },
};
