import { expect, test } from 'vitest';
import { simulate } from './simulation.ts';

const HISTORIES = 2_000;
/** Outside of the seeds of the short form. */
const FIRST_SEED = 1_000_000;

test.each(Array.from({ length: 10 }, (_, part) => FIRST_SEED + part * HISTORIES))(
  '[D10] in 2,000 histories from seed %i nothing acknowledged is lost or doubled, and views agree',
  (first) => {
    const problems: string[] = [];
    for (let seed = first; seed < first + HISTORIES; seed++) {
      const { problem } = simulate({ seed });
      if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
    }
    expect(problems).toEqual([]);
  },
);
