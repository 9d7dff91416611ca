import type { Fields } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import type { ProjectSettings } from '../project-settings.ts';
import { isAuthorized, parseContinueUrl } from './authorized-domains.ts';

/** What a link in a mail does beside what its code is for. */
export interface ActionSettings {
  /** Where people go on afterwards; a place that the project allows. */
  readonly continueUrl: string | undefined;
  /** The host by which a phone knows that the link is for an app; one that the project allows. */
  readonly linkDomain: string | undefined;
}

/** Of a link that nobody has asked for. */
export const NO_SETTINGS: ActionSettings = { continueUrl: undefined, linkDomain: undefined };

const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i;

/** Reads what a request says of the link that it wants sent. Refuses what the project does not allow. */
export function readActionSettings(fields: Fields, settings: ProjectSettings): ActionSettings {
  const continueUrl = fields.filled('continueUrl');
  const isForApp = fields.flag('canHandleCodeInApp') === true;
  if (continueUrl !== undefined && !isAuthorized(parseContinueUrl(continueUrl), settings))
    throw new IdentityError('UNAUTHORIZED_DOMAIN', 'Domain not allowlisted by project');
  if (continueUrl === undefined && isForApp) throw new IdentityError('MISSING_CONTINUE_URI');
  mustNameApps(fields);
  // The service that served such domains has ended.
  if (fields.filled('dynamicLinkDomain') !== undefined)
    throw new IdentityError('INVALID_DYNAMIC_LINK_DOMAIN', 'Use linkDomain.');
  const linkDomain = fields.filled('linkDomain');
  if (linkDomain !== undefined) mustBeLinkDomain(linkDomain, settings);
  return { continueUrl, linkDomain: isForApp ? linkDomain?.toLowerCase() : undefined };
}

/** What is said of an app means nothing unless the app is named. */
function mustNameApps(fields: Fields): void {
  const saysAndroid = ['androidInstallApp', 'androidMinimumVersion', 'androidMinimumVersionCode'].some(
    (name) => fields.has(name),
  );
  if (saysAndroid && fields.filled('androidPackageName') === undefined)
    throw new IdentityError('MISSING_ANDROID_PACKAGE_NAME');
  const bundleId = fields.filled('iOSBundleId') ?? fields.filled('iOSBundleID');
  if (fields.has('iOSAppStoreId') && bundleId === undefined) throw new IdentityError('MISSING_IOS_BUNDLE_ID');
}

function mustBeLinkDomain(linkDomain: string, settings: ProjectSettings): void {
  const url = HOST.test(linkDomain) ? URL.parse(`https://${linkDomain}`) : null;
  if (url === null || !isAuthorized(url, settings)) throw new IdentityError('INVALID_HOSTING_LINK_DOMAIN');
}
