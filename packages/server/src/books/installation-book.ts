/**
 * The book of what all projects share.
 *
 * | place                        | record                                           |
 * |------------------------------|--------------------------------------------------|
 * | projects / id                | number, settings                                 |
 * | apiKeys / key                | the id of the project that it selects            |
 * | apiKeysOf / project / key    | when it was made, in ms                          |
 * | members / project / uid      | `accounts/members/member-record.ts`              |
 * | ownerLink                    | `accounts/members/owner-link.ts`                 |
 * | databases…                   | `accounts/database-owners.ts`                    |
 * | hashParameters / id          | `accounts/hash-parameters-book.ts`               |
 * | service-account…             | `tokens/service-accounts.ts`                     |
 * | signing-keys                 | `tokens/signing-keys.ts`                         |
 * | passwordCost                 | `accounts/password-cost.ts`                      |
 */
export const INSTALLATION = 'installation';
