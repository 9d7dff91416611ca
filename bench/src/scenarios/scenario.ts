import type { ServerCommand } from '../server/command.ts';

/** What a figure is held to. A ratio is the subject's value divided by the one it is compared with. */
export type Target =
  | { readonly kind: 'ratioAtLeast'; readonly bound: number }
  | { readonly kind: 'ratioAtMost'; readonly bound: number }
  | { readonly kind: 'below'; readonly bound: number }
  | { readonly kind: 'atLeast'; readonly bound: number }
  | { readonly kind: 'none' };

/** One line of the report. `compared` is the floor, or the same thing on little data; `undefined` when there is none. */
export type Figure = {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly compared: number | undefined;
  readonly target: Target;
};

/** Value divided by what it is compared with. */
export function findRatio(figure: Figure): number | undefined {
  return figure.compared === undefined || figure.compared === 0 ? undefined : figure.value / figure.compared;
}

/** Whether a figure meets its target; `undefined` when it has none or cannot be compared. */
export function isMet(figure: Figure): boolean | undefined {
  const ratio = findRatio(figure);
  switch (figure.target.kind) {
    case 'ratioAtLeast':
      return ratio === undefined ? undefined : ratio >= figure.target.bound;
    case 'ratioAtMost':
      return ratio === undefined ? undefined : ratio <= figure.target.bound;
    case 'below':
      return figure.value < figure.target.bound;
    case 'atLeast':
      return figure.value >= figure.target.bound;
    case 'none':
      return undefined;
    default:
      return figure.target satisfies never;
  }
}

/** What a scenario is given. `quick` asks for a small load that shows that everything works; its figures mean little. */
export type ScenarioOptions = {
  readonly subject: ServerCommand;
  readonly quick: boolean;
  readonly rounds: number;
  readonly seed: number;
  /** Says what is going on, for whoever waits. */
  readonly progress: (line: string) => void;
};

/** Measures the subject and what it is compared with. Throws when the subject answers wrongly: such a run has no figures. */
export type Scenario = (options: ScenarioOptions) => Promise<readonly Figure[]>;
