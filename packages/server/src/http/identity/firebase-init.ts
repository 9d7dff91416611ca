/** What a page of a project has to know to reach this server. */
export interface PageProject {
  readonly projectId: string;
  readonly apiKey: string;
  /** Scheme and host of this server as the page sees them, without a slash at the end. */
  readonly origin: string;
  /** Its default database. */
  readonly namespace: string;
}

/** The texts of `/__/firebase/init.json` and `/__/firebase/init.js`. */
export interface FirebaseInit {
  readonly json: string;
  readonly js: string;
}

/**
 * Makes what Firebase Hosting offers to pages: the configuration of the project's app, and a script that makes the app with it
 * for pages that load the compat build of the SDK. The script also points `firebase.auth()` here, if the page has loaded it.
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

/** The SDK takes an address without a port for a secure one, whatever its scheme. */
function withPort(origin: string): string {
  const { protocol, port } = new URL(origin);
  return protocol === 'http:' && port === '' ? `${origin}:80` : origin;
}

/**
 * The script changes what the SDK does not publish, in the tick in which it makes the Auth: later the Auth may have sent the
 * token of a user it remembers to its own host. Without its resolver the Auth loads no script for popups at its start.
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
    throw new Error('Hearth cannot point this version of firebase-auth-compat.js at itself.');
  }
  auth._popupRedirectResolver = null;
})();
`;
}
