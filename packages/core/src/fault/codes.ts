/** What a peer is told when a request is refused: HTTP status, WebSocket status word, and a sentence. */
export interface RefusalSpec {
  readonly http: number;
  readonly wire: string;
  readonly text: string;
}

/**
 * Every reason for which Hearth refuses a request of a client. The texts that clients compare or show
 * are those of the Firebase service; the others say what to do.
 */
export const REFUSALS = {
  'access/denied': { http: 401, wire: 'permission_denied', text: 'Permission denied' },
  'auth/unreadable': { http: 401, wire: 'invalid_token', text: 'Could not parse auth token.' },
  'auth/expired': { http: 401, wire: 'expired_token', text: 'Auth token is expired.' },
  'auth/admin-only': { http: 401, wire: 'permission_denied', text: 'Unauthorized request.' },
  'member/unknown': { http: 403, wire: 'permission_denied', text: 'You are not a member of this project.' },
  'member/second-factor': {
    http: 403,
    wire: 'permission_denied',
    text: 'Members sign in with a second factor: add one to your account, and sign in with it.',
  },
  'auth/role': {
    http: 403,
    wire: 'permission_denied',
    text: 'Your role in this project does not allow this.',
  },
  'member/no-account': {
    http: 404,
    wire: 'failure',
    text: 'No account of this project has this e-mail address: create the account first.',
  },
  'member/unverified-email': {
    http: 409,
    wire: 'failure',
    text: 'The address of this account is not verified, so it may be that of somebody else: verify it first.',
  },
  'member/exists': { http: 409, wire: 'failure', text: 'The account is a member already.' },
  'member/not-found': { http: 404, wire: 'failure', text: 'The project has no such member.' },
  'member/last-owner': {
    http: 409,
    wire: 'failure',
    text: 'A project keeps an owner who can sign in: make somebody else an owner first.',
  },
  'member/too-many': { http: 409, wire: 'failure', text: 'The project has as many members as there may be.' },
  'project/unknown': { http: 404, wire: 'failure', text: 'There is no such project.' },
  'project/no-key': {
    http: 404,
    wire: 'failure',
    text: 'The project has no API key, which signing in needs: make one.',
  },
  'write/stale': { http: 412, wire: 'datastale', text: 'Transaction hash does not match' },
  'write/below-value': {
    http: 409,
    wire: 'failure',
    text: 'A value stands above the place of a change, and would be lost.',
  },
  'write/too-big': {
    http: 400,
    wire: 'write_too_big',
    text: 'Data to write exceeds the maximum size that can be modified with a single request.',
  },
  'write/trigger-too-big': {
    http: 400,
    wire: 'trigger_payload_too_large',
    text: 'The write triggers more than functions can be told of at once.',
  },
  'read/too-big': {
    http: 400,
    wire: 'too_big',
    text: 'The data requested exceeds the maximum size that can be accessed with a single request.',
  },
  'store/full': {
    http: 507,
    wire: 'unavailable',
    text: 'The disk that holds the data is full: writes are refused until there is room.',
  },
  'request/overload': { http: 503, wire: 'unavailable', text: 'The service is unavailable' },
  'request/too-big': {
    http: 413,
    wire: 'too_big',
    text: 'The body of the request is longer than the server takes at once.',
  },
  'request/unknown-action': { http: 400, wire: 'error', text: 'Unknown action' },
  'request/malformed': { http: 400, wire: 'failure', text: 'The request is malformed' },
  'path/invalid': { http: 400, wire: 'failure', text: 'Invalid path: Invalid token in path' },
  'path/too-deep': { http: 400, wire: 'failure', text: 'The path has more than 32 levels.' },
  'path/too-long': {
    http: 400,
    wire: 'failure',
    text: 'The path is too long to be remembered for when the client disconnects.',
  },
  'path/reserved': { http: 400, wire: 'failure', text: 'The path .info is reserved and cannot be written.' },
  'path/conflict': {
    http: 400,
    wire: 'failure',
    text: 'One path of the update is an ancestor of, or equal to, another.',
  },
  'key/invalid': {
    http: 400,
    wire: 'failure',
    text: 'Keys must be non-empty and must not contain . # $ [ ] / or ASCII control characters.',
  },
  'key/too-long': { http: 400, wire: 'failure', text: 'A key is longer than 768 bytes.' },
  'value/unparsable': {
    http: 400,
    wire: 'failure',
    text: "Invalid data; couldn't parse JSON object, array, or value.",
  },
  'value/not-an-object': {
    http: 400,
    wire: 'failure',
    text: "Invalid data; couldn't parse JSON object. Are you sending a JSON object with valid key names?",
  },
  'value/missing': { http: 400, wire: 'failure', text: 'Error: No data supplied.' },
  'value/string-too-long': { http: 400, wire: 'failure', text: 'A string is longer than 10 MB.' },
  'value/invalid': { http: 400, wire: 'failure', text: 'Invalid data' },
  'priority/invalid': { http: 400, wire: 'failure', text: 'A priority must be null, a number or a string.' },
  'server-value/unknown': {
    http: 400,
    wire: 'failure',
    text: 'Unrecognized server value: use {".sv":"timestamp"} or {".sv":{"increment":<number>}}.',
  },
  'server-value/overflow': {
    http: 400,
    wire: 'failure',
    text: 'The increment exceeds the range of a number.',
  },
  'query/invalid': { http: 400, wire: 'failure', text: 'The query is malformed' },
  'query/unindexed': { http: 400, wire: 'error', text: 'Index not defined' },
  'import/unknown': {
    http: 404,
    wire: 'failure',
    text: 'There is no such import: it was never begun, was given up, or is forgotten.',
  },
  'import/conflict': {
    http: 409,
    wire: 'failure',
    text: 'The request does not go with where the import stands.',
  },
  'import/too-many': {
    http: 429,
    wire: 'failure',
    text: 'Too many imports of this database are open: finish one, or give one up with DELETE.',
  },
  'rules/invalid': { http: 400, wire: 'failure', text: 'The rules are malformed' },
  'rules/no-ruleset': { http: 400, wire: 'failure', text: 'There is no ruleset with this id.' },
  'rules/no-version': {
    http: 404,
    wire: 'failure',
    text: 'There is no such version of the rules: it was never published, or is not kept any more.',
  },
  'rules/outdated': { http: 409, wire: 'failure', text: 'Other rules were published meanwhile.' },
  'denial/unknown': {
    http: 404,
    wire: 'failure',
    text: 'There is no such denial in the log: it is older than what is kept, or was never written down.',
  },
  'denial/no-values': {
    http: 409,
    wire: 'failure',
    text: 'The values of this denial were not kept, so other rules cannot be tried on it: set keepValues for later ones.',
  },
  'namespace/missing': {
    http: 400,
    wire: 'failure',
    text: 'No database is named: add ?ns=<database> to the address.',
  },
  'namespace/invalid': {
    http: 400,
    wire: 'failure',
    text: 'A database name has 1 to 63 lower-case letters, digits and hyphens.',
  },
  'namespace/taken': { http: 409, wire: 'failure', text: 'There is a database of this name already.' },
  'namespace/foreign': {
    http: 403,
    wire: 'failure',
    text: 'Databases of a project have names that begin with its id and a hyphen.',
  },
  'namespace/too-many': {
    http: 409,
    wire: 'failure',
    text: 'The project has as many databases as there may be.',
  },
  'http/method': {
    http: 405,
    wire: 'failure',
    text: 'append .json to your request URI to use the REST API.',
  },
  'http/not-found': { http: 404, wire: 'failure', text: '404 Not Found' },
  'http/parameter': { http: 400, wire: 'failure', text: 'Unsupported query parameter' },
  'internal/error': { http: 500, wire: 'internal_error', text: 'Internal server error.' },
} as const satisfies Record<string, RefusalSpec>;

export type RefusalCode = keyof typeof REFUSALS;
