/** The data with which a page of a project connects to this server. */
export interface PageProject {
  readonly projectId: string;
  readonly apiKey: string;
  /** Scheme and host of this server as the page sees them, without a trailing slash. */
  readonly origin: string;
  /** The project's default database. */
  readonly namespace: string;
}

/** The contents of `/__/firebase/init.json` and `/__/firebase/init.js`. */
export interface FirebaseInit {
  readonly json: string;
  readonly js: string;
}

/**
 * Creates the files that Firebase Hosting offers to pages: the configuration of the project's app, and a script
 * that initializes the app with it, for pages that load the compat build of the SDK. If the page has loaded the Auth
 * SDK, the script also points `firebase.auth()` to this server.
 */
export function firebaseInit(project: PageProject): FirebaseInit {
  const { host, protocol } = new URL(project.origin);
  const config = {
    projectId: project.projectId,
    apiKey: project.apiKey,
    authDomain: host,
    databaseURL: `${withPort(project.origin)}?ns=${encodeURIComponent(project.namespace)}`,
  };
  const hosts = { apiScheme: protocol.slice(0, -1), apiHost: host, tokenApiHost: host };
  return { json: `${JSON.stringify(config, null, 2)}\n`, js: scriptOf(config, hosts) };
}

/** Adds the port: the SDK treats a URL without a port as secure, even with the scheme `http`. */
function withPort(origin: string): string {
  const { protocol, port } = new URL(origin);
  return protocol === 'http:' && port === '' ? `${origin}:80` : origin;
}

/**
 * Returns the script. It changes settings that the SDK does not expose, in the same iteration of the event loop in which it
 * creates the Auth instance. Later, the instance might have sent the token of a stored user to its default host.
 * Unless the page has loaded `/__/auth/shim.js`, the script removes the resolver, so that the instance does not load
 * Google's script for popups when it starts.
 */
function scriptOf(config: object, hosts: object): string {
  return `(function () {
  if (typeof firebase === 'undefined') {
    throw new Error('Load firebase-app-compat.js before /__/firebase/init.js.');
  }
  firebase.initializeApp(${JSON.stringify(config)});
  if (typeof firebase.auth !== 'function') return;
  var auth = firebase.auth()._delegate;
  var hosts = ${JSON.stringify(hosts)};
  Object.keys(hosts).forEach(function (name) {
    Reflect.set(auth.config, name, hosts[name]);
  });
  if (auth._canInitEmulator !== true || auth.config.apiHost !== hosts.apiHost) {
    auth._delete();
    throw new Error('Hearth cannot make this version of firebase-auth-compat.js use this server.');
  }
  if (typeof gapi === 'undefined' || !gapi.iframes) auth._popupRedirectResolver = null;
})();
`;
}
