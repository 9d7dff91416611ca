/** The error that the server sends for a rejected request: HTTP status, WebSocket status word and sentence. */
export interface RequestErrorSpec {
  readonly http: number;
  readonly wire: string;
  readonly text: string;
}

/**
 * The errors of the database and of the APIs of Hearth. Errors of the Auth API have their own table. Sentences that
 * official clients compare or show are those of the Firebase service. The others say what is wrong and what to
 * do.
 */
export const REQUEST_ERRORS = {
  'access/denied': { http: 401, wire: 'permission_denied', text: 'Permission denied' },
  'auth/unreadable': { http: 401, wire: 'invalid_token', text: 'Could not parse auth token.' },
  'auth/expired': { http: 401, wire: 'expired_token', text: 'Auth token is expired.' },
  'auth/admin-only': { http: 401, wire: 'permission_denied', text: 'Unauthorized request.' },
  'app-check/missing': { http: 401, wire: 'permission_denied', text: 'Missing appcheck token' },
  'app-check/invalid': { http: 401, wire: 'invalid_token', text: 'Invalid appcheck token' },
  'member/unknown': { http: 403, wire: 'permission_denied', text: 'You are not a member of this project.' },
  'member/second-factor': {
    http: 403,
    wire: 'permission_denied',
    text: 'Members must sign in with a second factor. Add one to your account, then sign in with it.',
  },
  'auth/role': {
    http: 403,
    wire: 'permission_denied',
    text: 'Your role in this project does not allow this.',
  },
  'member/no-account': {
    http: 404,
    wire: 'failure',
    text: 'No account of this project has this email address. Create the account first.',
  },
  'member/unverified-email': {
    http: 409,
    wire: 'failure',
    text: 'The email address of this account is not verified. Verify it first.',
  },
  'member/exists': { http: 409, wire: 'failure', text: 'The account is already a member.' },
  'member/not-found': { http: 404, wire: 'failure', text: 'The project has no such member.' },
  'member/last-owner': {
    http: 409,
    wire: 'failure',
    text: 'A project needs an owner who can sign in. Make another member an owner first.',
  },
  'member/too-many': {
    http: 409,
    wire: 'failure',
    text: 'The project has the maximum number of members. Remove one first.',
  },
  'account/unknown': { http: 404, wire: 'failure', text: 'The account does not exist.' },
  'account/not-mergeable': { http: 409, wire: 'failure', text: 'These accounts cannot be merged.' },
  'account/changed': {
    http: 409,
    wire: 'failure',
    text: 'One of the accounts has changed since the preview. Request a new preview.',
  },
  'project/unknown': { http: 404, wire: 'failure', text: 'The project does not exist.' },
  'write/stale': { http: 412, wire: 'datastale', text: 'Transaction hash does not match' },
  'write/below-value': {
    http: 409,
    wire: 'failure',
    text: 'A value exists above a changed path and would be lost. Delete that value first.',
  },
  'write/too-big': {
    http: 400,
    wire: 'write_too_big',
    text: 'Data to write exceeds the maximum size that can be modified with a single request.',
  },
  'write/trigger-too-big': {
    http: 400,
    wire: 'trigger_payload_too_large',
    text: 'The write triggers more data than functions can receive at once. Split the write.',
  },
  'read/too-big': {
    http: 400,
    wire: 'too_big',
    text: 'The data requested exceeds the maximum size that can be accessed with a single request.',
  },
  'store/full': {
    http: 507,
    wire: 'unavailable',
    text: 'The disk that holds the data is full. Free disk space, then write again.',
  },
  'store/failing': {
    http: 503,
    wire: 'unavailable',
    text: 'The disk that holds the data reports errors, so nothing was written. Try again later.',
  },
  'request/overload': { http: 503, wire: 'unavailable', text: 'The service is unavailable' },
  'request/too-big': {
    http: 413,
    wire: 'too_big',
    text: 'The request body is larger than the server accepts. Send a smaller one.',
  },
  'request/unknown-action': { http: 400, wire: 'error', text: 'Unknown action' },
  'request/malformed': { http: 400, wire: 'failure', text: 'The request is malformed' },
  'path/invalid': { http: 400, wire: 'failure', text: 'Invalid path: Invalid token in path' },
  'path/too-deep': { http: 400, wire: 'failure', text: 'The path has more than 32 levels.' },
  'path/too-long': {
    http: 400,
    wire: 'failure',
    text: 'The path is too long for a write on disconnect.',
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
  'change/unknown': {
    http: 404,
    wire: 'failure',
    text: 'The change does not exist, or is no longer stored.',
  },
  'change/final': {
    http: 409,
    wire: 'failure',
    text: 'The change cannot be undone. It was undone already, it is not complete, or the data that it replaced are no longer stored.',
  },
  'change/conflict': {
    http: 409,
    wire: 'failure',
    text: 'Later writes have changed the same data. An undo would overwrite them.',
  },
  'import/unknown': {
    http: 404,
    wire: 'failure',
    text: 'The import does not exist. It never began, was canceled, or is no longer stored.',
  },
  'import/conflict': {
    http: 409,
    wire: 'failure',
    text: 'The request does not match the state of the import. Read that state, then continue from it.',
  },
  'import/too-many': {
    http: 429,
    wire: 'failure',
    text: 'This database has too many open imports. Finish one, or cancel one with DELETE.',
  },
  'rules/invalid': { http: 400, wire: 'failure', text: 'The rules are malformed' },
  'rules/no-ruleset': { http: 400, wire: 'failure', text: 'No ruleset has this ID.' },
  'rules/no-version': {
    http: 404,
    wire: 'failure',
    text: 'This version of the rules does not exist. It was never published, or is no longer stored.',
  },
  'rules/outdated': {
    http: 409,
    wire: 'failure',
    text: 'Other rules were published in the meantime. Load them, then publish again.',
  },
  'denial/unknown': {
    http: 404,
    wire: 'failure',
    text: 'The denial is not in the log. It was never recorded, or is no longer stored.',
  },
  'denial/no-values': {
    http: 409,
    wire: 'failure',
    text: 'The values of this denial were not stored, so other rules cannot be tested on it. Set keepValues for later denials.',
  },
  'namespace/missing': {
    http: 400,
    wire: 'failure',
    text: 'The request names no database. Add ?ns=<database> to the address.',
  },
  'namespace/invalid': {
    http: 400,
    wire: 'failure',
    text: 'A database name has 1 to 63 lowercase letters, digits and hyphens.',
  },
  'namespace/taken': { http: 409, wire: 'failure', text: 'A database with this name already exists.' },
  'namespace/foreign': {
    http: 403,
    wire: 'failure',
    text: 'The name of a database must begin with the project ID and a hyphen.',
  },
  'namespace/too-many': {
    http: 409,
    wire: 'failure',
    text: 'The project has the maximum number of databases.',
  },
  'http/method': {
    http: 405,
    wire: 'failure',
    text: 'append .json to your request URI to use the REST API.',
  },
  'http/not-found': { http: 404, wire: 'failure', text: '404 Not Found' },
  'http/parameter': { http: 400, wire: 'failure', text: 'Unsupported query parameter' },
  'internal/error': { http: 500, wire: 'internal_error', text: 'Internal server error.' },
} as const satisfies Record<string, RequestErrorSpec>;

export type RequestErrorCode = keyof typeof REQUEST_ERRORS;

/** Rejects a request with a code from the table. The server sends `message` to the client. */
export class RequestError extends Error {
  readonly code: RequestErrorCode;

  /** `detail` replaces the table's sentence with a more precise one. */
  constructor(code: RequestErrorCode, detail?: string, options?: { readonly cause: unknown }) {
    super(detail ?? REQUEST_ERRORS[code].text, options);
    this.name = 'RequestError';
    this.code = code;
  }

  get spec(): RequestErrorSpec {
    return REQUEST_ERRORS[this.code];
  }
}
