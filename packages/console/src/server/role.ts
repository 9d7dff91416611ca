/** What a member may do: everything, change data and settings, or look. */
export type Role = 'owner' | 'editor' | 'viewer';
