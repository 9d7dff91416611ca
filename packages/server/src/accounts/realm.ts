/** What an administrator works on: rights count for one and not for another. */
export type Realm =
  | { readonly kind: 'database'; readonly name: string }
  | { readonly kind: 'project'; readonly id: string }
  /** The accounts of a project, and what mattered to their security. */
  | { readonly kind: 'accounts'; readonly project: string }
  /** All projects, and which there are. */
  | { readonly kind: 'server' };

/** To see everything, to change data and settings, or to say who may do that. */
export type Right = 'look' | 'change' | 'own';
