import type { Auth } from '../../../server/stand-in-api.ts';

/** In whose place somebody looks at data, as the address says it. */
export type StandIn =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'account'; readonly uid: string }
  | { readonly kind: 'claims'; readonly auth: NonNullable<Auth> };

/** Parameter of the address. */
export const STAND_IN = 'as';

/** Longest text of claims, in characters: they are in every address. */
export const MAX_CLAIMS = 4_000;

const NOBODY = 'nobody';
const ACCOUNT = 'account:';

/** Whom a parameter names; `undefined` for nobody that could be found. */
export function parseStandIn(text: string): StandIn | undefined {
  if (text === NOBODY) return { kind: 'nobody' };
  if (text.startsWith(ACCOUNT) && text.length > ACCOUNT.length)
    return { kind: 'account', uid: text.slice(ACCOUNT.length) };
  const auth = parseClaims(text);
  return auth === undefined ? undefined : { kind: 'claims', auth };
}

export function encodeStandIn(standIn: StandIn): string {
  switch (standIn.kind) {
    case 'nobody':
      return NOBODY;
    case 'account':
      return `${ACCOUNT}${standIn.uid}`;
    case 'claims':
      return JSON.stringify(standIn.auth);
    default:
      return standIn satisfies never;
  }
}

/** The variable `auth` as somebody typed it; `undefined` for what is no JSON object, or too long. */
export function parseClaims(text: string): NonNullable<Auth> | undefined {
  if (text.length > MAX_CLAIMS) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

function isObject(json: unknown): json is NonNullable<Auth> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
