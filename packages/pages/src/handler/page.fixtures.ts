import type { HandlerPage } from './parameters.ts';

const APP = {
  apiKey: 'key',
  appName: '[DEFAULT]',
  authType: 'signInViaPopup',
  eventId: '1',
  tenantId: null,
  challenge: null,
  redirectUrl: new URL('https://app.example/'),
} as const;

/** First states of the page. */
export const HANDLER_FIXTURES: Readonly<Record<string, HandlerPage>> = {
  'no known user': { kind: 'choose', app: APP, providerId: 'google.com', providerName: 'Google', users: [] },
  'known users': {
    kind: 'choose',
    app: APP,
    providerId: 'oidc.example',
    providerName: 'oidc.example',
    users: [
      { rawId: '1', email: 'alice@example.com', displayName: 'Alice' },
      { rawId: '2', email: null, displayName: null },
    ],
  },
  delivering: {
    kind: 'deliver',
    app: APP,
    event: {
      type: 'signInViaPopup',
      eventId: '1',
      urlResponse: 'https://auth.example/',
      sessionId: 's',
      postBody: null,
      tenantId: null,
    },
  },
  problem: { kind: 'problem', problem: 'unauthorizedDomain' },
};
