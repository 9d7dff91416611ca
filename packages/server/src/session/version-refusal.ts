import { PROTOCOL_VERSION, shutdownMessage } from '@hearth/core/wire/down.ts';

/** What a client of another protocol version is told, over any transport. */
export function versionRefusal(): string {
  return shutdownMessage(`This server speaks version ${PROTOCOL_VERSION} of the protocol: add v=5.`);
}
