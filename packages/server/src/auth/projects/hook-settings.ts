/** The events before which a project may ask a function of its own. */
export const HOOK_EVENTS = ['beforeCreate', 'beforeSignIn'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** A function that decides about an event. */
export interface Hook {
  /** The address to which the event is posted. */
  readonly uri: string;
  /** The audience of the token with the event; `null` for the address. */
  readonly audience: string | null;
  readonly updatedAtMs: number;
}

/** The functions of a project by their events. */
export type ProjectHooks = Readonly<Partial<Record<HookEvent, Hook>>>;

export const NO_HOOKS: ProjectHooks = {};
