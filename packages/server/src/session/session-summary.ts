import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { formatPath } from '@hearth/core/tree/path.ts';
import type { ConnectionListen, ConnectionSummary } from '../activity/connection-summary.ts';
import { identitySummary } from '../activity/identity-summary.ts';
import type { Peer } from './peer.ts';
import type { Session } from './session.ts';

/** What administrators are told of a session. */
export function describeSession(
  { sdk, identity, listens, connection }: Session,
  { id, address, userAgent, sinceMs }: Peer,
  pendingDisconnects: number,
): ConnectionSummary {
  const { transport, peerAddress, sentBytes, receivedBytes } = connection;
  return {
    id,
    address: address ?? peerAddress ?? '',
    userAgent,
    sdk,
    transport,
    sinceMs,
    identity: identitySummary(identity),
    listens: listens.count,
    pendingDisconnects,
    sentBytes,
    receivedBytes,
  };
}

/** What a session listens to, at most `limit` of it. */
export function describeListens({ listens }: Session, limit: number): readonly ConnectionListen[] {
  return listens
    .all()
    .slice(0, limit)
    .map((listen) => ({
      path: `/${formatPath(listen.path)}`,
      query: listen.kind === 'query' ? (parseJsonText(listen.queryJson) as ConnectionListen['query']) : null,
    }));
}
