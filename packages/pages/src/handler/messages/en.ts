import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  choose: {
    heading: (provider) => `Sign in with ${provider}`,
    text: (provider) =>
      `This is a development server. Select a user or create one. ${provider} is not contacted.`,
    known: 'Users who have signed in before',
    email: 'Email address (optional)',
    name: 'Name (optional)',
    invalidEmail: 'Enter a valid email address, or leave the field empty.',
    add: 'Sign in as a new user',
    cancel: 'Cancel',
  },
  delivering: 'Finishing the sign-in…',
  delivered: { heading: 'Signed in', text: 'You can close this window.' },
  problems: {
    incomplete: {
      heading: 'This address is incomplete',
      text: 'Return to the app and start the sign-in again.',
    },
    wrongProject: {
      heading: 'Unknown app',
      text: 'This server does not know the API key of the app. If you are the developer, check the configuration of the app.',
    },
    unknownTenant: {
      heading: 'Unknown tenant',
      text: 'The project of the app has no tenant with this ID. If you are the developer, check the tenant ID of the app.',
    },
    unknownProvider: {
      heading: 'Unknown provider',
      text: 'The app asked for a provider that does not exist. If you are the developer, check the provider ID.',
    },
    providerDisabled: {
      heading: 'This way to sign in is off',
      text: 'Return to the app and sign in another way.',
    },
    unauthorizedDomain: {
      heading: 'This app may not sign in here',
      text: 'The domain of the app is not authorized. If you are the developer, add it to the authorized domains of the project.',
    },
    unsupported: {
      heading: 'Not supported',
      text: 'This kind of sign-in is not supported. Return to the app and sign in another way.',
    },
    expired: {
      heading: 'This sign-in is no longer valid',
      text: 'It took too long, or it has already ended. Return to the app and start again.',
    },
    otherBrowser: {
      heading: 'Started in another browser',
      text: 'A sign-in must end in the browser in which it began, with cookies allowed. Return to the app and start again.',
    },
    tooMany: {
      heading: 'Too many sign-ins at once',
      text: 'Wait a few minutes, then start again in the app.',
    },
    providerFailed: {
      heading: 'The provider did not confirm the sign-in',
      text: 'Return to the app and try again, or sign in another way.',
    },
    lost: {
      heading: 'The app is no longer waiting',
      text: 'Its window was closed or shows another page. Return to the app and start again. If this happens again, the app can use a redirect.',
    },
    noStorage: {
      heading: 'The browser does not allow storage',
      text: 'Allow this site to store data, then start again in the app.',
    },
  },
};
