/** Keys of what can be done from everywhere. */
export const FRAME_KEYS = { palette: 'mod+k', help: '?', drawer: 'mod+b' } as const;
