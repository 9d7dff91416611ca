/** A mail server of the project's own, as it is filled in. */
export interface Smtp {
  readonly senderEmail: string;
  readonly host: string;
  readonly port: string;
  readonly username: string;
  /** Empty for the one that is kept. */
  readonly password: string;
  readonly securityMode: SecurityMode;
}

/** TLS from the beginning, TLS after a greeting, or none. */
export const SECURITY_MODES = ['SSL', 'START_TLS', 'NONE'] as const;
export type SecurityMode = (typeof SECURITY_MODES)[number];

/** Ports that go with them. */
export const USUAL_PORTS: Readonly<Record<SecurityMode, string>> = {
  SSL: '465',
  START_TLS: '587',
  NONE: '25',
};

export function decodeSmtp(json: unknown): Smtp {
  const members: Readonly<Record<string, unknown>> = Object(json);
  const text = (name: string): string => (members[name] === undefined ? '' : String(members[name]));
  const securityMode = SECURITY_MODES.find((mode) => mode === members['securityMode']) ?? 'SSL';
  return {
    senderEmail: text('senderEmail'),
    host: text('host'),
    port: text('port') || USUAL_PORTS[securityMode],
    username: text('username'),
    password: text('password'),
    securityMode,
  };
}

/** As the configuration has it; nothing for a server without a host. */
export function encodeSmtp({ port, username, password, ...smtp }: Smtp): Readonly<Record<string, unknown>> {
  if (smtp.host === '' && smtp.senderEmail === '') return {};
  return {
    ...smtp,
    port: Number(port),
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
  };
}
