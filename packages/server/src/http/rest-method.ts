import type { ParameterScope } from './rest-parameters.ts';

/** What carries out a method, and which parameters it knows. */
export interface RestMethod<Route> {
  readonly run: Route;
  readonly scope: ParameterScope;
}
