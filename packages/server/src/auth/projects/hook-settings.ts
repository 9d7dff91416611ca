/** The events of an account before which a project may ask a function of its own. */
export const ACCOUNT_EVENTS = ['beforeCreate', 'beforeSignIn'] as const;
export type AccountEvent = (typeof ACCOUNT_EVENTS)[number];

/** The messages with codes before which a project may ask a function of its own. */
export const MESSAGE_EVENTS = ['beforeSendEmail', 'beforeSendSms'] as const;
export type MessageEvent = (typeof MESSAGE_EVENTS)[number];

export const HOOK_EVENTS = [...ACCOUNT_EVENTS, ...MESSAGE_EVENTS] as const;
export type HookEvent = AccountEvent | MessageEvent;

/** A function that decides about an event. */
export interface Hook {
  /** The address to which the event is posted. */
  readonly uri: string;
  /** The audience of the token with the event; `null` if it is the address. */
  readonly audience: string | null;
  readonly updatedAtMs: number;
  /** Whether a message is sent even if the function fails. Only for messages; records of earlier versions lack it. */
  readonly failsOpen?: boolean;
}

/** The functions of a project by their events. */
export type ProjectHooks = Readonly<Partial<Record<HookEvent, Hook>>>;

export const NO_HOOKS: ProjectHooks = {};
