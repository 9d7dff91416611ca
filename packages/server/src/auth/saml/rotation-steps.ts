/** The steps in which a key is replaced. Providers need the certificate of the next key before it signs. */
export const ROTATION_STEPS = ['PREPARE', 'FINISH', 'CANCEL'] as const;
export type RotationStep = (typeof ROTATION_STEPS)[number];
