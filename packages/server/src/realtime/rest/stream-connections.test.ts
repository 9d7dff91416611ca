import { liveConnectionsContract } from '../../access/live-connections.contract.ts';
import { OWNER } from '../../app/exchange.fixture.ts';
import { connectionSourceContract } from '../monitoring/connections.contract.ts';
import { openStreamTestBed } from './event-stream-test-bed.fixture.ts';

connectionSourceContract('event streams', async () => {
  const testBed = await openStreamTestBed();
  return {
    source: testBed.streams,
    async connect(database, userAgent) {
      await testBed.stream(`/rooms.json?ns=${database}`, { ...OWNER, 'user-agent': userAgent });
    },
    settle: () => testBed.settle(),
  };
});

liveConnectionsContract('event streams', async () => {
  const testBed = await openStreamTestBed();
  return {
    live: testBed.streams,
    async connect(kind) {
      const stream = await testBed.stream('/rooms.json?ns=one', kind === 'admin' ? OWNER : {});
      return () => !stream.hasEnded;
    },
    settle: () => testBed.settle(),
  };
});
