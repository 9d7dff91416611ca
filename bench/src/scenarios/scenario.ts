import type { Figure } from '../report/figure.ts';
import type { ServerCommand } from '../server/command.ts';

/** What a scenario is given. `quick` asks for a small load that shows that everything works; its figures mean little. */
export type ScenarioOptions = {
  readonly subject: ServerCommand;
  readonly quick: boolean;
  readonly rounds: number;
  readonly seed: number;
  /** Says what is going on, for whoever waits. */
  readonly note: (line: string) => void;
};

/** Measures the subject and what it is compared with. Throws when the subject answers wrongly: such a run has no figures. */
export type Scenario = (options: ScenarioOptions) => Promise<readonly Figure[]>;
