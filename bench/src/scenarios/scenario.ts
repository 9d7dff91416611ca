import type { ServerCommand } from '../server/command.ts';

/** The target of a figure. A ratio is the value of the subject divided by the compared value. */
export type Target =
  | { readonly kind: 'ratioAtLeast'; readonly bound: number }
  | { readonly kind: 'ratioAtMost'; readonly bound: number }
  | { readonly kind: 'below'; readonly bound: number }
  | { readonly kind: 'atLeast'; readonly bound: number }
  | { readonly kind: 'none' };

/**
 * One line of the report. `compared` is the reference: the value of a floor, the value of the same operation in
 * an easier case, or a constant. It is `undefined` if there is no reference.
 */
export type Figure = {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly compared: number | undefined;
  readonly target: Target;
};

/** Returns the value divided by the compared value; `undefined` if the compared value is missing or 0. */
export function findRatio(figure: Figure): number | undefined {
  return figure.compared === undefined || figure.compared === 0 ? undefined : figure.value / figure.compared;
}

/** Returns whether a figure meets its target; `undefined` if it has no target or no compared value. */
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

/**
 * The input of a scenario. With `quick`, the load is small: it shows that everything works, but the figures
 * are not meaningful.
 */
export type ScenarioOptions = {
  readonly subject: ServerCommand;
  readonly quick: boolean;
  readonly rounds: number;
  readonly seed: number;
  /** Prints a line about the progress for the user. */
  readonly progress: (line: string) => void;
};

/** Measures the subject and its reference. Throws if a response is wrong: such a run has no figures. */
export type Scenario = (options: ScenarioOptions) => Promise<readonly Figure[]>;
