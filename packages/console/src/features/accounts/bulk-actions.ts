/** What can be done with many accounts at once. */
export const BULK_ACTIONS = ['disable', 'enable', 'signOut', 'delete'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];
