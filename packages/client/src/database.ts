import type { FirebaseApp, FirebaseOptions } from 'firebase/app';
import { type Database, getDatabase } from 'firebase/database';
import { type HearthAddress, parseHearthAddress } from './address.ts';
import { hasService, unsupportedSdk } from './sdk.ts';

/**
 * Creates the database of an app, like `getDatabase(app)`, at the Hearth server at `url`. It is the database
 * that the app's `databaseURL` names, or the project's default one. Later calls to `getDatabase(app)` return
 * the same database. Throws if `url` is not the address of a server, if the app already has a database, or if the
 * options of the app name neither a database nor a project.
 */
export function hearthDatabase(app: FirebaseApp, url: string): Database {
  const address = parseHearthAddress(url);
  if (hasService(app, 'database')) {
    throw new Error(
      `The app "${app.name}" already has a database: call hearthDatabase once, instead of getDatabase.`,
    );
  }
  const databaseURL = `${withPort(address)}?ns=${encodeURIComponent(findNamespace(app.options))}`;
  if (!Reflect.set(app.options, 'databaseURL', databaseURL) || app.options.databaseURL !== databaseURL) {
    throw unsupportedSdk('the databaseURL of its apps cannot be changed');
  }
  return getDatabase(app);
}

/** Returns the origin, with a port if the scheme is http: without a port, the SDK would use TLS. */
function withPort({ scheme, host, origin }: HearthAddress): string {
  return scheme === 'http' && !/:\d+$/.test(host) ? `${origin}:80` : origin;
}

/**
 * Returns the name of the database that the app's `databaseURL` names: its `ns`, or the first label of a host such as
 * `my-app.firebaseio.com`. If the URL is missing or names none, returns the name of the project's default database.
 */
function findNamespace({ databaseURL, projectId }: FirebaseOptions): string {
  if (databaseURL !== undefined) {
    const { searchParams, hostname } = new URL(databaseURL);
    const namespace = searchParams.get('ns') ?? /^([^.]+)\.(.+\.)?[a-z]+$/i.exec(hostname)?.[1];
    if (namespace !== undefined) return namespace;
  }
  if (projectId === undefined)
    throw new TypeError('The app needs a projectId or a databaseURL: add one to initializeApp.');
  return `${projectId}-default-rtdb`;
}
