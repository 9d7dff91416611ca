import type { JsonObject } from './fields.ts';
import type { IdentityCall } from './identity-call.ts';
import type { IdentityServices } from './identity-services.ts';
import type { PrintedJson } from './printed-json.ts';

/** Carries out one method and returns what is answered. Rejects with an `IdentityError` or `IdentityOverload`. */
export type IdentityMethod = (
  call: IdentityCall,
  services: IdentityServices,
) => Promise<JsonObject | PrintedJson>;
