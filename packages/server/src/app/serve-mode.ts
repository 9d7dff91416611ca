import { isIPv6 } from 'node:net';
import { NEW_SETTINGS } from '../auth/projects/project.ts';
import { LocalAdmin } from '../auth/roles/administrators.ts';
import { SERVING } from '../auth/throttling/limits.ts';
import { openSignedTokens } from '../auth/tokens/signed-tokens.ts';
import { type GenerateKeyPair, generateRsaKeyPair } from '../auth/tokens/signing-keys.ts';
import type { Certificate } from '../http/certificate.ts';
import { directTransport, proxiedTransport, type Transport } from '../http/transport.ts';
import { isMailAddress } from '../mail/mailer.ts';
import { checkSmtpSettings, type PlainMailServer } from '../mail/smtp-settings.ts';
import { StartFailure } from '../platform/failures.ts';
import { isPublicAddress } from '../platform/network/public-address.ts';
import { isLoopback } from '../platform/network-address.ts';
import { randomBytes } from '../platform/random.ts';
import { Secret } from '../platform/secret-box.ts';
import type { ServeOptions } from '../platform/serve-options.ts';
import { SETTINGS } from '../realtime/rest/settings.ts';
import { LOCKED_RULES } from '../rules/publishing/versions.ts';
import type { ServeMode } from './mode.ts';
import { openAccess } from './serve-access.ts';

type ListenOptions = Pick<ServeOptions, 'host' | 'port' | 'publicUrl' | 'tlsCert' | 'tlsKey' | 'trustProxy'>;

/**
 * Throws a `StartFailure` that says which options to change if passwords and tokens could leave this machine without
 * TLS, or if options are missing or exclude each other.
 */
export function requireSafe({ host, port, publicUrl, tlsCert, tlsKey, trustProxy }: ListenOptions): void {
  const isBehindProxy = trustProxy.length > 0;
  if ((tlsCert === null) !== (tlsKey === null))
    throw new StartFailure('--tls-cert and --tls-key must be given together. Give both or neither.');
  if (tlsCert !== null && isBehindProxy)
    throw new StartFailure(
      '--trust-proxy is for a proxy that terminates TLS. Omit --tls-cert and --tls-key.',
    );
  if (!isLoopback(host) && tlsCert === null && !isBehindProxy)
    throw new StartFailure(
      `${host} is an address beyond this machine. Give --tls-cert and --tls-key, or --trust-proxy with the address of a proxy that terminates TLS.`,
    );
  if (publicUrl === null && (!isLoopback(host) || isBehindProxy || port === 0))
    throw new StartFailure(
      'Set --public-url to the address that clients use, such as https://hearth.example.com.',
    );
  if (publicUrl?.startsWith('http:') === true && !isLoopback(hostnameOf(publicUrl)))
    throw new StartFailure(`${publicUrl} is beyond this machine, so --public-url must begin with https:.`);
}

function hostnameOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

type MailOptions = Pick<ServeOptions, 'smtpUrl' | 'smtpPassword' | 'mailFrom'>;

/**
 * Returns the mail server for projects without one, or `null` if the options name none. Throws a
 * `StartFailure` if the options are incomplete or invalid.
 */
export function sharedMailServer({ smtpUrl, smtpPassword, mailFrom }: MailOptions): PlainMailServer | null {
  if ((smtpUrl === null) !== (mailFrom === null))
    throw new StartFailure('--smtp-url and --mail-from must be given together. Give both or neither.');
  if (smtpUrl === null || mailFrom === null) return null;
  if ((smtpUrl.user === null) !== (smtpPassword === null))
    throw new StartFailure(
      'The user in --smtp-url and the password in HEARTH_SMTP_PASSWORD must be given together. Give both or neither.',
    );
  const { user, ...target } = smtpUrl;
  const settings = user === null ? target : { ...target, user };
  const problems = [
    ...checkSmtpSettings(user === null ? settings : { ...settings, sealedPassword: 'given' }),
    ...(isMailAddress(mailFrom) ? [] : ['--mail-from must be one email address.']),
  ];
  if (problems.length > 0)
    throw new StartFailure(`The mail server of --smtp-url cannot be used: ${problems.join(' ')}`);
  const password = smtpPassword === null ? null : new Secret(smtpPassword);
  return { settings, password, senderAddress: mailFrom };
}

/** The hosts that the official libraries use. A client can redirect such connections to this server. */
const AUTH_HOSTS: readonly string[] = [
  'identitytoolkit',
  'securetoken',
  'www',
  'oauth2',
  'iamcredentials',
  'firebaseappcheck',
  'content-firebaseappcheck',
].map((name) => `${name}.googleapis.com`);

/**
 * Creates the mode for a network: tokens are signed, API keys select projects, and rules are locked until some
 * are published.
 */
export function serveMode(
  options: ServeOptions,
  certificate: Certificate | null,
  generateKeyPair: GenerateKeyPair = generateRsaKeyPair,
  localAdmin = new LocalAdmin(randomBytes),
): ServeMode {
  requireSafe(options);
  const publicUrl = publicUrlOf(options, certificate);
  const { hostname } = new URL(publicUrl);
  const newProjectSettings = { ...NEW_SETTINGS, authorizedDomains: [hostname] };
  return {
    http: {
      defaultNamespace: null,
      settings: SETTINGS,
      // Programs on this machine may use the server's IP address.
      allowedHosts: [
        hostname,
        isIPv6(options.host) ? `[${options.host}]` : options.host,
        ...options.allowHost,
      ],
      authHosts: AUTH_HOSTS,
      transport: transportOf(options, publicUrl),
      // Pages of any site may send requests. Tokens and rules decide what they may do.
      blocksCrossOrigin: false,
      certificate,
    },
    newDatabaseRules: LOCKED_RULES,
    isRecordingOnAtFirst: false,
    developmentProject: null,
    publicUrl,
    localAdmin,
    throttleLimits: SERVING,
    passwordCost: { targetMs: options.passwordMs },
    mailServer: sharedMailServer(options),
    mayReachMailServer: options.allowPrivateSmtp ? undefined : isPublicAddress,
    mayReachHook: options.allowPrivateHooks ? undefined : isPublicAddress,
    mayReachSmsService: options.allowPrivateSms ? undefined : isPublicAddress,
    mayReachProvider: options.allowPrivateProviders ? undefined : isPublicAddress,
    newProjectSettings,
    openEmulation: () => null,
    async openTokens(foundation) {
      const signed = await openSignedTokens({ ...foundation, generateKeyPair });
      return {
        services: signed.services,
        openAccess: (services) =>
          openAccess(services, foundation, { localAdmin, publicUrl, newProjectSettings }),
        [Symbol.dispose]: () => signed[Symbol.dispose](),
      };
    },
  };
}

function publicUrlOf({ host, port, publicUrl }: ServeOptions, certificate: Certificate | null): string {
  const address = host.includes(':') ? `[${host}]` : host;
  return publicUrl ?? `${certificate === null ? 'http' : 'https'}://${address}:${port}`;
}

function transportOf({ host, trustProxy }: ServeOptions, publicUrl: string): Transport {
  return trustProxy.length === 0
    ? directTransport(publicUrl)
    : proxiedTransport(publicUrl, trustProxy, [host]);
}
