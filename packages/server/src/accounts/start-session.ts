import type { BookTurn } from '../books/books.ts';
import { deviceOf } from './device.ts';
import type { IdentityCall } from './identity-call.ts';
import type { IdentityServices } from './identity-services.ts';
import type { Session, SignInFacts } from './session.ts';
import { addSession } from './session-book.ts';

const ID_BYTES = 16;
const SEED_BYTES = 32;

/** Begins a session of an account that has just proved who it is. */
export function startSession(
  book: BookTurn,
  call: IdentityCall,
  { randomBytes }: IdentityServices,
  uid: string,
  facts: SignInFacts,
  nowMs: number,
): Session {
  const random = Buffer.from(randomBytes(ID_BYTES + SEED_BYTES));
  const session: Session = {
    ...facts,
    id: random.toString('base64url', 0, ID_BYTES),
    uid,
    createdAtMs: nowMs,
    authTimeSec: Math.floor(nowMs / 1000),
    lastUsedAtMs: nowMs,
    device: deviceOf(call.client),
    seed: random.toString('base64url', ID_BYTES),
    generation: 0,
    // Programs that are no browsers keep the first refresh token for good.
    isRotating: call.client.isWeb,
    rotatedAtMs: nowMs,
    previousRotatedAtMs: nowMs,
  };
  addSession(book, session);
  return session;
}
