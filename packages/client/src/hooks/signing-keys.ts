/** How long keys are used without asking the server again, in ms. The server announces a new key earlier than this. */
const FRESH_MS = 300_000;
/** Minimum time between two requests for keys, in ms: tokens with unknown keys must not cause more. */
const PAUSE_MS = 10_000;
const TIMEOUT_MS = 5_000;
/** Maximum number of servers whose keys are stored. A function has one; the bound is for programs that choose the address. */
const MAX_SERVERS = 16;

interface Fetched {
  readonly atMs: number;
  readonly keys: Promise<ReadonlyMap<string, CryptoKey>>;
}

const fetched = new Map<string, Fetched>();

/** Returns the key with an ID, or `undefined` if the server has none. Rejects if the keys cannot be fetched. */
export async function findSigningKey(jwksUrl: string, kid: string): Promise<CryptoKey | undefined> {
  const known = fetched.get(jwksUrl);
  const ageMs = known === undefined ? Number.POSITIVE_INFINITY : Date.now() - known.atMs;
  if (known !== undefined && ageMs < FRESH_MS) {
    const key = (await known.keys).get(kid);
    if (key !== undefined || ageMs < PAUSE_MS) return key;
  }
  return (await fetchAgain(jwksUrl)).get(kid);
}

function fetchAgain(jwksUrl: string): Promise<ReadonlyMap<string, CryptoKey>> {
  const keys = fetchKeys(jwksUrl);
  const entry = { atMs: Date.now(), keys };
  if (fetched.size >= MAX_SERVERS) fetched.clear();
  fetched.set(jwksUrl, entry);
  // A failure is not stored: the next event fetches the keys again.
  keys.catch(() => {
    if (fetched.get(jwksUrl) === entry) fetched.delete(jwksUrl);
  });
  return keys;
}

async function fetchKeys(jwksUrl: string): Promise<ReadonlyMap<string, CryptoKey>> {
  const response = await fetch(jwksUrl, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`The server answered the request for its keys with ${response.status}.`);
  const { keys } = Object(await response.json());
  const entries: readonly (JsonWebKey & { readonly kid?: unknown })[] = Array.isArray(keys) ? keys : [];
  return new Map(
    await Promise.all(
      entries.map(async (jwk): Promise<[string, CryptoKey]> => [String(jwk.kid), await importKey(jwk)]),
    ),
  );
}

function importKey(jwk: JsonWebKey): Promise<CryptoKey> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  return crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
}
