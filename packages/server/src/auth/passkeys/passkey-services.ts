import type { Clock } from '../../platform/clock.ts';
import { deriveKey, type SecretKey } from '../../platform/secret-key.ts';
import type { Projects } from '../projects/projects.ts';
import { AppAssociations } from './app-associations.ts';

/** The services for passkeys. */
export interface PasskeyServices {
  /** The key of the MACs of challenges. */
  readonly challengeKey: SecretKey;
  readonly associations: AppAssociations;
}

export function openPasskeyServices(options: {
  readonly secretKey: SecretKey;
  readonly projects: Projects;
  readonly clock: Clock;
  readonly isDevelopment: boolean;
}): PasskeyServices {
  const { secretKey, projects, clock, isDevelopment } = options;
  return {
    challengeKey: deriveKey(secretKey, 'passkey challenges'),
    associations: new AppAssociations(projects, clock, isDevelopment),
  };
}
