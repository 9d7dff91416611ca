import type { Fault } from './fault.ts';
import { CLOCK_JUMPS } from './kinds/clock.ts';
import { HOSTILE_READERS, NO_DESCRIPTORS } from './kinds/connections.ts';
import { DAMAGED_PAGE } from './kinds/damaged-page.ts';
import { FLUSH_ERRORS, POWER_LOSS, READ_ERRORS, WRITE_ERRORS } from './kinds/disk-errors.ts';
import { DISK_IS_FULL } from './kinds/disk-full.ts';
import { SECOND_PROCESS, STOPPED } from './kinds/processes.ts';

/** All faults of the campaign. */
export const FAULTS: readonly Fault[] = [
  DISK_IS_FULL,
  STOPPED,
  SECOND_PROCESS,
  NO_DESCRIPTORS,
  HOSTILE_READERS,
  DAMAGED_PAGE,
  WRITE_ERRORS,
  FLUSH_ERRORS,
  READ_ERRORS,
  CLOCK_JUMPS,
  POWER_LOSS,
];
