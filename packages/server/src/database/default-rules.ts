/** What a database of development mode starts with: everybody may do everything. */
export const OPEN_RULES = `{
  "rules": {
    ".read": true,
    ".write": true
  }
}
`;

/** What a database starts with elsewhere: nobody but administrators may do anything. */
export const LOCKED_RULES = `{
  "rules": {
    ".read": false,
    ".write": false
  }
}
`;
