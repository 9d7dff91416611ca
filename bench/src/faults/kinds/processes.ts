import { runCommand } from '../../server/command.ts';
import { findFreePort } from '../../server/server-process.ts';
import { type Fault, NO_PROBLEMS } from '../fault.ts';

/** The process is suspended, as with its machine, and continues. */
export const STOPPED: Fault = {
  name: 'process stopped for a minute',
  needs: [],
  lastsMs: 60_000,
  shortMs: 1_000,
  // The server may give up on clients that it could not hear, and on requests that were arriving.
  expected: { process: 'goes on', mayDisconnect: true, rejections: [/^408: .*took too long to arrive/] },
  begin: (bed) => {
    bed.server.signal('SIGSTOP');
    return Promise.resolve(NO_PROBLEMS);
  },
  end: (bed) => {
    bed.server.signal('SIGCONT');
    return Promise.resolve(NO_PROBLEMS);
  },
};

/** A second server is started on the same directory. It has to leave the directory alone, and say why. */
export const SECOND_PROCESS: Fault = {
  name: 'second process on the same directory',
  needs: [],
  lastsMs: 0,
  expected: { process: 'goes on' },
  begin: async (bed) => {
    const port = await findFreePort();
    const { code, output } = await runCommand(bed.command, [
      ...['--port', String(port), '--data', bed.dataDirectory],
    ]).ended;
    const isClear = code === 2 && /is in use by another process\. Stop it, or choose another/.test(output);
    return isClear ? NO_PROBLEMS : [`the second process ended with ${code}: ${output}`];
  },
  end: () => Promise.resolve(NO_PROBLEMS),
};
