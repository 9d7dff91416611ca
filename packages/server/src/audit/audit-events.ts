/** Everything that audits tell, and what has happened when they do. A refusal has its code as result, the rest `ok`. */
export const AUDIT_EVENTS = {
  sign_in:
    'Somebody signed in, or was refused. The detail names the proof: `password`, `anonymous`, `custom`, and after a `+` the second factor.',
  second_factor_asked: 'The first proof was right, and the second factor is asked for.',
  sign_up: 'An account was made by its own user, or that was refused. The detail names the proof.',
  password_linked: 'A password was added to an account that had none.',
  email_changed: 'A user changed the address of their account, or took it off.',
  password_changed: 'A user changed the password of their account.',
  password_reset: 'A password was reset by a code out of a mail.',
  unlinked:
    'A user took a way to sign in, or a part of the profile, away from their account. The detail names it.',
  code_issued: 'A code was made for a mail, or for an administrator. The detail names its kind.',
  code_used: 'A code out of a mail did what it is for. The detail names its kind.',
  second_factor_added: 'A second factor was added to an account. The detail names its kind.',
  second_factor_failed: 'A second proof was wrong.',
  second_factor_removed: 'A second factor was taken away from an account. The detail names its kind.',
  recovery_codes_made: 'An account got new recovery codes; its earlier ones count no more.',
  recovery_code_used: 'A recovery code stood in for a second factor.',
  refresh_reuse: 'A refresh token was used that counts no more, which ended its session.',
  session_ended: 'A session was over when its refresh token was used.',
  session_revoked: 'An administrator ended a session.',
  session_cookie_created: 'An ID token was exchanged for a session cookie.',
  account_created: 'An administrator made an account.',
  account_updated:
    'An administrator changed an account, and the detail names what; or a change was refused, whoever asked for it.',
  account_deleted: 'An account was deleted, by its own user or by an administrator.',
  accounts_deleted: 'An administrator deleted accounts. The detail says how many.',
  accounts_imported: 'An administrator imported accounts. The detail says how many.',
  hashes_exported:
    'An administrator read accounts in bulk with the hashes of their passwords. The detail says how many.',
  config_changed: 'The settings of a project were changed. The detail names those that did.',
  test_mail_sent:
    'An administrator had a mail sent to try the mail server. The detail says what became of it.',
  project_created: 'A project was made.',
  database_created: 'A project got another database. The detail names it.',
  connection_ended:
    'An administrator or a member ended a connection to a database. The detail names the database and the connection.',
  api_key_created: 'A project got another API key.',
  api_key_removed: 'A project lost an API key.',
  service_account_changed:
    'A service account was added, disabled, enabled or removed, or got a key. The detail says which.',
  member_changed: 'A member was added to a project or removed, or has another role. The detail says which.',
  signing_keys_changed: 'Signing keys were rotated or replaced. The detail says which.',
  access_token_issued: 'A service account got an access token, or was refused.',
  admin_refused: 'Somebody claimed to be an administrator, and was refused.',
  audit_lost: 'Events came faster than they could be written down. The detail says how many are missing.',
} as const satisfies Readonly<Record<string, string>>;

export type AuditEventName = keyof typeof AUDIT_EVENTS;
