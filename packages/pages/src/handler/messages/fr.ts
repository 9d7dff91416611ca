import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  choose: {
    heading: (provider) => `Se connecter avec ${provider}`,
    text: (provider) =>
      `Ceci est un serveur de développement. Choisissez un utilisateur ou créez-en un. ${provider} n’est pas contacté.`,
    known: 'Utilisateurs qui se sont déjà connectés',
    email: 'Adresse e-mail (facultative)',
    name: 'Nom (facultatif)',
    invalidEmail: 'Saisissez une adresse e-mail valide ou laissez le champ vide.',
    add: 'Se connecter comme nouvel utilisateur',
    cancel: 'Annuler',
  },
  delivering: 'Fin de la connexion…',
  delivered: { heading: 'Connexion réussie', text: 'Vous pouvez fermer cette fenêtre.' },
  problems: {
    incomplete: {
      heading: 'Cette adresse est incomplète',
      text: 'Revenez à l’application et recommencez la connexion.',
    },
    wrongProject: {
      heading: 'Application inconnue',
      text: 'Ce serveur ne connaît pas la clé d’API de l’application. Si vous la développez, vérifiez sa configuration.',
    },
    unknownTenant: {
      heading: 'Locataire inconnu',
      text: 'Le projet de l’application n’a aucun locataire avec cet ID. Si vous la développez, vérifiez son ID de locataire.',
    },
    unknownProvider: {
      heading: 'Fournisseur inconnu',
      text: 'L’application demande un fournisseur qui n’existe pas. Si vous la développez, vérifiez l’ID du fournisseur.',
    },
    providerDisabled: {
      heading: 'Ce mode de connexion est désactivé',
      text: 'Revenez à l’application et connectez-vous autrement.',
    },
    unauthorizedDomain: {
      heading: 'Cette application ne peut pas se connecter ici',
      text: 'Le domaine de l’application n’est pas autorisé. Si vous la développez, ajoutez-le aux domaines autorisés du projet.',
    },
    unsupported: {
      heading: 'Non pris en charge',
      text: 'Cette sorte de connexion n’est pas prise en charge. Revenez à l’application et connectez-vous autrement.',
    },
    expired: {
      heading: 'Cette connexion n’est plus valable',
      text: 'Elle a duré trop longtemps ou elle est déjà terminée. Revenez à l’application et recommencez.',
    },
    otherBrowser: {
      heading: 'Commencée dans un autre navigateur',
      text: 'Une connexion doit se terminer dans le navigateur où elle a commencé, avec les cookies autorisés. Revenez à l’application et recommencez.',
    },
    tooMany: {
      heading: 'Trop de connexions à la fois',
      text: 'Patientez quelques minutes, puis recommencez dans l’application.',
    },
    providerFailed: {
      heading: 'Le fournisseur n’a pas confirmé la connexion',
      text: 'Revenez à l’application et réessayez, ou connectez-vous autrement.',
    },
    lost: {
      heading: 'L’application n’attend plus',
      text: 'Sa fenêtre a été fermée ou affiche une autre page. Revenez à l’application et recommencez. Si cela se répète, l’application peut utiliser une redirection.',
    },
    noStorage: {
      heading: 'Le navigateur n’autorise pas le stockage',
      text: 'Autorisez ce site à stocker des données, puis recommencez dans l’application.',
    },
  },
};
